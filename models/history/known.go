package history

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/submissions"
)

// wanted are keys of a shard by its name.
type wanted struct {
	shard string
	keys  []shards.Row
}

// read returns what is known of each key, in the order asked for. Keys of which
// nothing was ever seen are left out.
func (h *History) read(ctx context.Context, db *gorm.DB, want []wanted) ([]Known, error) {
	ws := make([]archive.Wanted, len(want))
	for i, w := range want {
		s, err := archive.Lookup(ctx, db, w.shard)
		if err != nil {
			return nil, err
		}
		ws[i] = archive.Wanted{Shard: s, Keys: w.keys}
	}
	found, err := archive.Around(ctx, db, ws, h.At, h.From, h.Until)
	if err != nil {
		return nil, err
	}
	var out []Known
	for i, w := range ws {
		for _, key := range w.Keys {
			k := Known{Shard: w.Shard, Source: OwnSource}
			if site, ok := key["site"].(string); ok {
				k.Source = site
			}
			k.Handle, _ = key["handle"].(string)
			for _, row := range found[i] {
				if hasKey(row, key) {
					k.Rows = append(k.Rows, row)
				}
			}
			if k.place(h.At); len(k.Rows) > 0 {
				out = append(out, k)
			}
		}
	}
	return out, nil
}

// hasKey says whether a row has the fields of a key, which may be some of all.
func hasKey(row archive.Snapshot, key shards.Row) bool {
	for field, value := range key {
		if row.Key[field] != value {
			return false
		}
	}
	return true
}

// place finds the rows around an instant.
func (k *Known) place(t time.Time) {
	for i := range k.Rows {
		r := &k.Rows[i]
		switch {
		case r.ValidFrom.After(t):
			if k.Next == nil {
				k.Next = r
			}
		case r.ValidUntil == nil || r.ValidUntil.After(t):
			k.Valid = r
		default:
			k.Before = r
		}
	}
}

// contestsAt are the contests that were known at an instant, oldest first.
func contestsAt(rows []archive.Snapshot, t time.Time) (out []submissions.RatingFound) {
	for _, r := range rows {
		if r.ValidFrom.After(t) || r.ValidUntil != nil && !r.ValidUntil.After(t) {
			continue
		}
		d := figures(r.Data)
		contest, _ := r.Key["contest"].(string)
		rf := submissions.RatingFound{Contest: contest, Name: d.text("name"), URL: d.text("url"), Rank: d.integer("rank"),
			Rating: d.integer("rating")}
		if at := d.time("rated_at"); at != nil {
			rf.At = *at
		}
		out = append(out, rf)
	}
	slices.SortFunc(out, func(a, b submissions.RatingFound) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Contest, b.Contest))
	})
	return out
}

// figures are the data of a row, read by type.
type figures map[string]any

func (f figures) integer(name string) int {
	n, _ := f[name].(int64)
	return int(n)
}

func (f figures) text(name string) string {
	s, _ := f[name].(string)
	return s
}

func (f figures) time(name string) *time.Time {
	if t, ok := f[name].(time.Time); ok {
		return &t
	}
	return nil
}

func (f figures) day(name string) *time.Time {
	if t, err := time.Parse(time.DateOnly, f.text(name)); err == nil {
		return &t
	}
	return nil
}
