package archive

import (
	"errors"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	modelhistory "laurel/models/history"
	views "laurel/views/archive"
)

// nextRows finds what rows that were found changed changed to, by their keys.
func (h *Handlers) nextRows(c echo.Context, s *archive.Shard, rows []archive.Snapshot, p *views.Shard) (
	map[string]*archive.Snapshot, error) {
	at := p.At
	if !p.Believed.Known.IsZero() { // What came next was another thing then.
		return nil, nil
	}
	w := archive.Wanted{Shard: s}
	for _, r := range rows {
		if r.EndReason == shards.Changed {
			w.Keys = append(w.Keys, r.Key)
		}
	}
	found, err := archive.Around(c.Request().Context(), h.DB.DB, []archive.Wanted{w}, at, at, at.Add(time.Microsecond))
	if err != nil {
		return nil, err
	}
	next := map[string]*archive.Snapshot{}
	for i := range found[0] {
		r := &found[0][i]
		if name := rowName(r.Key); r.ValidFrom.After(at) && next[name] == nil {
			next[name] = r
		}
	}
	return next, nil
}

// shardRows are the rows valid at the page's instant. Where they are those of one
// whole key, the page also learns what was before and what comes later.
func (h *Handlers) shardRows(c echo.Context, s *archive.Shard, q archive.Query, p *views.Shard) ([]archive.Snapshot, error) {
	ctx := c.Request().Context()
	if p.Whole = len(q.Key) == len(s.Key) && len(q.Data) == 0; !p.Whole || !q.Known.IsZero() {
		return archive.At(ctx, h.DB.DB, s, q, p.At)
	}
	found, err := archive.Around(ctx, h.DB.DB, []archive.Wanted{{Shard: s, Keys: []shards.Row{q.Key}}}, p.At, p.At,
		p.At.Add(time.Microsecond))
	if _, wrong := errors.AsType[*shards.InputError](err); wrong { // Said as of any other filter.
		return archive.At(ctx, h.DB.DB, s, q, p.At)
	}
	if err != nil {
		return nil, err
	}
	if ok, err := archive.Visible(ctx, h.DB.DB, s, q.Key); err != nil || !ok {
		return nil, err
	}
	var valid []archive.Snapshot
	for i := range found[0] {
		r := &found[0][i]
		stepsAround(&p.Steps, r)
		if !r.ValidFrom.After(p.At) && (r.ValidUntil == nil || r.ValidUntil.After(p.At)) {
			valid = append(valid, *r)
		}
	}
	if len(valid) == 0 && len(found[0]) > 0 {
		p.Without = new(rowWithout(s, found[0], p))
	}
	return valid, nil
}

// rowWithout is what is known at an instant of a key that has no row then: its
// last row before, or when it was first seen.
func rowWithout(s *archive.Shard, rows []archive.Snapshot, p *views.Shard) views.ShardRow {
	at := p.At
	var before, after *archive.Snapshot
	for i := range rows { // The oldest come first.
		if r := &rows[i]; !r.ValidFrom.After(at) {
			before = r
		} else if after == nil {
			after = r
		}
	}
	if before == nil {
		row := shardRow(s, after, nil, p)
		row.Values, row.From = make([]string, len(s.Data)), time.Time{}
		row.Certainty = views.Certainty{Class: web.CertaintyWords[modelhistory.ClassNever], FirstSeen: after.ValidFrom}
		return row
	}
	row := shardRow(s, before, nil, p)
	row.Certainty.Class = web.CertaintyWords[modelhistory.CertaintyOf(nil, before, at)]
	if after != nil {
		row.Again = after.ValidFrom
	}
	return row
}

func shardRow(s *archive.Shard, r *archive.Snapshot, next map[string]*archive.Snapshot, p *views.Shard) views.ShardRow {
	row := views.ShardRow{
		From: r.ValidFrom, Timeline: shardBase(s) + "/history?" + keyQuery(s, r.Key).Encode(), Values: rowValues(s, r),
		Certainty: views.Certainty{Class: web.CertaintyWords[certainty(r, p.At, p.Now)],
			SeenBefore: web.Deref(r.SeenBefore), SeenAfter: web.Deref(r.SeenAfter), Ended: web.Deref(r.ValidUntil), Reason: r.EndReason},
	}
	for _, f := range s.Key {
		row.Key = append(row.Key, valueText(r.Key[f.Name]))
	}
	if n := next[rowName(r.Key)]; n != nil && r.EndReason == shards.Changed {
		row.Next = changedTo(s, r, n)
	}
	return row
}

func rowValues(s *archive.Shard, r *archive.Snapshot) []string {
	values := make([]string, len(s.Data))
	for i, f := range s.Data {
		values[i] = fieldText(s, r.Data, f.Name)
	}
	return values
}

// fieldText is the value of a data field as pages show it; of one that was added later also that nobody asked for it yet.
func fieldText(s *archive.Shard, data map[string]any, name string) string {
	v, has := data[name]
	if at, added := s.Since[name]; added && !has {
		return "not asked before " + at.Format("2 Jan 2006")
	}
	return valueText(v)
}

// changedTo names the values that became others: "rank 3, score 4500".
func changedTo(s *archive.Shard, from, to *archive.Snapshot) string {
	var parts []string
	old, values := rowValues(s, from), rowValues(s, to)
	for i, f := range s.Data {
		if old[i] == values[i] {
			continue
		}
		value := values[i]
		if value == "" {
			value = "empty"
		}
		parts = append(parts, f.Name+" "+value)
	}
	return strings.Join(parts, ", ")
}

// stepsAround takes into account the checks and changes of one more of the rows shown.
func stepsAround(s *views.Steps, r *archive.Snapshot) {
	earlier := func(into *time.Time, t time.Time) {
		if t.Before(s.At) && t.After(*into) {
			*into = t
		}
	}
	later := func(into *time.Time, t time.Time) {
		if t.After(s.At) && (into.IsZero() || t.Before(*into)) {
			*into = t
		}
	}
	changes := []time.Time{r.ValidFrom}
	if r.ValidUntil != nil {
		changes = append(changes, *r.ValidUntil)
	}
	for _, t := range changes {
		earlier(&s.PrevChange, t)
		later(&s.NextChange, t)
	}
	for _, t := range append(changes, r.Retrieved...) { // A change was seen by a check, too.
		earlier(&s.PrevCheck, t)
		later(&s.NextCheck, t)
	}
}
