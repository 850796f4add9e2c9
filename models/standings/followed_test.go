package standings_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/standings"
)

// somebody is a member with a place that the test made up.
type somebody struct {
	id         int64
	name       string
	shown      int // The audience; 3: off the boards.
	value, was int // 0: not on the board; was 0: not on it a week ago.
	followed   bool
}

// ranked are the lines of a board of them, by comparing each with each.
func ranked(people []somebody) (lines []string) {
	people = slices.Clone(people)
	slices.SortFunc(people, func(a, b somebody) int { return cmp.Or(b.value-a.value, strings.Compare(a.name, b.name)) })
	for _, p := range people {
		rank, was := 1, 0
		for _, o := range people {
			if o.value > p.value {
				rank++
			}
			if p.was > 0 && o.was > p.was {
				was++
			}
		}
		if p.was > 0 {
			was++
		}
		lines = append(lines, fmt.Sprint(rank, " was ", was, " ", p.name, " ", p.value))
	}
	return lines
}

// A board of those whom one follows is that of them alone, with ranks among them, page by page; it reads a place of each.
func TestFollowedOf(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r, db := rand.New(rand.NewPCG(seed, 0)), modelstest.Tx(t)
	for run := range 8 {
		var people []somebody
		for i := range 2 + r.IntN(20) {
			m := modelstest.Member(t, db, fmt.Sprintf("%c%d-%d", 'a'+r.IntN(26), run, i), nil, modelstest.Noon)
			p := somebody{m.ID, m.Name, r.IntN(4), r.IntN(6), r.IntN(4), i == 0 || r.IntN(3) > 0}
			if p.value == 0 {
				p.was = 0
			}
			people = append(people, p)
			if err := db.Exec(`INSERT INTO standings (member_id, name, display_name, custom, shown, solved, submissions, accepted, streak, incomplete)
				VALUES (@id, @name, @name, false, @shown, 0, 0, 0, 0, '{}')`, pg.Named("id", p.id, "name", p.name, "shown", p.shown)).Error; err != nil {
				t.Fatal(err)
			}
			if p.value > 0 {
				if err := db.Exec(`INSERT INTO standing_places (member_id, board, shown, name, value, was, submissions, accepted)
					VALUES (@id, 'solved:week', @shown, @name, @value, nullif(@was, 0), 0, 0)`,
					pg.Named("id", p.id, "name", p.name, "shown", p.shown, "value", p.value, "was", p.was)).Error; err != nil {
					t.Fatal(err)
				}
			}
			if i > 0 && p.followed {
				if err := db.Exec(`INSERT INTO follows (follower_id, followed_id, asked_at, since) VALUES (@a, @b, @now, @now)`,
					pg.Named("a", people[0].id, "b", p.id, "now", modelstest.Noon)).Error; err != nil {
					t.Fatal(err)
				}
			}
		}
		reader := people[0]
		var seen []somebody
		for i, p := range people {
			if p.value > 0 && p.followed && (p.shown < 2 || p.shown == 2 && i == 0) {
				seen = append(seen, p)
			}
		}
		want, limit := ranked(seen), 1+r.IntN(5)
		ctx, got := members.As(t.Context(), members.Viewer(reader.id)), []string(nil)
		for cursor, first := "", true; first || cursor != ""; first = false {
			page, own, err := standings.FollowedOf(ctx, db, standings.Board{By: "solved", In: "week"}, reader.id, cursor, limit)
			if err != nil || len(page.Rows) > limit {
				t.Fatal(page, err)
			}
			if on := slices.ContainsFunc(seen, func(p somebody) bool { return p.id == reader.id }); on != (own != nil) || on && own.Value != reader.value {
				t.Errorf("the own row is %+v, on the board: %t", own, on)
			}
			for _, row := range page.Rows {
				got = append(got, fmt.Sprint(row.Rank, " was ", row.RankWas, " ", row.Name, " ", row.Value))
			}
			cursor = page.Next
		}
		if !slices.Equal(got, want) {
			t.Fatalf("run %d:\n%s\nwant\n%s", run, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
