package archive_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// In parts of any size a list is the same as at once: open rows, past ones, and
// keys that had both or neither at the instant.
func TestListsGoOnBehindARow(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "s", Key: fields("a integer, b text, c timestamp, d number"), Data: fields("v integer"), Scope: []string{"b"}})
	for m := range 6 {
		var rows []row
		for i := range 24 {
			if (i+m)%5 != 0 { // Many are removed and come back.
				rows = append(rows, row{"a": i % 3, "b": fmt.Sprint("é", i%2), "c": minute(i % 4), "d": float64(i%5) / 2, "v": i * (m / 2)})
			}
		}
		store(t, db, archive.Response{Address: "page", At: minute(m), Shards: map[string][]row{"s": rows}, Complete: map[string][]row{"s": {{"b": "é0"}, {"b": "é1"}}}})
	}
	for _, key := range []row{{}, {"a": 1}, {"b": "é1"}, {"c": minute(2)}, {"a": 2, "d": 0.5}, {"a": 1, "b": "é1", "c": minute(1), "d": 0.0}} {
		reads := map[string]func(archive.Query) ([]archive.Snapshot, error){
			"history": func(q archive.Query) ([]archive.Snapshot, error) { return archive.History(t.Context(), db, s, q) },
		}
		for m := -1; m < 7; m++ {
			reads[fmt.Sprint("at ", m)] = func(q archive.Query) ([]archive.Snapshot, error) { return archive.At(t.Context(), db, s, q, minute(m)) }
		}
		for name, read := range reads {
			whole, err := read(archive.Query{Key: key})
			if err != nil {
				t.Fatal(err)
			}
			for limit := 1; limit < 8; limit += 2 {
				got, err := inParts(read, archive.Query{Key: key, Limit: limit})
				if err != nil || !slices.Equal(texts(got), texts(whole)) {
					t.Errorf("%s of %v in parts of %d: %v\n%q, want\n%q", name, key, limit, err, texts(got), texts(whole))
				}
			}
		}
	}
	for name, after := range map[string]row{"a": {"b": "", "c": later, "d": 1}, "b": {"a": 1, "b": 1, "c": later, "d": 1}, "d": {"a": 1, "b": "", "c": later, "d": nil}} {
		if _, err := archive.At(t.Context(), db, s, archive.Query{After: after}, later); err == nil {
			t.Errorf("behind a key whose field %s is wrong: no error", name)
		}
	}
}

// inParts reads a list to its end, and goes on behind the last row of each part.
func inParts(read func(archive.Query) ([]archive.Snapshot, error), q archive.Query) (all []archive.Snapshot, err error) {
	for {
		rows, err := read(q)
		if err != nil || len(rows) == 0 {
			return all, err
		}
		all = append(all, rows...)
		last := rows[len(rows)-1]
		q.After, q.From = last.Key, last.ValidFrom
	}
}

func texts(rows []archive.Snapshot) (out []string) {
	for _, r := range rows {
		text, _ := json.Marshal(r)
		out = append(out, string(text))
	}
	return out
}

// A list is read to its end also where it is longer than a part can be.
func TestLongListsAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	const n = 24_000
	for m := range 2 { // Of three keys one is seen once, and the others change.
		var rows []row
		for i := range n {
			if m == 0 || i%3 > 0 {
				rows = append(rows, row{"k": i, "v": m})
			}
		}
		at(t, db, s, "page", m, rows...)
	}
	for _, m := range []int{0, 1} {
		got, err := inParts(func(q archive.Query) ([]archive.Snapshot, error) {
			return archive.At(t.Context(), db, s, q, minute(m))
		}, archive.Query{Limit: 1000})
		if err != nil || len(got) != n || got[n-1].Key["k"] != int64(n-1) || got[n-2].Data["v"] != int64(m) {
			t.Fatalf("%d rows, %v; want %d", len(got), err, n)
		}
	}
	if rows, err := archive.At(t.Context(), db, s, archive.Query{Limit: 10_001}, later); err != nil || len(rows) != 10_001 {
		t.Errorf("%d rows, %v; want one more than a part has", len(rows), err)
	}
}
