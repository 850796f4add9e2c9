package archive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// A page that shows what it showed before is one row of the log and its sum, until a row
// of it has changed elsewhere.
func TestUnchangedPageCostsOneRow(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	tuples := func() (n int) {
		db.Raw(`SELECT sum(pg_stat_get_xact_tuples_updated(c) + pg_stat_get_xact_tuples_inserted(c)) FROM (
			SELECT oid AS c FROM pg_class WHERE relkind = 'r' AND (relname LIKE 'archive%' OR relname LIKE 'shard%')) t`).Scan(&n)
		return n
	}
	a := row{"player_id": 1, "rank": 1, "score": 10}
	b := row{"player_id": 2, "rank": 2, "score": 20}
	at(t, db, s, "p", 0, a, b)
	before := tuples()
	if res := at(t, db, s, "p", 5, b, a); !res.Unchanged || res.Confirmed != 2 {
		t.Errorf("result %+v, want unchanged", res)
	}
	if n := tuples() - before; n != 2 {
		t.Errorf("an unchanged page wrote %d rows, want 2: the line of the log, and the sum of all of them", n)
	}
	at(t, db, s, "q", 10, row{"player_id": 3, "rank": 1, "score": 30})
	if res := at(t, db, s, "p", 15, a, b); res.Unchanged || res.Inserted != 1 || res.Ended != 1 {
		t.Errorf("result %+v, want the place taken back", res)
	}
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, 10[  | {0, 5}           | 1         | 1    | 10
		[ 0, inf[ | {0, 5, 15}       | 2         | 2    | 20
		[10, 15[  | {10}             | 3         | 1    | 30
		[15, inf[ | {15}             | 1         | 1    | 10`)
	sound(t, db)
}

// What a complete scope no longer shows ends, also when the page itself is as
// before and the row came from elsewhere.
func TestCompleteScopes(t *testing.T) {
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "c", Key: fields("ladder text, player integer"), Data: fields("rank integer"), Scope: []string{"ladder"}})
	page := func(m int, gone bool, players ...int) archive.Result {
		r := archive.Response{Address: "ladder", At: minute(m), Gone: gone, Shards: map[string][]row{"c": {}}, Complete: map[string][]row{"c": {{"ladder": "x"}}}}
		for _, p := range players {
			r.Shards["c"] = append(r.Shards["c"], row{"ladder": "x", "player": p, "rank": nil})
		}
		return store(t, db, r)
	}
	at(t, db, s, "elsewhere", 0, row{"ladder": "y", "player": 9, "rank": nil})
	page(1, false, 1, 2)
	page(2, false, 1)
	at(t, db, s, "profile", 3, row{"ladder": "x", "player": 3, "rank": nil})
	page(4, false, 1)
	if res := page(5, false, 1); !res.Unchanged {
		t.Errorf("result %+v, want unchanged", res)
	}
	at(t, db, s, "late", 3, row{"ladder": "x", "player": 4, "rank": nil}) // Seen before the retrieval of 4 that lacks it.
	page(6, true)
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, inf[ | {0}              | "y"    | 9      | null
		[ 1, 6[   | {1, 2, 4, 5}     | "x"    | 1      | null
		[ 1, 2[   | {1}              | "x"    | 2      | null
		[ 3, 4[   | {3}              | "x"    | 3      | null
		[ 3, 4[   | {3}              | "x"    | 4      | null`)
	rows, _ := archive.History(t.Context(), db, s, archive.Query{Key: row{"ladder": "x"}})
	if rows[0].EndReason != shards.SourceGone || rows[1].EndReason != shards.Removed {
		t.Errorf("reasons %q and %q, want source gone and removed", rows[0].EndReason, rows[1].EndReason)
	}
	sound(t, db)
}

// Responses of many rows, of which none, some or all are as they were.
func TestManyRows(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "rank integer, v integer", "rank")
	r := rand.New(rand.NewPCG(1, 1))
	rank, v := r.Perm(80), make([]int, 80)
	var responses []archive.Response
	for n := range archive.Chunk + 20 {
		for range []int{0, 0, 1, 30, 1000}[n%5] {
			v[r.IntN(60)]++
		}
		if n%3 == 0 {
			i, j := r.IntN(80), r.IntN(80)
			rank[i], rank[j] = rank[j], rank[i]
		}
		var rows []row
		for k := range 70 + n%10 {
			rows = append(rows, row{"k": k, "rank": rank[k], "v": v[k]})
		}
		responses = append(responses, archive.Response{Source: "test", Address: fmt.Sprint("page ", n%4), At: minute(n), Shards: map[string][]row{"s": rows}})
		store(t, db, responses[n])
	}
	rows, err := archive.History(t.Context(), db, s, archive.Query{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, text(r))
	}
	slices.Sort(got)
	if want := expected(t, db, s, responses); !slices.Equal(got, want) {
		t.Errorf("%d rows are not the %d of the fold", len(got), len(want))
	}
	sound(t, db)
}

// A row that is seen by very many different responses puts the older ones aside.
func TestLongEvidence(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	const retrievals = 2*archive.Chunk + 10
	for m := range retrievals {
		at(t, db, s, "page", m, row{"k": 1, "v": 1}, row{"k": 2, "v": m})
	}
	at(t, db, s, "late", retrievals/2, row{"k": 3, "v": 0})
	rows, err := archive.At(t.Context(), db, s, archive.Query{Key: row{"k": 1}}, later)
	if err != nil || len(rows) != 1 || len(rows[0].Retrieved) != retrievals {
		t.Fatalf("rows %+v, %v; want one with %d instants", rows, err, retrievals)
	}
	var longest int
	db.Raw(`SELECT max(cardinality(_seen)) FROM shard_s`).Scan(&longest)
	if longest > archive.Chunk+1 {
		t.Errorf("a row names %d responses, want at most %d", longest, archive.Chunk)
	}
	sound(t, db)
	store(t, db, archive.Response{Address: "late", At: minute(3).Add(30e9), Shards: map[string][]row{"s": {{"k": 1, "v": 7}}}}) // Its row splits, and its evidence with it.
	rows, _ = archive.History(t.Context(), db, s, archive.Query{Key: row{"k": 1}})
	if len(rows) != 3 || len(rows[0].Retrieved) != 4 || len(rows[2].Retrieved) != retrievals-4 {
		t.Errorf("rows after a split: %+v", rows)
	}
	sound(t, db)
}

// All shards of a response are stored, or none is.
func TestOneBadRowRefusesTheResponse(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	for name, bad := range map[string]row{
		"unknown field": {"player_id": 1, "rank": 1, "score": 1, "color": "red"}, "wrong type": {"player_id": "one", "rank": 1, "score": 1},
		"null key": {"player_id": nil, "rank": 1, "score": 1}, "fraction": {"player_id": 1.5, "rank": 1, "score": 1},
	} {
		rows := []row{{"player_id": 5, "rank": 5, "score": 5}, bad}
		_, err := archive.Store(t.Context(), db, archive.Response{Source: "s", At: minute(0), Shards: map[string][]row{s.Name: rows}}, later)
		if e, ok := errors.AsType[*shards.InputError](err); !ok || e.Row != 1 || e.Shard != s.Name {
			t.Errorf("%s: %v, want an error about row 1", name, err)
		}
	}
	if _, err := archive.Store(t.Context(), db, archive.Response{Source: "s", At: later.Add(3600e9)}, later); err == nil {
		t.Error("a response from the future was taken")
	}
	same(t, lines(t, db, s, archive.Query{}), ``)
}

func TestTypes(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "types", "order text, ok boolean, day timestamp", "from number, doc json, n integer")
	x := row{"order": "a'\"@x", "ok": true, "day": "2026-01-02T03:04:05.123456+02:00", "from": 0.1, "doc": map[string]any{"b": 1.0, "a": []any{nil, "é"}}, "n": int64(1) << 60}
	at(t, db, s, "p", 0, x)
	for m, doc := range []any{map[string]any{"a": []any{nil, "é"}, "b": 1}, nil} {
		y := row{}
		for k, v := range x {
			y[k] = v
		}
		y["doc"], y["day"] = doc, "2026-01-02T01:04:05.123456Z"
		at(t, db, s, "p", m+1, y)
	}
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, 2[   | {0, 1}           | "a'\"@x" | true | "2026-01-02T01:04:05.123456Z" | 0.1  | {"a":[null,"é"],"b":1} | 1152921504606846976
		[ 2, inf[ | {2}              | "a'\"@x" | true | "2026-01-02T01:04:05.123456Z" | 0.1  | null | 1152921504606846976`)
	if rows, err := archive.At(t.Context(), db, s, archive.Query{Key: row{"ok": true}}, minute(1)); err != nil || len(rows) != 1 {
		t.Errorf("rows by a part of the key: %+v, %v", rows, err)
	}
	sound(t, db)
}

func TestFailuresAreLogged(t *testing.T) {
	db := modelstest.Tx(t)
	for range 2 {
		failed := archive.Response{Source: "s", Address: "a", At: minute(1), Outcome: "unreachable", Message: "no answer"}
		if _, err := archive.Store(t.Context(), db, failed, later); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	db.Raw(`SELECT outcome || ': ' || message FROM archive_retrievals`).Scan(&got)
	if fmt.Sprint(got) != "[unreachable: no answer]" {
		t.Errorf("log = %q", got)
	}
}

// Reads by a part of the key find past rows too.
func TestReadingByAPartOfTheKey(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "a integer, b text, c integer", "v integer")
	for m := range 4 {
		var rows []row
		for i := range 12 {
			rows = append(rows, row{"a": i % 2, "b": fmt.Sprint(i % 3), "c": i % 4, "v": m})
		}
		at(t, db, s, "page", m, rows...)
	}
	for want, key := range map[int]row{12: {}, 6: {"a": 1}, 4: {"b": "1"}, 3: {"c": 2}, 2: {"a": 1, "b": "0"}, 1: {"a": 1, "b": "1", "c": 3}, 0: {"a": 0, "c": 3}} {
		for m := range 4 {
			rows, err := archive.At(t.Context(), db, s, archive.Query{Key: key}, minute(m))
			if err != nil || len(rows) != want {
				t.Errorf("%d rows of %v at %d, %v; want %d", len(rows), key, m, err, want)
			}
			for _, r := range rows {
				if r.Data["v"] != int64(m) {
					t.Errorf("of %v at %d: %+v", key, m, r)
				}
			}
		}
	}
}

// Laurel's own figures are counted under a lock: the second of one instant is
// the later one.
func TestOwnFiguresComeOneAfterTheOther(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	for v := range 3 {
		r := archive.Response{Source: "laurel", Address: "a", At: minute(1), Own: true, Shards: map[string][]row{"s": {{"k": 1, "v": v}}}}
		if _, err := archive.Store(t.Context(), db, r, later); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := archive.At(t.Context(), db, s, archive.Query{}, later)
	if err != nil || len(rows) != 1 || rows[0].Data["v"] != int64(2) {
		t.Errorf("%+v, %v; want the last one", rows, err)
	}
	sound(t, db)
}

// A refused response is not a retrieval that went well: what it said of one row can
// still be stored, at its very instant.
func TestWhatWasRefusedCanBeStored(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	send := func(rows ...row) archive.Result {
		return store(t, db, archive.Response{Source: "x", Address: "a", At: minute(1), Shards: map[string][]row{"s": rows}})
	}
	for _, v := range []int{2, 3} {
		if res := send(row{"k": 1, "v": 1}, row{"k": 1, "v": v}); res.Contradiction == "" {
			t.Errorf("a contradiction was stored: %+v", res)
		}
	}
	if res := send(row{"k": 1, "v": 1}); res.Inserted != 1 {
		t.Errorf("after a refusal: %+v, want a row", res)
	}
	rows, err := archive.History(t.Context(), db, s, archive.Query{})
	if err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	var refused int
	if err := db.Raw(`SELECT count(*) FROM archive_retrievals WHERE outcome = 'refused'`).Scan(&refused).Error; err != nil || refused != 2 {
		t.Errorf("%d refused responses are kept, want both; %v", refused, err)
	}
	sound(t, db)
}

// Fields may have any name that statements use for themselves.
func TestFieldsOfAnyName(t *testing.T) {
	db := modelstest.Tx(t)
	for name, retrievals := range map[string]int{"tid": archive.Chunk + 3, "seen": archive.Chunk + 3, "b": 3, "n": 3, "g": 3, "t": 3, "x": 3, "k": 3, "aside": 3, "same": 3, "given": 3, "near": 3, "base": 3, "user": 3} {
		sh := declareShard(t, db, shards.Declaration{Name: "named_" + name, Key: fields("a integer"), Data: fields(name + " integer"), Unique: [][]string{{name}}, Scope: []string{"a"}})
		for i := range retrievals { // Another row changes, so each retrieval is one of its own; after very many they are put aside.
			store(t, db, archive.Response{Source: "x", Address: name, At: minute(10 + i), Complete: map[string][]row{sh.Name: {{"a": 3}}},
				Shards: map[string][]row{sh.Name: {{"a": 1, name: 7}, {"a": 2, name: 100 + i}}}})
		}
		store(t, db, archive.Response{Source: "x", Address: name, At: minute(5), Shards: map[string][]row{sh.Name: {{"a": 1, name: 8}}}})
		rows, err := archive.Around(t.Context(), db, []archive.Wanted{{Shard: sh, Keys: []row{{"a": 1}}}}, minute(11), minute(0), minute(500))
		if err != nil || len(rows[0]) != 2 {
			t.Errorf("%s: %v, %v", name, rows, err)
		}
		if rows, err := archive.At(t.Context(), db, sh, archive.Query{}, later); err != nil || len(rows) != 2 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	sound(t, db)
}
