package awards_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

// A happened is an item as the plainest replay knows it.
type happened struct {
	seq, minute int // The newest event, and when it happened first.
	active      bool
	object      string
}

// replayed are the dates of levels with goals: all that is active, sorted by its own time, one after
// the other, until a goal is reached.
func replayed(items map[string]*happened, goals []int, unique bool) (dates []string) {
	var list []*happened
	for _, i := range items {
		if i.active {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b *happened) int { return a.minute - b.minute })
	counted, seen := 0, map[string]bool{}
	for _, i := range list {
		if unique && seen[i.object] {
			continue
		}
		seen[i.object] = true
		if counted++; slices.Contains(goals, counted) {
			dates = append(dates, modelstest.Noon.Add(time.Duration(i.minute)*time.Minute).Format("15:04"))
		}
	}
	return dates
}

// Things come in any order, late, twice, edited and taken back: after each batch every level that is
// held has the date at which its goal was reached in the order in which they happened.
func TestDatesFollowWhatHappened(t *testing.T) {
	t.Parallel()
	goals := []int{2, 4, 7}
	const levels = `,"levels":[{"title":"I","goal":2},{"title":"II","goal":4},{"title":"III","goal":7}]}`
	doc := func(slug, rule string) string {
		return `{"slug":"` + slug + `","title":"T","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],
			"rule":{"name":"` + rule + `"}}],"strategy":{"objective_id":"o","goal":7}` + levels
	}
	for seed := range uint64(6) {
		w := modelstest.NewAwardWorld(t, "ada")
		w.Runs(doc("all", "CountRule"))
		w.Runs(doc("unique", "UniqueByObjectRule"))
		r, items := rand.New(rand.NewPCG(seed, 1)), map[string]*happened{}
		for batch := range 12 {
			var list []rules.Event
			for range 1 + r.IntN(4) {
				id, seq, minute := fmt.Sprint("p", r.IntN(12)), 1+r.IntN(1_000_000), r.IntN(58)
				status := []string{"active", "active", "active", "blocked"}[r.IntN(4)]
				e := modelstest.Item("photo", id, seq, status, minute, nil)
				e.ID, e.Object = fmt.Sprint(id, ".", seq, ".", batch, ".", len(list)), fmt.Sprint("place ", r.IntN(8))
				list = append(list, e)
				i := items[id]
				if i == nil {
					i = &happened{minute: minute}
					items[id] = i
				}
				if seq > i.seq {
					*i = happened{seq, min(i.minute, minute), status == "active", e.Object}
				}
			}
			w.Sends(list...)
			for slug, unique := range map[string]bool{"all": false, "unique": true} {
				var got []string
				if err := w.DB.Raw(`SELECT to_char(granted_at AT TIME ZONE 'UTC', 'HH24:MI') FROM award_grants g JOIN awards a ON a.id = g.award_id
					WHERE a.slug = ? AND revoked_at IS NULL ORDER BY level`, slug).Scan(&got).Error; err != nil {
					t.Fatal(err)
				}
				if want := replayed(items, goals, unique); !slices.Equal(got, want) {
					t.Fatalf("seed %d, batch %d, %s: dated %v, want %v", seed, batch, slug, got, want)
				}
			}
		}
		if n := w.Count(`SELECT count(*) FROM badges b JOIN award_grants g ON g.id = b.grant_id JOIN award_grant_log l ON l.id = b.log_id
			WHERE l.what = 'granted' AND b.granted_at <> g.granted_at AND b.superseded_by IS NULL`); n != 0 {
			t.Errorf("seed %d: %d badges have other dates than their grants", seed, n)
		}
	}
}

// What is given by hand keeps its date, and no level is dated before the one below it.
func TestDatesGivenByHandStay(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(threePhotos)
	w.ByHand(w.Grants, awards.ByHand{Member: "ada", Award: "three", Level: 1, Note: "a gift"})
	for i := range 3 {
		w.Sends(modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", 9-i, nil))
	}
	var dates string
	if err := w.DB.Raw(`SELECT string_agg(level || ' ' || to_char(granted_at AT TIME ZONE 'UTC', 'HH24:MI'), ', ' ORDER BY level) FROM award_grants`).Scan(&dates).Error; err != nil {
		t.Fatal(err)
	}
	if dates != "1 13:00, 2 13:00" {
		t.Errorf("dates are %s", dates)
	}
}
