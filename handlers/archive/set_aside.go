package archive

import (
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	views "laurel/views/archive"
)

// asideShown is how much of what was set aside pages show; CSV and JSON have more.
const asideShown = 20

// setAside is what was set aside of the keys that a page is about.
func (h *Handlers) setAside(c echo.Context, s *archive.Shard, key shards.Row, now time.Time) (views.SetAside, error) {
	list, err := archive.SetAsideOf(c.Request().Context(), h.DB.DB, s, archive.Query{Key: key, Limit: asideShown + 1})
	api := web.WithQuery("/api/v1/archive/"+s.Name+"/set-aside", keyQuery(s, key))
	p := views.SetAside{Now: now, Key: names(s.Key), Fields: names(s.Data), More: len(list) > asideShown,
		Exports: views.Exports{CSV: withFormatCSV(api), JSON: api}}
	for _, a := range list[:min(len(list), asideShown)] {
		row := views.AsideRow{At: a.At, Response: a.Response, Why: a.Why, By: a.SupersededBy, Since: web.Deref(a.Since), Note: a.Note}
		for _, f := range s.Key {
			row.Key = append(row.Key, valueText(a.Key[f.Name]))
		}
		for _, f := range s.Data {
			row.Values = append(row.Values, fieldText(s, a.Data, f.Name))
		}
		if a.Since != nil {
			q := keyQuery(s, a.Key)
			q.Set("known_at", a.Since.Add(-time.Microsecond).UTC().Format(time.RFC3339Nano))
			row.Before = web.WithQuery(shardBase(s)+"/history", q)
		}
		p.Rows = append(p.Rows, row)
	}
	return p, err
}

// believed says when values were believed, with the address of those of now, and keeps it in the query of the page's
// other addresses.
func believed(known, now time.Time, today string, q url.Values) views.Believed {
	if known.IsZero() {
		return views.Believed{}
	}
	q.Set("known_at", known.Format(time.RFC3339Nano))
	return views.Believed{Known: known, Now: now, Href: today}
}

func withFormatCSV(address string) string {
	for _, r := range address {
		if r == '?' {
			return address + "&format=csv"
		}
	}
	return address + "?format=csv"
}
