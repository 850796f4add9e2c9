package archive

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	views "laurel/views/archive"
	"laurel/views/parts"
)

// An apiDifference is a key that is another at two instants.
type apiDifference struct {
	Key    map[string]any `json:"key"`
	Change string         `json:"change"` // new, gone, changed.
	Fields []string       `json:"fields"` // Of a changed one those that differ.
	From   *apiState      `json:"from"`   // Null where no row was valid.
	Until  *apiState      `json:"until"`
}

type apiState struct {
	Data       map[string]any `json:"data"`
	ValidFrom  time.Time      `json:"valid_from"`
	ValidUntil *time.Time     `json:"valid_until"`
	EndReason  *string        `json:"end_reason"`
}

func showDifference(d archive.Difference) apiDifference {
	return apiDifference{Key: d.Key, Change: changeOf(&d), Fields: append([]string{}, d.Fields...), From: stateOf(d.Before),
		Until: stateOf(d.After)}
}

func changeOf(d *archive.Difference) string {
	switch {
	case d.Before == nil:
		return "new"
	case d.After == nil:
		return "gone"
	}
	return "changed"
}

func stateOf(s *archive.Snapshot) *apiState {
	if s == nil {
		return nil
	}
	row := showRow(*s)
	return &apiState{Data: row.Data, ValidFrom: row.ValidFrom, ValidUntil: row.ValidUntil, EndReason: row.EndReason}
}

// A comparison is what an address asks to be compared. Its own words come before fields of
// these names.
type comparison struct {
	given       query
	key         shards.Row
	from, until time.Time
}

var comparing = []string{"from", "until", "limit", "cursor"}

func comparedFields(s *archive.Shard) []shards.Field {
	return slices.DeleteFunc(slices.Clone(s.Key), func(f shards.Field) bool { return slices.Contains(comparing, f.Name) })
}

// APIDiff lists the keys that are another at two instants.
func (h *Handlers) APIDiff(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	var d comparison
	if d.given, err = queryOf(c, comparedFields(s), comparing...); err != nil {
		return err
	}
	if d.key, err = d.given.row(comparedFields(s)); err != nil {
		return err
	}
	if d.from, err = d.given.timeOf("from"); err != nil {
		return err
	}
	if d.until, err = d.given.timeOf("until"); err != nil {
		return err
	}
	if d.from.IsZero() {
		return &pg.InputError{Field: "from", Message: "this is missing: since when are changes wanted?"}
	}
	if d.until.IsZero() {
		d.until = h.Now()
	}
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	list := fmt.Sprint("diff ", s.Name, " ", rowName(d.key), d.from.UnixMicro())
	var place rowPlace
	if err := web.DecodeCursor(d.given.text("cursor"), list, &place); err != nil {
		return err
	}
	if place.Key != nil && d.given.text("until") == "" {
		d.until = place.At
	}
	q := archive.Query{Key: d.key, After: place.Key, Limit: limit + 1}
	rows, err := archive.Diff(c.Request().Context(), h.DB.DB, s, q, d.from, d.until)
	if err != nil {
		return err
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = web.EncodeCursor(list, rowPlace{At: d.until, Key: rows[limit-1].Key})
	}
	return web.SendList(c, rows, next, showDifference)
}

// Diff is the page of what changed between two instants: /archive/NAME/diff?from&until&<key fields>.
func (h *Handlers) Diff(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	if gone, err := moved(c, s); gone {
		return err
	}
	now := h.Now().In(h.ViewerZone(c))
	title := shardTitle(s)
	p := views.Diff{Frame: h.Frame(c, title+": what changed"), Now: now, Title: title, From: now, To: now, UntilField: "until",
		About: parts.Choice{Value: shardBase(s), Text: title}, Path: shardBase(s) + "/diff", Rows: &views.ShardDiff{Key: names(s.Key)}}
	err = h.fillDiff(c, s, &p)
	if words := mistakeOf(err); words != "" {
		p.Mistake = words
		return web.Render(c, http.StatusUnprocessableEntity, views.DiffPage(p))
	}
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.DiffPage(p))
}

// fillInstants reads the instants, in either order; without the first it is a day before.
func (h *Handlers) fillInstants(c echo.Context, p *views.Diff) (err error) {
	zone := p.Now.Location()
	if p.To, err = h.InstantParam(c, "until", zone); err != nil {
		return err
	}
	p.From = p.To.AddDate(0, 0, -1)
	if c.QueryParam("from") != "" {
		p.From, err = h.InstantParam(c, "from", zone)
	}
	if p.To.Before(p.From) {
		p.From, p.To = p.To, p.From
	}
	return err
}

func (h *Handlers) fillDiff(c echo.Context, s *archive.Shard, p *views.Diff) error {
	if err := h.fillInstants(c, p); err != nil {
		return err
	}
	key, err := keyFilter(c, s)
	if err != nil {
		return err
	}
	for _, name := range comparing {
		delete(key, name)
	}
	q := keyQuery(s, key)
	p.Path = web.WithQuery(shardBase(s)+"/diff", q)
	list := fmt.Sprint("page diff ", s.Name, " ", rowName(key))
	var after shards.Row
	if err := web.DecodeCursor(c.QueryParam("cursor"), list, &after); err != nil {
		return err
	}
	wanted := archive.Query{Key: key, After: after, Limit: shardRowsShown + 1}
	rows, err := archive.Diff(c.Request().Context(), h.DB.DB, s, wanted, p.From, p.To)
	if err != nil {
		return err
	}
	span := url.Values{"from": {p.From.Format(time.RFC3339Nano)}, "until": {p.To.Format(time.RFC3339Nano)}}
	for name := range span {
		q.Set(name, span.Get(name))
	}
	p.Exports.JSON = web.WithQuery("/api/v1"+shardBase(s)+"/diff", q)
	if after != nil {
		p.Rows.Newer = web.WithQuery(shardBase(s)+"/diff", q)
	}
	if len(rows) > shardRowsShown {
		rows = rows[:shardRowsShown]
		q.Set("cursor", web.EncodeCursor(list, rows[shardRowsShown-1].Key))
		p.Rows.Older = web.WithQuery(shardBase(s)+"/diff", q)
	}
	for i := range rows {
		p.Rows.Changes = append(p.Rows.Changes, shownDifference(s, &rows[i]))
	}
	return nil
}

func shownDifference(s *archive.Shard, d *archive.Difference) views.ShardChange {
	out := views.ShardChange{Change: changeOf(d), Timeline: shardBase(s) + "/history?" + keyQuery(s, d.Key).Encode()}
	for _, f := range s.Key {
		out.Key = append(out.Key, valueText(d.Key[f.Name]))
	}
	for _, f := range s.Data {
		if d.Before != nil && d.After != nil && !slices.Contains(d.Fields, f.Name) {
			continue
		}
		v := views.ShardValue{Name: f.Name}
		if d.Before != nil {
			v.From = fieldText(s, d.Before.Data, f.Name)
		}
		if d.After != nil {
			v.To = fieldText(s, d.After.Data, f.Name)
		}
		if d.Before != nil && d.After != nil {
			from, wasList := d.Before.Data[f.Name].(shards.List)
			if to, isList := d.After.Data[f.Name].(shards.List); isList && wasList {
				v.From, v.To = listSize(&from), listSize(&to)+" ("+listChange(from, to)+")"
			}
		}
		out.Values = append(out.Values, v)
	}
	return out
}
