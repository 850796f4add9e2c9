package archive

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

type apiCheck struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	StoredAt time.Time `json:"stored_at"`
	Source   string    `json:"source"`
	Address  string    `json:"address"`
	Viewer   string    `json:"viewer"`
	Outcome  string    `json:"outcome"`
	Digest   string    `json:"digest"`
	SameAs   *int64    `json:"same_as"`
	Facts    int       `json:"facts"`
	Message  string    `json:"message"`
}

func showCheck(l retrieval.LoggedRetrieval) apiCheck {
	return apiCheck{ID: l.ID, At: l.At.UTC(), StoredAt: l.StoredAt.UTC(), Source: l.Source, Address: l.Address, Viewer: l.Viewer,
		Outcome: l.Outcome, Digest: hex.EncodeToString(l.Hash), SameAs: l.SameAs, Facts: l.Facts, Message: l.Message}
}

// APIRetrievals lists the log of retrievals, newest first.
func (h *Handlers) APIRetrievals(c echo.Context) error {
	q, err := queryOf(c, nil, "source", "address", "viewer", "member", "outcome", "since", "until", "limit", "cursor", "format")
	if err != nil {
		return err
	}
	f, err := h.checkFilter(c, q)
	if err != nil {
		return err
	}
	cdx, err := web.WantsFormat(c, q.text("format"), "cdx", "")
	if err != nil {
		return err
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	if cdx && q.text("limit") == "" {
		limit = maxRead
	}
	cursor, err := pg.ParseCursor(q.text("cursor"))
	if err != nil {
		return err
	}
	checks, next, err := retrieval.Log(c.Request().Context(), h.DB.DB, f, cursor, limit)
	if err != nil {
		return err
	}
	if !cdx {
		return web.SendList(c, checks, next.String(), showCheck)
	}
	linkNext(c, next.String())
	var lines strings.Builder
	for _, l := range checks {
		lines.WriteString(cdxLine(l))
	}
	return c.String(http.StatusOK, lines.String())
}

// checkFilter reads which checks are meant.
func (h *Handlers) checkFilter(c echo.Context, q query) (retrieval.LogFilter, error) {
	f := retrieval.LogFilter{Source: q.given("source"), Address: q.given("address"), Viewer: q.given("viewer"),
		Outcome: q.given("outcome")}
	if name := q.given("member"); name != nil { // A member's pages are checked in the member's name.
		if m, err := members.ByName(c.Request().Context(), h.DB.DB, *name); err == nil {
			name = &m.Name
		} else if !errors.Is(err, pg.ErrNotFound) { // The log knows those who left, too.
			return f, err
		}
		if f.Viewer != nil && *f.Viewer != *name {
			return f, &pg.InputError{Field: "member", Message: "member and viewer do the same; use only one of them"}
		}
		f.Viewer = name
	}
	var err error
	if f.Since, err = web.TimeParam(c, "since"); err != nil {
		return f, err
	}
	if f.Until, err = web.TimeParam(c, "until"); err != nil {
		return f, err
	}
	if q.text("until") != "" && f.Until.Before(web.FirstInstant) { // The zero time would be no bound at all.
		f.Until = web.FirstInstant
	}
	return f, nil
}

// cdxLine writes a check as web archives list theirs, and knows fields that are
// empty by a -. What showed the same as before is a revisit there, too.
func cdxLine(l retrieval.LoggedRetrieval) string {
	mime := "application/json"
	switch {
	case l.SameAs != nil:
		mime = "warc/revisit"
	case l.Hash == nil:
		mime = "-"
	}
	field := func(s string) string { return cmp.Or(cdxEscape(s), "-") }
	return fmt.Sprintf("%s %s %s %s %s %s %d\n", cdxKey(l.Source, l.Address), l.At.UTC().Format("20060102150405"), field(l.Address), mime,
		field(l.Outcome), field(hex.EncodeToString(l.Hash)), l.Facts)
}

// cdxEscape keeps a field free of spaces: what cannot be in an address is written
// by its bytes. What is written so already stays.
func cdxEscape(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// cdxKey makes addresses of one host, and of one page, sort together: the host
// from its end, and the query in order. What has no host is its source's.
func cdxKey(source, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return cdxEscape(strings.ToLower(source) + ")/" + strings.TrimPrefix(address, "/"))
	}
	labels := strings.Split(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), ".")
	slices.Reverse(labels)
	host := strings.Join(labels, ",")
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	key := host + ")" + cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		parts := strings.Split(u.RawQuery, "&")
		slices.Sort(parts)
		key += "?" + strings.Join(parts, "&")
	}
	return strings.ToLower(cdxEscape(key))
}
