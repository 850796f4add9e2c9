package archive

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	views "laurel/views/archive"
	"laurel/views/charts"
	"laurel/views/parts"
)

// History is all that was ever known of one key: /archive/NAME/history?<key fields>.
func (h *Handlers) History(c echo.Context) error {
	ctx := c.Request().Context()
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	if gone, err := moved(c, s); gone {
		return err
	}
	key, err := wholeKey(c, s)
	if err != nil {
		return err
	}
	known, err := h.knownAt(c.QueryParam("known_at"))
	if err != nil {
		return err
	}
	rows, err := archive.History(ctx, h.DB.DB, s, archive.Query{Key: key, Known: known})
	if err != nil {
		return err
	}
	p := views.KeyTimeline{Frame: h.Frame(c, shardTitle(s)), Now: h.Now().In(h.ViewerZone(c)), Title: shardTitle(s),
		Fields: names(s.Data)}
	p.About = parts.Choice{Value: shardBase(s), Text: shardTitle(s)}
	for _, f := range s.Key {
		p.Key = append(p.Key, parts.Choice{Value: f.Name, Text: valueText(key[f.Name])})
	}
	q := keyQuery(s, key)
	if p.Set, err = h.setAside(c, s, key, p.Now); err != nil {
		return err
	}
	p.Believed = believed(known, p.Now, web.WithQuery(shardBase(s)+"/history", q), q)
	api := "/api/v1/archive/" + s.Name + "/history?" + q.Encode()
	p.Exports = views.Exports{CSV: api + "&format=csv", JSON: api + "&limit=500"}
	if err := h.keyStrip(c, s, key, rows, &p); err != nil {
		return err
	}
	slices.Reverse(rows)
	page := pageOf(c, len(rows))
	address := func(page int) string {
		return web.WithQuery(shardBase(s)+"/history", q) + "&cursor=" + strconv.Itoa(page)
	}
	first, last := page*shardRowsShown, min((page+1)*shardRowsShown, len(rows))
	if page > 0 {
		p.Newer = address(page - 1)
	}
	if last < len(rows) {
		p.Older = address(page + 1)
	}
	for i := range rows[first:last] {
		p.Periods = append(p.Periods, period(s, &rows[first+i]))
	}
	return web.Render(c, http.StatusOK, views.TimelinePage(p))
}

// wholeKey reads all key fields from an address.
func wholeKey(c echo.Context, s *archive.Shard) (shards.Row, error) {
	given := query{}
	var missing []string
	for _, f := range s.Key {
		if c.QueryParams().Has(f.Name) { // An empty text is a key, too.
			given[f.Name] = c.QueryParam(f.Name)
		} else {
			missing = append(missing, f.Name)
		}
	}
	key, err := given.row(s.Key)
	if err == nil && len(missing) > 0 {
		err = &pg.InputError{Field: missing[0], Message: fmt.Sprintf("a timeline needs every key field of %s: add %s", s.Name,
			strings.Join(missing, " and "))}
	}
	return key, err
}

// pageOf is which part of so many rows is asked for.
func pageOf(c echo.Context, n int) int {
	page, _ := strconv.Atoi(c.QueryParam("cursor")) // No number is the first page.
	return min(max(page, 0), max(n-1, 0)/shardRowsShown)
}

func period(s *archive.Shard, r *archive.Snapshot) views.Period {
	p := views.Period{From: r.ValidFrom, Until: web.Deref(r.ValidUntil), Checks: len(r.Retrieved), First: r.ValidFrom,
		Last: r.ValidFrom, Reason: r.EndReason, Values: rowValues(s, r)}
	if n := len(r.Retrieved); n > 0 {
		p.First, p.Last = r.Retrieved[0], r.Retrieved[n-1]
	}
	return p
}

// keyStrip draws all rows of a key, from the first check until now.
func (h *Handlers) keyStrip(c echo.Context, s *archive.Shard, key shards.Row, rows []archive.Snapshot, p *views.KeyTimeline) error {
	p.Strip = charts.Strip{Title: shardTitle(s), From: p.Now, Until: p.Now, Wide: true}
	if len(rows) == 0 {
		return nil
	}
	p.Strip.From = rows[0].ValidFrom.In(p.Now.Location())
	for i := range rows {
		r := &rows[i]
		part := period(s, r)
		values := slices.DeleteFunc(part.Values, func(v string) bool { return v == "" })
		p.Strip.Spans = append(p.Strip.Spans, charts.StripSpan{From: r.ValidFrom, LastSeen: part.Last, Until: part.Until,
			Label: strings.Join(values, ", ")})
		p.Strip.Checks = append(p.Strip.Checks, r.Retrieved...)
	}
	var err error
	p.Strip.Failed, err = modelhistory.FailedFetches(c.Request().Context(), h.DB.DB, s, key, rows[0].ValidFrom)
	return err
}
