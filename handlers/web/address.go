package web

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
	"laurel/views/texts"
)

// WithQuery is an address with a query, if there is one.
func WithQuery(base string, q url.Values) string {
	if len(q) == 0 {
		return base
	}
	return base + "?" + q.Encode()
}

// AtAddress is a page's address at an instant.
func AtAddress(base string, at time.Time) string {
	mark := "?"
	if strings.Contains(base, "?") {
		mark = "&"
	}
	return base + mark + "at=" + url.QueryEscape(at.UTC().Format(time.RFC3339Nano))
}

// MemberAddress is the address of a profile.
func MemberAddress(name string) string { return "/u/" + url.PathEscape(name) }

// RankingMark is before the names of rankings that an address cannot have as
// they are, as browsers take /ladders/.. for another address, and before those
// that begin with it.
const RankingMark = "~"

// RankingAddress is the address of a ranking.
func RankingAddress(name string) string {
	if name == "" || name == "." || name == ".." || strings.HasPrefix(name, RankingMark) {
		name = RankingMark + name
	}
	return "/ladders/" + url.PathEscape(name)
}

// RankingTitle is a ranking as people read it: others than Laurel's own have only
// a name.
func RankingTitle(ctx context.Context, name string) string {
	if name == modelhistory.SolvedRanking {
		return texts.T(ctx, "Problems solved")
	}
	return name
}

// BetweenAddress is where two instants are compared.
func BetweenAddress(base string, from, to time.Time) string {
	return WithQuery(base+"/diff", url.Values{"from": {from.Format(time.RFC3339Nano)}, "to": {to.Format(time.RFC3339Nano)}})
}

// SheetExports are the ways to a page's sheet.
func SheetExports(address string) archiveviews.Exports {
	return archiveviews.Exports{CSV: asFormat(address, "csv"), JSON: asFormat(address, "json")}
}

// PageAddress is this page's address with another place in the list.
func PageAddress(c echo.Context, which string, cursor pg.Cursor) string {
	if cursor == (pg.Cursor{}) {
		return ""
	}
	q := url.Values{}
	for k, v := range c.QueryParams() {
		if k != "after" && k != "before" && len(v) > 0 && v[0] != "" {
			q.Set(k, v[0])
		}
	}
	q.Set(which, cursor.String())
	return c.Request().URL.Path + "?" + q.Encode()
}

// OwnPath says whether a text is the address of a page of ours, to go back to.
func OwnPath(next string) bool {
	u, err := url.Parse(next)
	return err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//") &&
		!strings.ContainsAny(next, "\\\r\n\t")
}
