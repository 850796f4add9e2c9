package archive

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	views "laurel/views/archive"
)

const shardRowsShown = 100

// Index lists the shards.
func (h *Handlers) Index(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	all, err := archive.Shards(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	sums, err := modelhistory.ShardSums(ctx, h.DB.DB, all)
	if err != nil {
		return err
	}
	p := views.Index{Frame: h.Frame(c, "Archive"), Now: now.In(h.ViewerZone(c)), Checks: "/looks", Rankings: "/ladders",
		Exports: views.Exports{JSON: "/api/v1/archive?limit=500"}}
	if v := h.Viewer(c); v != nil && v.Role == members.RoleAdmin {
		p.Declare = "/archive/declare"
	}
	for _, s := range all {
		line := views.ShardLine{Name: s.Name, Title: shardTitle(s), Href: shardBase(s), Key: names(s.Key), Data: names(s.Data),
			Rows: sums[s.Name].Rows, Newest: web.Deref(sums[s.Name].Newest)}
		line.Declared, line.Retired = declared(s), s.Retired != nil
		p.Shards = append(p.Shards, line)
	}
	return web.Render(c, http.StatusOK, views.IndexPage(p))
}

// declared says whether an admin declared the shard; else it is built in.
func declared(s *archive.Shard) bool {
	return !slices.ContainsFunc(archive.BuiltIn(), func(b *archive.Shard) bool { return b.Name == s.Name })
}

func shardBase(s *archive.Shard) string { return "/archive/" + s.Name }

// shardTitle is a shard as people read it; declarations may leave that out.
func shardTitle(s *archive.Shard) string {
	if s.Title == "" {
		return s.Name
	}
	return s.Title
}

func names(fields []shards.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// keyFilter reads what an address says of a shard's key. An empty field is any
// value: forms send all of them.
func keyFilter(c echo.Context, s *archive.Shard) (shards.Row, error) {
	q := query{}
	for _, f := range s.Key {
		if text := c.QueryParam(f.Name); text != "" {
			q[f.Name] = text
		}
	}
	return q.row(s.Key)
}

// dataFilter is keyFilter for the fields of the data that can be compared.
func dataFilter(c echo.Context, s *archive.Shard) (shards.Row, error) {
	q, fields := query{}, dataFields(s)
	for _, f := range fields {
		if text := c.QueryParam(f.Name); text != "" {
			q[f.Name] = text
		}
	}
	return q.row(fields)
}

// dataFields are those of the data that a page's filter has: some names mean something else there.
func dataFields(s *archive.Shard) []shards.Field {
	return slices.DeleteFunc(slices.Clone(s.Data), func(f shards.Field) bool {
		return f.Document() || slices.Contains([]string{"at", "cursor", "known_at"}, f.Name)
	})
}

// keyQuery is a key as an address says it.
func keyQuery(s *archive.Shard, key shards.Row) url.Values {
	q := url.Values{}
	for _, f := range s.Key {
		if v, ok := key[f.Name]; ok {
			q.Set(f.Name, valueText(v))
		}
	}
	return q
}

// filterQuery is a filter as an address says it.
func filterQuery(s *archive.Shard, q archive.Query) url.Values {
	out := keyQuery(s, q.Key)
	for name, v := range q.Data {
		out.Set(name, valueText(v))
	}
	return out
}

// maxShown is how much of a document pages show; CSV and JSON have all of it.
const maxShown = 60

// valueText is a value of a row as pages show it; "" for null.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case shards.List:
		return listText(v)
	case interface{ MarshalJSON() ([]byte, error) }:
		text, _ := v.MarshalJSON() // It came from the database as JSON.
		if len(text) > maxShown {
			return strings.ToValidUTF8(string(text[:maxShown]), "") + "…"
		}
		return string(text)
	}
	return fmt.Sprint(v)
}

// mistakeOf is what was wrong with what an address asks for; "" where err is
// something else.
func mistakeOf(err error) string {
	if input, ok := errors.AsType[*shards.InputError](err); ok {
		return web.Sentence(input.Field + " " + input.Message)
	}
	for _, words := range web.FieldErrors(err) {
		return words
	}
	return ""
}

// Show is the rows of a shard at an instant: /archive/NAME?at=&<key fields>.
func (h *Handlers) Show(c echo.Context) error {
	s, err := h.shard(c)
	if err != nil {
		return err
	}
	if gone, err := moved(c, s); gone {
		return err
	}
	zone := h.ViewerZone(c)
	now := h.Now().In(zone)
	p := views.Shard{Frame: h.Frame(c, shardTitle(s)), Now: now, At: now, Name: s.Name, Title: shardTitle(s), Archive: "/archive",
		Path: shardBase(s), Declared: declared(s), Fields: names(s.Data)}
	for _, f := range s.Key {
		p.Filter = append(p.Filter, views.ShardField{Name: f.Name, Type: f.Type, Value: c.QueryParam(f.Name)})
	}
	for _, f := range dataFields(s) {
		p.Data = append(p.Data, views.ShardField{Name: f.Name, Type: f.Type, Value: c.QueryParam(f.Name)})
	}
	p.Steps = views.Steps{Base: shardBase(s), At: p.At, Now: now}
	at, err := h.InstantParam(c, "at", zone)
	answered := false
	if err == nil {
		p.At, p.Steps.At, p.Coming = at.Truncate(time.Microsecond), at, at.After(h.Now()) // Without a time, at is later than now.
		answered, err = h.fillShard(c, s, &p)
	}
	if answered {
		return err
	}
	if words := mistakeOf(err); words != "" {
		p.Mistake = words
		return web.Render(c, http.StatusUnprocessableEntity, views.ShardPage(p))
	}
	if err == nil {
		err = h.fillVersions(c, s, &p)
	}
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.ShardPage(p))
}

// fillShard reads the rows, or leads to those of another time where the request asks for it.
func (h *Handlers) fillShard(c echo.Context, s *archive.Shard, p *views.Shard) (answered bool, err error) {
	filter, list, err := pageFilter(c, s)
	if err != nil {
		return false, err
	}
	m := h.shardMementos(shardBase(s), s, filter)
	if answered, err := m.gate(c); answered || err != nil {
		return answered, err
	}
	if filter.Known, err = h.knownAt(c.QueryParam("known_at")); err != nil {
		return false, err
	}
	rows, err := h.shardRows(c, s, filter, p)
	if err != nil {
		return false, err
	}
	q := filterQuery(s, filter)
	if p.Set, err = h.setAside(c, s, filter.Key, p.Now); err != nil {
		return false, err
	}
	p.Believed = believed(filter.Known, p.Now, web.AtAddress(web.WithQuery(shardBase(s), q), p.At), q)
	p.Steps.Base = web.WithQuery(shardBase(s), q)
	here := web.AtAddress(p.Steps.Base, p.At)
	if filter.After != nil { // The way back leads to the first.
		p.Newer = here
	}
	if len(rows) > shardRowsShown {
		rows = rows[:shardRowsShown]
		p.Older = here + "&cursor=" + web.EncodeCursor(list, rows[shardRowsShown-1].Key)
	}
	m.set(c, rows, p.At)
	if len(rows) == 0 && filter.After == nil && p.Without == nil {
		if err := h.fillEmpty(c, s, p); err != nil {
			return false, err
		}
	}
	next, err := h.nextRows(c, s, rows, p)
	if err != nil {
		return false, err
	}
	for i := range rows {
		p.Rows = append(p.Rows, shardRow(s, &rows[i], next, p))
		stepsAround(&p.Steps, &rows[i])
	}
	api := "/api/v1" + shardBase(s)
	at := web.AtAddress(web.WithQuery(api, q), p.At)
	p.Exports = views.Exports{CSV: at + "&format=csv", JSON: at + "&limit=500", TimeMap: m.links().TimeMap,
		Atom: web.WithQuery(api+"/changes", withFormat(keyQuery(s, filter.Key), "atom"))}
	p.Compare = web.WithQuery(shardBase(s)+"/diff", withFrom(keyQuery(s, filter.Key), p.At, p.Now))
	return false, nil
}

// pageFilter reads which rows a page shows, and what its cursors are of.
func pageFilter(c echo.Context, s *archive.Shard) (q archive.Query, list string, err error) {
	q.Limit = shardRowsShown + 1
	if q.Key, err = keyFilter(c, s); err != nil {
		return q, "", err
	}
	if q.Data, err = dataFilter(c, s); err != nil {
		return q, "", err
	}
	list = fmt.Sprint("page ", s.Name, " ", rowName(q.Key))
	if len(q.Data) > 0 {
		list += " " + rowName(q.Data)
	}
	return q, list, web.DecodeCursor(c.QueryParam("cursor"), list, &q.After)
}

func withFormat(q url.Values, format string) url.Values {
	q.Set("format", format)
	return q
}

// withFrom compares an instant with now, and now with a day ago.
func withFrom(q url.Values, at, now time.Time) url.Values {
	if at.Before(now) {
		q.Set("from", at.UTC().Format(time.RFC3339Nano))
	}
	return q
}

// fillEmpty says whether the shard has no row at all, and shows an admin how to add one.
func (h *Handlers) fillEmpty(c echo.Context, s *archive.Shard, p *views.Shard) (err error) {
	p.Empty, err = modelhistory.ShardEmpty(c.Request().Context(), h.DB.DB, s)
	if v := h.Viewer(c); p.Empty && p.Declared && v != nil && v.Role == members.RoleAdmin {
		p.Example = h.pushExample(s, h.Now())
	}
	return err
}
