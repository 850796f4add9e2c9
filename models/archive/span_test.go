package archive_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel/models/archive"
	"laurel/models/modelstest"
)

// What is read around an instant is what the whole history says of that time:
// the same rows, and of whole keys their neighbours.
func TestAroundIsAPartOfTheHistory(t *testing.T) {
	histories(t, 40)
	tx := modelstest.Tx(t)
	s := propertyShard(t, tx)
	rapid.Check(t, func(rt *rapid.T) {
		responses := history(rt, s, false)
		from := rapid.IntRange(0, 12).Draw(rt, "from")
		until := from + rapid.IntRange(1, 6).Draw(rt, "length")
		at := minute(from)
		if err := tx.SavePoint("before").Error; err != nil {
			rt.Fatal(err)
		}
		defer tx.RollbackTo("before")
		if _, err := archive.StoreAll(t.Context(), tx, responses, later); err != nil {
			rt.Fatal(err)
		}
		for _, g := range []string{"x", "y"} {
			some := archive.Wanted{Shard: s, Keys: []row{{"g": g}}}
			whole := archive.Wanted{Shard: s, Keys: []row{{"g": g, "k": 0}, {"g": g, "k": 1}, {"g": g, "k": 2}}}
			got, err := archive.Around(t.Context(), tx, []archive.Wanted{some, whole}, at, minute(from), minute(until))
			if err != nil {
				rt.Fatal(err)
			}
			all, err := archive.History(t.Context(), tx, s, archive.Query{Key: row{"g": g}})
			if err != nil {
				rt.Fatal(err)
			}
			mustBe(rt, "of some fields", shapes(got[0], from, until), shapes(within(all, from, until, false), from, until))
			mustBe(rt, "of whole keys", shapes(got[1], from, until), shapes(within(all, from, until, true), from, until))
		}
	})
}

// within picks the rows of a time, with the neighbours of each key.
func within(all []archive.Snapshot, from, until int, neighbours bool) (out []archive.Snapshot) {
	before := map[any]archive.Snapshot{}
	after := map[any]archive.Snapshot{}
	for _, r := range all {
		k := r.Key["k"]
		switch {
		case r.ValidUntil != nil && !r.ValidUntil.After(minute(from)):
			if b, ok := before[k]; !ok || b.ValidFrom.Before(r.ValidFrom) {
				before[k] = r
			}
		case !r.ValidFrom.Before(minute(until)):
			if r.ValidUntil == nil { // The open row is always told.
				after[[2]any{k, "open"}] = r
			} else if a, ok := after[k]; !ok || r.ValidFrom.Before(a.ValidFrom) {
				after[k] = r
			}
		default:
			out = append(out, r)
		}
	}
	if !neighbours {
		return out
	}
	for k, b := range before {
		// The one before is only searched for where none begins before the time and reaches into it.
		if !slices.ContainsFunc(out, func(r archive.Snapshot) bool {
			return r.Key["k"] == k && r.ValidUntil != nil && r.ValidFrom.Before(minute(from))
		}) {
			out = append(out, b)
		}
	}
	for _, a := range after {
		out = append(out, a)
	}
	return out
}

// shapes are rows as text, with the instants of a time only.
func shapes(rows []archive.Snapshot, from, until int) (out []string) {
	for _, r := range rows {
		r.Retrieved = slices.DeleteFunc(slices.Clone(r.Retrieved), func(t time.Time) bool { return t.Before(minute(from)) || t.After(minute(until)) })
		r.SeenBefore, r.SeenAfter = nil, nil
		out = append(out, text(r))
	}
	slices.Sort(out)
	return out
}
