package archive_test

import (
	"slices"
	"testing"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// The tables of the document that the archive was designed after, with both of
// its point-in-time keys: polls every 5 minutes, up to minute 55. Where that
// misprints {50} in the last row stands {55}.
var polls = []struct{ minute, player, rank, score int }{
	{0, 1, 1, 1000}, {5, 1, 1, 1000}, {10, 1, 2, 1000}, {15, 1, 1, 2000}, {20, 1, 1, 2000}, {25, 1, 1, 2000},
	{30, 1, 1, 2000}, {35, 1, 1, 3000}, {40, 1, 1, 4000}, {45, 2, 2, 1500}, {50, 2, 1, 5000}, {55, 1, 3, 4500},
}

const first = `
	[ 0, 10[  | {0, 5}           | 1         | 1    | 1000
	[10, 15[  | {10}             | 1         | 2    | 1000
	[15, 35[  | {15, 20, 25, 30} | 1         | 1    | 2000
`

var tables = map[int]string{
	35: first + `[35, inf[ | {35}             | 1         | 1    | 3000`,
	40: first + `
		[35, 40[  | {35}             | 1         | 1    | 3000
		[40, inf[ | {40}             | 1         | 1    | 4000`,
	45: first + `
		[35, 40[  | {35}             | 1         | 1    | 3000
		[40, inf[ | {40}             | 1         | 1    | 4000
		[45, inf[ | {45}             | 2         | 2    | 1500`,
	50: first + `
		[35, 40[  | {35}             | 1         | 1    | 3000
		[40, 50[  | {40}             | 1         | 1    | 4000
		[45, 50[  | {45}             | 2         | 2    | 1500
		[50, inf[ | {50}             | 2         | 1    | 5000`,
	55: first + `
		[35, 40[  | {35}             | 1         | 1    | 3000
		[40, 50[  | {40}             | 1         | 1    | 4000
		[45, 50[  | {45}             | 2         | 2    | 1500
		[50, inf[ | {50}             | 2         | 1    | 5000
		[55, inf[ | {55}             | 1         | 3    | 4500`,
}

func seedShard(t testing.TB, db *gorm.DB) *archive.Shard {
	return declare(t, db, "hammerfest", "player_id integer", "rank integer, score integer", "rank")
}

func poll(t testing.TB, db *gorm.DB, s *archive.Shard, i int) {
	p := polls[i]
	at(t, db, s, "player", p.minute, row{"player_id": p.player, "rank": p.rank, "score": p.score})
}

func TestTablesOfTheSeed(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	for i, p := range polls {
		poll(t, db, s, i)
		if want, ok := tables[p.minute]; ok {
			same(t, lines(t, db, s, archive.Query{}), want)
		}
	}
	sound(t, db)
	rows, err := archive.At(t.Context(), db, s, archive.Query{}, minute(22))
	if err != nil || len(rows) != 1 || minutes(*rows[0].SeenBefore) != "20" || minutes(*rows[0].SeenAfter) != "25" {
		t.Errorf("rows at 22 = %+v, %v; want the one seen at 20 and 25", rows, err)
	}
}

func TestTablesOfTheSeedInAnyOrder(t *testing.T) {
	for name, order := range map[string][]int{
		"backwards":   {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
		"inside out":  {5, 6, 4, 7, 3, 8, 2, 9, 1, 10, 0, 11},
		"odd, twice":  {1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		"player 2 at": {9, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 11},
	} {
		t.Run(name, func(t *testing.T) {
			db := modelstest.Tx(t)
			s := seedShard(t, db)
			for _, i := range order {
				poll(t, db, s, i)
			}
			same(t, lines(t, db, s, archive.Query{}), tables[55])
			sound(t, db)
		})
	}
}

func TestSamplingOfTheSeed(t *testing.T) {
	db := modelstest.Tx(t)
	s := seedShard(t, db)
	for i := range 9 {
		poll(t, db, s, i)
	}
	got := lines(t, db, s, archive.Query{Window: 12 * 60e9})
	same(t, got[2:3], `[15, 35[  | {15, 25, 30}     | 1         | 1    | 2000`)
}

// A page that shows (player, rank, score) and one that shows (player, rank,
// carrot) are three shards.
func TestPartialViewsOfTheSeed(t *testing.T) {
	db := modelstest.Tx(t)
	ranks := declare(t, db, "ranks", "player integer", "rank integer", "rank")
	scores := declare(t, db, "scores", "player integer", "score integer")
	carrots := declare(t, db, "carrots", "player integer", "has_carrot boolean")
	highscore := func(m, player, rank, score int) {
		store(t, db, archive.Response{Address: "highscore", At: minute(m), Shards: map[string][]row{
			"ranks": {{"player": player, "rank": rank}}, "scores": {{"player": player, "score": score}}}})
	}
	forum := func(m, player, rank int, carrot bool) {
		store(t, db, archive.Response{Address: "forum", At: minute(m), Shards: map[string][]row{
			"ranks": {{"player": player, "rank": rank}}, "carrots": {{"player": player, "has_carrot": carrot}}}})
	}
	highscore(0, 1, 1, 1000)
	forum(5, 1, 1, false)
	forum(10, 2, 1, true)
	highscore(15, 1, 2, 1000)
	same(t, lines(t, db, ranks, archive.Query{}), `
		[ 0, 10[  | {0, 5}           | 1      | 1
		[10, inf[ | {10}             | 2      | 1
		[15, inf[ | {15}             | 1      | 2`)
	same(t, lines(t, db, scores, archive.Query{}), `[ 0, inf[ | {0, 15}          | 1      | 1000`)
	same(t, lines(t, db, carrots, archive.Query{}), `
		[ 5, inf[ | {5}              | 1      | false
		[10, inf[ | {10}             | 2      | true`)
	sound(t, db)
}

// The list of the seed: at 5 the third player is on it no more.
func TestListsOfTheSeed(t *testing.T) {
	db := modelstest.Tx(t)
	lists := declare(t, db, "ladder_lists", "ladder_rank integer", "highscore_list text")
	put := func(m int, size int, players ...any) string {
		t.Helper()
		l, err := archive.PutList(t.Context(), db, players, size)
		if err != nil {
			t.Fatal(err)
		}
		at(t, db, lists, "highscore", m, row{"ladder_rank": 1, "highscore_list": l.ID})
		return l.ID
	}
	a := put(0, 3, 1, 2, 3)
	b := put(5, 2, 1, 2)
	if again := put(6, 2, 1, 2); again != b || a == b {
		t.Errorf("lists %s, %s, %s: want the last two to be one", a, b, again)
	}
	empty, part := put(7, 0), put(8, 3, 1, 2)
	for id, want := range map[string]shards.List{a: {Size: 3, Complete: true}, empty: {Size: 0, Complete: true}, part: {Size: 3}} {
		got, err := archive.ListByID(t.Context(), db, id)
		if err != nil || got.Size != want.Size || got.Complete != want.Complete {
			t.Errorf("list %s = %+v, %v; want %+v", id, got, err, want)
		}
	}
	rows := lines(t, db, lists, archive.Query{})
	want := []string{"[ 0, 5[   | {0}              | 1           | \"" + a + `"`, "[ 5, 7[   | {5, 6}           | 1           | \"" + b + `"`}
	if !slices.Equal(rows[:2], want) {
		t.Errorf("rows = %q, want %q", rows[:2], want)
	}
}
