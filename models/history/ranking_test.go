package history_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/modelstest"
)

// players makes places 1, 2, ... of names, with scores that fall.
func players(names ...string) []history.Place {
	places := make([]history.Place, len(names))
	for i, n := range names {
		places[i] = history.Place{Player: n, Rank: new(int64(i + 1)), Score: new(float64(100 - i))}
	}
	return places
}

func storeRanking(t *testing.T, db *gorm.DB, name string, at time.Time, size int, names ...string) archive.Result {
	t.Helper()
	res, err := history.StoreRanking(t.Context(), db, history.RankingPage{Name: name, Source: "game", Address: "/" + name, At: at, Places: players(names...), Size: size}, at)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// told is a ranking in a line: what a fetch before t showed, and what was before that.
func told(t *testing.T, db *gorm.DB, name string, at time.Time) string {
	t.Helper()
	l, err := history.RankingAt(t.Context(), db, name, at, modelstest.Noon.Add(1000*time.Hour))
	if errors.Is(err, pg.ErrNotFound) {
		return "not found"
	}
	if err != nil {
		t.Fatal(err)
	}
	list := func(l *history.RankingList) string {
		if l == nil {
			return "none"
		}
		var names []string
		for _, p := range l.Places {
			names = append(names, p.Player)
		}
		return fmt.Sprintf("%s of %d seen %s", strings.Join(names, ","), l.Size, after(&l.Seen))
	}
	return fmt.Sprintf("%s; was %s; fetches %s %s; changes %s %s; %s to %s; %s", list(l.List), list(l.Was), after(l.PrevFetch), after(l.NextFetch),
		after(l.PrevChange), after(l.NextChange), after(&l.First), after(&l.Last), l.Ended)
}

// after is how many minutes after noon an instant is.
func after(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return fmt.Sprint(t.Sub(modelstest.Noon).Minutes())
}

func TestRankingAt(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	at := func(minutes float64) time.Time {
		return modelstest.Noon.Add(time.Duration(minutes * float64(time.Minute)))
	}
	storeRanking(t, tx, "a/b", at(0), 3, "x", "y", "z")
	if res := storeRanking(t, tx, "a/b", at(10), 3, "x", "y", "z"); !res.Unchanged {
		t.Errorf("the same list again: %+v", res)
	}
	storeRanking(t, tx, "a/b", at(20), 2, "y", "x")
	storeRanking(t, tx, "a/b", at(30), 0)
	storeRanking(t, tx, "a/b", at(40), 500, "y", "w")
	for _, tt := range []struct {
		at   float64
		want string
	}{
		{-1, "none; was none; fetches - 0; changes - 0; 0 to 40; "},
		{0, "x,y,z of 3 seen 0; was none; fetches - 10; changes - 20; 0 to 40; "},
		{15, "x,y,z of 3 seen 10; was none; fetches 10 20; changes 0 20; 0 to 40; "},
		{20, "y,x of 2 seen 20; was x,y,z of 3 seen 10; fetches 10 30; changes 0 30; 0 to 40; "},
		{35, " of 0 seen 30; was y,x of 2 seen 20; fetches 30 40; changes 30 40; 0 to 40; "},
		{99, "y,w of 500 seen 40; was  of 0 seen 30; fetches 40 -; changes 40 -; 0 to 40; "},
	} {
		if got := told(t, tx, "a/b", at(tt.at)); got != tt.want {
			t.Errorf("at %v: %s\nwant %s", tt.at, got, tt.want)
		}
	}
	if got := told(t, tx, "c", at(50)); got != "not found" {
		t.Errorf("a ranking that nobody saw: %s", got)
	}
	fetches, err := history.RankingTimes(t.Context(), tx, "a/b", 3)
	if err != nil || len(fetches) != 3 || !fetches[0].Equal(at(20)) {
		t.Errorf("fetches: %v, %v", fetches, err)
	}
	climb, err := history.RankHistory(t.Context(), tx, "a/b", "x")
	if err != nil || len(climb) != 2 || climb[0].Data["rank"] != int64(1) || climb[1].EndReason != shards.Removed {
		t.Errorf("climb: %+v, %v", climb, err)
	}
	noFindings(t, tx)
}

func noFindings(t *testing.T, db *gorm.DB) {
	t.Helper()
	found, err := archive.Check(t.Context(), db)
	if err != nil || found.Total > 0 {
		t.Errorf("the archive is not whole: %v, %v", found, err)
	}
}

// Rankings that others push get their lists, too: those shown completely, and
// those whose size is given.
func TestStoreResponse(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	row := func(ranking, player string, rank any) shards.Row {
		return shards.Row{"ladder": ranking, "player": player, "rank": rank, "score": 7}
	}
	r := archive.Response{Source: "game", Address: "/all", At: modelstest.Noon, Shards: map[string][]shards.Row{
		"ladder": {row("whole", "b", 2), row("whole", "none", nil), row("whole", "a", 1), row("first", "a", 1), row("place", "a", 1)}},
		Complete: map[string][]shards.Row{"ladder": {{"ladder": "whole"}, {"ladder": "empty"}}}}
	res, err := history.StoreResponse(t.Context(), tx, r, map[string]int{"first": 5000}, modelstest.Noon)
	if err != nil || res.Inserted != 8 {
		t.Fatalf("%+v, %v", res, err)
	}
	if len(r.Shards) != 1 || len(r.Complete["ladder"]) != 2 {
		t.Error("the caller's response was changed")
	}
	for name, want := range map[string]string{
		"whole": "a,b,none of 3 seen 0; was none; fetches - -; changes - -; 0 to 0; ",
		"first": "a of 5000 seen 0; was none; fetches - -; changes - -; 0 to 0; ",
		"empty": " of 0 seen 0; was none; fetches - -; changes - -; 0 to 0; ",
		"place": "not found",
	} {
		if got := told(t, tx, name, modelstest.Noon); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	lines, next, err := history.Rankings(t.Context(), tx, "", 2, modelstest.Noon)
	if err != nil || fmt.Sprint(lines) != fmt.Sprintf("[{empty 0 0 %s} {first 1 5000 %[1]s}]", modelstest.Noon) {
		t.Errorf("ladders: %v, %v", lines, err)
	}
	if lines, next, err = history.Rankings(t.Context(), tx, next, 2, modelstest.Noon); err != nil || len(lines) != 1 || lines[0].Name != "whole" || next != "" {
		t.Errorf("the other ladders: %v %q, %v", lines, next, err)
	}
	if res, err = history.StoreResponse(t.Context(), tx, r, map[string]int{"first": 5000}, modelstest.Noon); err != nil || !res.Replayed {
		t.Errorf("the same again: %+v, %v", res, err)
	}
	gone := archive.Response{Source: "game", Address: "/all", At: modelstest.Noon.Add(time.Hour), Gone: true, Complete: map[string][]shards.Row{"ladder": {{"ladder": "whole"}}}}
	if _, err = history.StoreResponse(t.Context(), tx, gone, nil, gone.At); err != nil {
		t.Fatal(err)
	}
	if got := told(t, tx, "whole", modelstest.Noon.Add(2*time.Hour)); !strings.HasPrefix(got, "none; was none") || !strings.HasSuffix(got, "; source gone") {
		t.Errorf("a ranking that is gone: %s", got)
	}
	noFindings(t, tx)
}

func TestStoreResponseRefuses(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	all := map[string][]shards.Row{"ladder": {{"ladder": "l"}}}
	for _, tt := range []struct {
		name     string
		row      shards.Row
		complete map[string][]shards.Row
		size     int
		field    string
	}{
		{"complete, and a part", shards.Row{"ladder": "l", "player": "a", "rank": 1, "score": nil}, all, 2, "size"},
		{"more rows than there are", shards.Row{"ladder": "l", "player": "a", "rank": 1, "score": nil}, nil, 0, "size"},
		{"a rank in words", shards.Row{"ladder": "l", "player": "a", "rank": "first", "score": nil}, all, 1, "rank"},
		{"a broken name", shards.Row{"ladder": "l", "player": "\x00", "rank": 1, "score": nil}, all, 1, "player"},
		{"no player", shards.Row{"ladder": "l", "rank": 1, "score": nil}, all, 1, "player"},
		{"a ranking of our own", shards.Row{"ladder": "solved", "player": "a", "rank": 1, "score": nil}, all, 1, "ladder"},
	} {
		r := archive.Response{Source: "game", Address: "/l", At: modelstest.Noon, Shards: map[string][]shards.Row{"ladder": {tt.row}}, Complete: tt.complete}
		_, err := history.StoreResponse(t.Context(), tx, r, map[string]int{"l": tt.size}, modelstest.Noon)
		if input, ok := errors.AsType[*shards.InputError](err); !ok || input.Field != tt.field {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// Two processes that fetch equal rankings under different names never wait for
// each other.
func TestEqualLists(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	const rounds = 20
	errs := make(chan error)
	for n := range 2 {
		go func() {
			var err error
			for i := range rounds {
				names := [][]string{{"one", "two"}, {"two", "one"}}[n]
				r := archive.Response{Source: "game", Address: fmt.Sprint("/", n), At: modelstest.Noon.Add(time.Duration(i) * time.Minute),
					Complete: map[string][]shards.Row{"ladder": {}}, Shards: map[string][]shards.Row{}}
				for j, ranking := range []string{"first", "second"} {
					ranking += fmt.Sprint(n)
					r.Complete["ladder"] = append(r.Complete["ladder"], shards.Row{"ladder": ranking})
					r.Shards["ladder"] = append(r.Shards["ladder"], shards.Row{"ladder": ranking, "player": fmt.Sprint(names[j], i), "rank": 1, "score": nil})
				}
				_, e := history.StoreResponse(t.Context(), db, r, nil, r.At)
				err = errors.Join(err, e)
			}
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	noFindings(t, db)
}
