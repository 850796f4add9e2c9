package archive_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

func listed(items ...any) []any { return append([]any{}, items...) }

func cut(size int, items ...any) map[string]any {
	return map[string]any{"items": listed(items...), "size": size}
}

// A list is read as it was shown: empty, cut, whole and null are four things, however they are read; an equal one is the same.
func TestListsOfDeclaredShards(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "topics", Key: fields("k integer"), Data: fields("n integer, l list")})
	for n, l := range []any{listed(), cut(3), cut(3, "a"), listed("a", json.Number("1.0")), listed("a", 1), map[string]any{"items": listed("a", 1), "size": 2}, nil} {
		at(t, db, s, "p", n, row{"k": 1, "n": 0, "l": l})
	}
	want := `
		{"l":{"id":"ID","size":0,"complete":true,"items":[]},"n":0}
		{"l":{"id":"ID","size":3,"complete":false,"items":[]},"n":0}
		{"l":{"id":"ID","size":3,"complete":false,"items":["a"]},"n":0}
		{"l":{"id":"ID","size":2,"complete":true,"items":["a",1]},"n":0}
		{"l":null,"n":0}`
	withoutIDs := func(q archive.Query) (out []string) {
		for _, text := range data(t, db, s, q) {
			if before, rest, ok := strings.Cut(text, `"id":"`); ok {
				text = before + `"id":"ID` + rest[32:]
			}
			out = append(out, text)
		}
		return out
	}
	same(t, withoutIDs(archive.Query{}), want)
	same(t, withoutIDs(archive.Query{Known: later}), want)
	var inSQL []string
	err := db.Raw(`SELECT coalesce(size || ' ' || complete || ' ' || CAST(items AS text), 'null') FROM archive_views.topics t
		LEFT JOIN archive_views._lists l ON l.id = t.l ORDER BY lower(period)`).Scan(&inSQL).Error
	if got, want := strings.Join(inSQL, "; "), `0 true []; 3 false []; 3 false ["a"]; 2 true ["a", 1]; null`; err != nil || got != want {
		t.Errorf("in SQL %s, %v; want %s", got, err, want)
	}
	diff, err := archive.Diff(t.Context(), db, s, archive.Query{}, minute(2), minute(3))
	if err != nil || len(diff) != 1 || strings.Join(diff[0].Fields, " ") != "l" {
		t.Fatalf("%+v, %v", diff, err)
	}
	added, removed := diff[0].After.Data["l"].(shards.List).Changes(diff[0].Before.Data["l"].(shards.List))
	if text, _ := json.Marshal([]any{added, removed}); string(text) != `[[1],null]` {
		t.Errorf("added and removed: %s", text)
	}
	sound(t, db)
}

// What is no list is refused with the field and the row, and nothing is stored.
func TestWhatIsNoList(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "topics", Key: fields("k integer"), Data: fields("l list")})
	for says, l := range map[string]any{
		"must be a list":          strings.Repeat("a", 32),
		"needs size":              map[string]any{"items": listed("a")},
		"is less than the":        cut(0, "a"),
		"is complete if":          map[string]any{"items": listed("a"), "size": 3, "complete": true},
		`has "sizes"`:             map[string]any{"items": listed("a"), "sizes": 3},
		"size: how many items":    map[string]any{"items": listed("a"), "size": 1 << 40},
		"U+0000":                  listed("a\x00"),
		`{"items": [...], "size"`: map[string]any{"size": 3},
	} {
		_, err := archive.Store(t.Context(), db, archive.Response{Source: "test", At: minute(0),
			Shards: map[string][]row{s.Name: {{"k": 1, "l": nil}, {"k": 2, "l": l}}}}, later)
		if input, ok := errors.AsType[*shards.InputError](err); !ok || input.Row != 1 || input.Field != "l" || !strings.Contains(input.Message, says) {
			t.Errorf("%v is refused as %v, want: %s", l, err, says)
		}
	}
	for field, d := range map[string]shards.Declaration{
		"l": {Name: "x", Key: fields("l list")},
		"m": {Name: "x", Key: fields("k integer"), Data: fields("m list"), Unique: [][]string{{"m"}}},
	} {
		if _, err := archive.Declare(t.Context(), db, d, later); err == nil || !strings.Contains(err.Error(), "list") {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := archive.History(t.Context(), db, s, archive.Query{Data: row{"l": listed()}})
	if _, ok := errors.AsType[*shards.InputError](err); !ok {
		t.Errorf("filtered by a list: %v", err)
	}
	if n := len(data(t, db, s, archive.Query{})); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// A list that was changed or lost is found, also what gave way and what was superseded has its lists, and a field can be added.
func TestListsAreProvedAndCorrected(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "topics", Key: fields("k integer"), Data: fields("l list")})
	first := at(t, db, s, "p", 0, row{"k": 1, "l": listed("a", "b")})
	res := store(t, db, archive.Response{Address: "p", At: minute(0), Supersedes: first.Retrieval, Shards: map[string][]row{s.Name: {{"k": 1, "l": cut(9, "a")}}}})
	if l, ok := res.SetAside[0].Data["l"].(shards.List); !ok || len(l.Items) != 2 {
		t.Errorf("the answer has %+v", res.SetAside)
	}
	aside, err := archive.SetAsideOf(t.Context(), db, s, archive.Query{})
	if l, ok := aside[0].Data["l"].(shards.List); err != nil || !ok || !l.Complete {
		t.Errorf("set aside: %+v, %v", aside, err)
	}
	s = mustEvolve(t, db, s, 10, addField("more", "list"))
	at(t, db, s, "p", 11, row{"k": 1, "l": cut(9, "a"), "more": listed("a", "b")})
	sound(t, db)
	for _, corrupt := range []string{`UPDATE archive_lists SET items = '["a", "c"]' WHERE size = 2`, `DELETE FROM archive_lists WHERE size = 9`} {
		if err := db.Exec(corrupt).Error; err != nil {
			t.Fatal(err)
		}
		found, err := archive.Check(t.Context(), db)
		if err != nil || found.Total == 0 || found.Findings[0].Kind != archive.KindList {
			t.Errorf("%s: %+v, %v", corrupt, found.Findings, err)
		}
	}
	if rows := data(t, db, s, archive.Query{}); len(rows) != 2 || strings.Contains(rows[0], "items") {
		t.Errorf("rows with a list that is lost: %v", rows)
	}
}
