package archive_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// The cases in which the engine that the archive was designed after fails, by
// their names in the notes on it. Each passes here.

func TestE1SameFactsAtOneInstantAreOne(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	poll(t, db, s, 0)
	poll(t, db, s, 0)
	at(t, db, s, "another page", 0, row{"player_id": 1, "rank": 1, "score": 1000})
	same(t, lines(t, db, s, archive.Query{}), `[ 0, inf[ | {0}              | 1         | 1    | 1000`)
	sound(t, db)
}

func TestE2AndE8TwoFactsAtOneInstant(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	other := declare(t, db, "other", "k integer", "v integer")
	poll(t, db, s, 0)
	for name, rows := range map[string][]row{
		"one player, two scores": {{"player_id": 1, "rank": 1, "score": 1}, {"player_id": 1, "rank": 1, "score": 2}},
		"one rank, two players":  {{"player_id": 1, "rank": 1, "score": 1}, {"player_id": 2, "rank": 1, "score": 1}},
	} {
		res := store(t, db, archive.Response{Address: name, At: minute(5), Shards: map[string][]row{s.Name: rows, "other": {{"k": 1, "v": 1}}}})
		if !strings.Contains(res.Contradiction, "rows 0 and 1") || res.Inserted != 0 {
			t.Errorf("%s: %+v, want a refusal that names rows 0 and 1", name, res)
		}
	}
	var unchanged int
	db.Raw(`SELECT count(*) FROM archive_retrievals WHERE outcome = 'refused' AND content->'shards'->'hammerfest' IS NOT NULL`).Scan(&unchanged)
	if unchanged != 2 {
		t.Errorf("%d refused responses are kept, want 2", unchanged)
	}
	res := at(t, db, s, "twice the same", 5, row{"player_id": 1, "rank": 1, "score": 1000}, row{"player_id": 1, "rank": 1, "score": 1000})
	if res.Confirmed != 2 {
		t.Errorf("the same fact twice: %+v, want 2 confirmed", res)
	}
	same(t, lines(t, db, s, archive.Query{}), `[ 0, inf[ | {0, 5}           | 1         | 1    | 1000`)
	same(t, lines(t, db, other, archive.Query{}), ``)
	sound(t, db)
}

// From two responses of one instant, one is believed, whichever comes first,
// and the other stays in the log: nobody gets an error.
func TestE2TwoResponsesOfOneInstant(t *testing.T) {
	var rows [2]string
	for i, scores := range [][]int{{1, 2}, {2, 1}} {
		db := modelstest.Tx(t)
		s := seedShard(t, db)
		for _, score := range scores {
			at(t, db, s, fmt.Sprint("page ", score), 5, row{"player_id": 1, "rank": 1, "score": score})
		}
		rows[i] = strings.Join(lines(t, db, s, archive.Query{}), "\n")
		sound(t, db)
	}
	if rows[0] != rows[1] || strings.Contains(rows[0], "\n") {
		t.Errorf("rows are %q in one order, %q in the other; want the same one", rows[0], rows[1])
	}
}

func TestE3AndE4LateObservations(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "s", "k integer", "v integer")
	see := func(m, v int) { at(t, db, s, "page", m, row{"k": 1, "v": v}) }
	see(0, 1)
	see(10, 1)
	see(55, 2)
	see(5, 3)  // E3: late and different: the row of 0 and 10 splits.
	see(52, 2) // E4: late and as now: that row begins earlier.
	see(7, 1)  // E4b: late and as a closed row.
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, 5[   | {0}              | 1 | 1
		[ 5, 7[   | {5}              | 1 | 3
		[ 7, 52[  | {7, 10}          | 1 | 1
		[52, inf[ | {52, 55}         | 1 | 2`)
	sound(t, db)
}

func TestE5AndE6NullIsAValueAndInNoUniqueKey(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "emails", "k integer", "email text, note text", "email")
	for m := range 3 {
		at(t, db, s, "page", m, row{"k": 1, "email": nil, "note": nil}, row{"k": 2, "email": nil, "note": "x"})
	}
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, inf[ | {0, 1, 2}        | 1 | null  | null
		[ 0, inf[ | {0, 1, 2}        | 2 | null  | "x"`)
	_, err := archive.Store(t.Context(), db, archive.Response{Source: "test", Address: "absent", At: minute(9), Shards: map[string][]row{"emails": {{"k": 1, "note": "y"}}}}, later)
	if e, ok := errors.AsType[*shards.InputError](err); !ok || e.Row != 0 || e.Field != "email" {
		t.Errorf("a row without email: %v, want an error about it", err)
	}
	sound(t, db)
}

func TestE7TwoSwapPlaces(t *testing.T) {
	db := modelstest.Tx(t)
	s := declare(t, db, "places", "thread text", "place integer", "place")
	at(t, db, s, "page", 0, row{"thread": "a", "place": 1}, row{"thread": "b", "place": 2})
	res := at(t, db, s, "page", 5, row{"thread": "a", "place": 2}, row{"thread": "b", "place": 1})
	if res.Inserted != 2 || res.Ended != 2 {
		t.Errorf("result %+v, want 2 inserted and 2 ended", res)
	}
	at(t, db, s, "page", 10, row{"thread": "c", "place": 1})
	rows, _ := archive.History(t.Context(), db, s, archive.Query{Key: row{"thread": "b"}})
	if len(rows) != 2 || rows[0].EndReason != shards.Changed || rows[1].EndReason != shards.Displaced {
		t.Errorf("history of b = %+v, want changed, then displaced", rows)
	}
	sound(t, db)
}

// X1 to X4: sessions that meet. All they saw is there, and none gets an error.
func TestX1ToX4SessionsThatMeet(t *testing.T) {
	db := modelstest.Open(t).DB
	s := declare(t, db, "s", "k integer", "v integer", "v")
	meet := func(retrievals ...func()) {
		var wg sync.WaitGroup
		for _, f := range retrievals {
			wg.Go(f)
		}
		wg.Wait()
	}
	retrieval := func(page string, m int, values ...int) func() {
		return func() {
			var rows []row
			for i := 0; i < len(values); i += 2 {
				rows = append(rows, row{"k": values[i], "v": values[i+1]})
			}
			at(t, db, s, page, m, rows...)
		}
	}
	meet(retrieval("x1 a", 0, 1, 10), retrieval("x1 b", 0, 1, 10), retrieval("x1 c", 1, 1, 10)) // First seen by three at once.
	meet(retrieval("x2 a", 6, 1, 11), retrieval("x2 b", 5, 1, 10))                              // One sees a change, one what was.
	meet(retrieval("x3 a", 7, 1, 11), retrieval("x3 b", 8, 1, 11))                              // Both see what is.
	meet(retrieval("x4 a", 9, 1, 11, 2, 20, 3, 30), retrieval("x4 b", 10, 3, 30, 2, 20, 1, 11)) // In opposite orders.
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, 6[   | {0, 1, 5}        | 1 | 10
		[ 6, inf[ | {6, 7, 8, 9, 10} | 1 | 11
		[ 9, inf[ | {9, 10}          | 2 | 20
		[ 9, inf[ | {9, 10}          | 3 | 30`)
	sound(t, db)
}

// Of one instant, a fact gives way to a lower response's even where that one
// gives way itself, and also where it is the last to come. Which response is
// lower hangs on the values, so many are tried.
func TestGivingWayToWhatGaveWay(t *testing.T) {
	db := modelstest.Tx(t)
	s := propertyShard(t, db)
	for v := range 30 {
		g := fmt.Sprint(v)
		var responses []archive.Response
		for i, x := range []row{{"g": g, "k": 0, "u": nil, "d": nil}, {"g": g, "k": 1, "u": v, "d": nil}, {"g": g, "k": 0, "u": v, "d": nil}, {"g": g, "k": 0, "u": nil, "d": nil}} {
			responses = append(responses, archive.Response{Source: "test", Address: fmt.Sprint(g, " ", i), At: minute(2 + min(i, 1)), Shards: map[string][]row{s.Name: {x}}})
		}
		want := expected(t, db, s, responses)
		for _, r := range responses {
			store(t, db, r)
		}
		rows, err := archive.History(t.Context(), db, s, archive.Query{Key: row{"g": g}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, text(r))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	sound(t, db)
}
