package archive_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"gorm.io/gorm"
	"pgregory.net/rapid"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// differences are told by brute force: each key's valid row at both minutes, out of the fold.
func differences(s *archive.Shard, spans []shards.Span, from, until int) (out []string) {
	valid := func(m int) map[string]archive.Snapshot {
		rows := map[string]archive.Snapshot{}
		for _, p := range spans {
			if !p.From.After(minute(m)) && (p.Until.IsZero() || p.Until.After(minute(m))) {
				r := s.Snapshot(p)
				rows[fmt.Sprint(r.Key["g"], " ", r.Key["k"])] = r
			}
		}
		return rows
	}
	before, after := valid(from), valid(until)
	for _, g := range []string{"x", "y"} {
		for k := range 3 {
			key := fmt.Sprint(g, " ", k)
			a, had := before[key]
			b, has := after[key]
			switch {
			case had && has && !reflect.DeepEqual(a.Data, b.Data):
				out = append(out, fmt.Sprint(key, ": ", a.Data, " to ", b.Data))
			case had && !has:
				out = append(out, fmt.Sprint(key, ": ", a.Data, " gone"))
			case has && !had:
				out = append(out, fmt.Sprint(key, ": ", b.Data, " new"))
			}
		}
	}
	return out
}

func told(d archive.Difference) string {
	key := fmt.Sprint(d.Key["g"], " ", d.Key["k"])
	switch {
	case d.After == nil:
		return fmt.Sprint(key, ": ", d.Before.Data, " gone")
	case d.Before == nil:
		return fmt.Sprint(key, ": ", d.After.Data, " new")
	}
	for name := range d.Before.Data {
		if slices.Contains(d.Fields, name) == reflect.DeepEqual(d.Before.Data[name], d.After.Data[name]) {
			return "the fields that differ are not " + fmt.Sprint(d.Fields)
		}
	}
	return fmt.Sprint(key, ": ", d.Before.Data, " to ", d.After.Data)
}

func folded(t *testing.T, db *gorm.DB, responses []archive.Response) []shards.Span {
	var seen []shards.Observation
	var endings []shards.Ending
	for _, r := range responses {
		o, e, err := archive.Observations(t.Context(), db, r, later)
		if err != nil {
			t.Fatal(err)
		}
		seen, endings = append(seen, o...), append(endings, e...)
	}
	spans, _ := shards.Fold(seen, endings)
	return spans
}

// Any two instants of any history, in parts of two and at once.
func TestDiffIsWhatBruteForceSays(t *testing.T) {
	histories(t, 10)
	db := modelstest.Tx(t)
	s := propertyShard(t, db)
	rapid.Check(t, func(rt *rapid.T) {
		responses := history(rt, s, false)
		spans := folded(t, db, responses)
		db.SavePoint("history")
		defer db.RollbackTo("history")
		if _, err := archive.StoreAll(t.Context(), db, responses, later); err != nil {
			rt.Fatal(err)
		}
		for from := -1; from < 14; from += 2 {
			for until := from; until < 14; until += 3 {
				var got []string
				q := archive.Query{Limit: 2}
				for {
					some, err := archive.Diff(t.Context(), db, s, q, minute(from), minute(until))
					if err != nil {
						rt.Fatal(err)
					}
					for _, d := range some {
						got = append(got, told(d))
					}
					if len(some) < 2 {
						break
					}
					q.After = some[1].Key
				}
				mustBe(rt, fmt.Sprint("from ", from, " until ", until), got, differences(s, spans, from, until))
			}
		}
	})
	if _, err := archive.Diff(t.Context(), db, s, archive.Query{}, minute(2), minute(1)); err == nil {
		t.Error("the later instant first: no error")
	}
}

// Filters on data and time choose the rows that brute force chooses.
func TestFiltersAreWhatBruteForceSays(t *testing.T) {
	histories(t, 10)
	db := modelstest.Tx(t)
	s := propertyShard(t, db)
	rapid.Check(t, func(rt *rapid.T) {
		responses := history(rt, s, false)
		spans := folded(t, db, responses)
		db.SavePoint("history")
		defer db.RollbackTo("history")
		if _, err := archive.StoreAll(t.Context(), db, responses, later); err != nil {
			rt.Fatal(err)
		}
		since := rapid.IntRange(-1, 13).Draw(rt, "since")
		until := since + rapid.IntRange(1, 6).Draw(rt, "minutes")
		for _, data := range []row{{}, {"u": 1}, {"u": nil}, {"d": "1"}, {"d": nil, "u": 2}} {
			var inTime, valid []string
			for _, p := range spans {
				r := s.Snapshot(p)
				has := true
				for name, v := range data {
					has = has && fmt.Sprint(r.Data[name]) == fmt.Sprint(v)
				}
				if has && p.From.Before(minute(until)) && (p.Until.IsZero() || p.Until.After(minute(since))) {
					inTime = append(inTime, text(r))
				}
				if has && !p.From.After(minute(since)) && (p.Until.IsZero() || p.Until.After(minute(since))) {
					valid = append(valid, fmt.Sprint(r.Key, r.Data))
				}
			}
			rows, err := archive.History(t.Context(), db, s, archive.Query{Data: data, Since: minute(since), Until: minute(until)})
			if err != nil {
				rt.Fatal(err)
			}
			got := texts(rows)
			for i := range got {
				got[i] = text(rows[i])
			}
			slices.Sort(got)
			slices.Sort(inTime)
			mustBe(rt, fmt.Sprint(data, " since ", since, " until ", until), got, inTime)
			rows, err = archive.At(t.Context(), db, s, archive.Query{Data: data}, minute(since))
			if err != nil {
				rt.Fatal(err)
			}
			known, err := archive.At(t.Context(), db, s, archive.Query{Data: data, Known: later.AddDate(1, 0, 0)}, minute(since))
			if err != nil {
				rt.Fatal(err)
			}
			if len(known) != len(rows) {
				rt.Fatalf("%v at %d: %d rows as they are known now, want %d", data, since, len(known), len(rows))
			}
			got = nil
			for _, r := range rows {
				got = append(got, fmt.Sprint(r.Key, r.Data))
			}
			slices.Sort(got)
			slices.Sort(valid)
			mustBe(rt, fmt.Sprint(data, " at ", since), got, valid)
		}
	})
}

// Who follows the feed from its cursor, keeps rows by key and beginning and removes what is gone
// has the archive, in whatever order responses come.
func TestFeedGivesTheArchive(t *testing.T) {
	histories(t, 8)
	db := modelstest.DB(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		s := declareShard(t, db, shards.Declaration{Name: fmt.Sprint("p", n), Key: fields("g text, k integer"), Data: fields("u integer, d text"),
			Unique: [][]string{{"g", "u"}, {"d"}}, Scope: []string{"g"}})
		var place archive.Place
		copied := map[string]archive.Change{}
		for _, r := range history(rt, s, false) {
			if _, err := archive.Store(t.Context(), db, r, later); err != nil {
				rt.Fatal(err)
			}
			for {
				some, err := archive.Changes(t.Context(), db, s, archive.Query{Limit: 2}, place)
				if err != nil {
					rt.Fatal(err)
				}
				for _, c := range some {
					key := fmt.Sprint(c.Key, c.ValidFrom)
					if copied[key] = c; c.Gone {
						delete(copied, key)
					}
					place = c.Place
				}
				if len(some) == 0 {
					break
				}
			}
			rows, err := archive.History(t.Context(), db, s, archive.Query{})
			if err != nil {
				rt.Fatal(err)
			}
			mustBe(rt, "the copy", periods(slices.Collect(maps.Values(copied))), periods(changesOf(rows)))
		}
	})
	place := archive.Place{Tx: "9000000000000000000"}
	if _, err := archive.Changes(t.Context(), db, archive.BuiltIn()[0], archive.Query{}, place); err == nil {
		t.Error("a cursor from the future: no error")
	}
}

func changesOf(rows []archive.Snapshot) (out []archive.Change) {
	for _, r := range rows {
		out = append(out, archive.Change{Snapshot: r})
	}
	return out
}

// periods tells rows without what sightings add to them later.
func periods(rows []archive.Change) (out []string) {
	for _, r := range rows {
		r.Retrieved, r.SeenBefore, r.SeenAfter = nil, nil, nil
		out = append(out, text(r.Snapshot))
	}
	slices.Sort(out)
	return out
}
