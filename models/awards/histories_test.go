package awards_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

// A history is one member's, as the plainest model knows it: the newest event of each photo, all trips, and what was
// held of each award after every event.
type history struct {
	photos map[string]*happened
	trips  map[string][2]int // Minute and half kilometres, by id.
	sent   []rules.Event
	held   map[string][]string // Dates by level; "" is not held.
}

// A historyAward is an award with the progress that things have, in halves, and its goals.
type historyAward struct {
	slug, rest string
	goals      []int // In halves.
	permanent  bool
	progress   func(done []deed) int
}

// A deed is an active photo or a trip.
type deed struct {
	minute, halves int // Of a kilometre; 0 is a photo.
	object         string
}

func photosOf(done []deed) (n int) {
	for _, d := range done {
		if d.halves == 0 {
			n++
		}
	}
	return n
}

const ofPhotos = `"objectives":[{"id":"photo","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"%s"}}%s],"strategy":%s`

var historyAwards = []historyAward{
	{"all", fmt.Sprintf(ofPhotos, "CountRule", "", `{"objective_id":"photo","goal":4}`), []int{2, 4, 8}, true,
		func(done []deed) int { return 2 * photosOf(done) }},
	{"unique", fmt.Sprintf(ofPhotos, "UniqueByObjectRule", "", `{"objective_id":"photo","goal":3}`), []int{2, 4, 6}, false, func(done []deed) int {
		places := map[string]bool{}
		for _, d := range done {
			if d.halves == 0 {
				places[d.object] = true
			}
		}
		return 2 * len(places)
	}},
	{"both", fmt.Sprintf(ofPhotos, "CountRule", `,{"id":"navi","filters":[{"name":"SourceFilter","config":{"sources":["navi"]}}],"rule":{"name":"SumRule",
		"config":{"fact":"metres"}}}`, `{"goal":8,"operation":"sum","strategy":[{"goal":3,"operation":"sum","strategy":[{"objective_id":"photo"}]},
		{"goal":5,"operation":"sum","strategy":[{"objective_id":"navi","normalization_factor":0.001}]}]}`), []int{4, 10, 16}, false, func(done []deed) int {
		halves := 0
		for _, d := range done {
			halves += d.halves
		}
		return min(6, 2*photosOf(done)) + min(10, halves)
	}},
}

func halves(n int) string { return strings.TrimSuffix(fmt.Sprintf("%d.%d", n/2, n%2*5), ".0") }

// next is the next event of a history: new, an edit, a removal, or one that was sent before.
func (h *history) next(r *rand.Rand, member string, round int) rules.Event {
	if len(h.sent) > 0 && r.IntN(10) == 0 {
		return h.sent[r.IntN(len(h.sent))]
	}
	minute := r.IntN(58)
	status := []string{"active", "active", "active", "blocked", "deleted"}[r.IntN(5)]
	e := modelstest.Item("photo", fmt.Sprint(member, ".p", r.IntN(6)), 1+r.IntN(1_000_000), status, minute, nil)
	e.Object = fmt.Sprint("place ", r.IntN(4))
	if r.IntN(4) == 0 {
		metres := 500 * (1 + r.IntN(5))
		e = rules.Event{Source: "navi", Type: "trip", At: e.At, Facts: rules.Facts{"metres": rules.Units(int64(metres))}}
	}
	e.ID, e.Member = fmt.Sprint(member, ".", round), member
	h.sent = append(h.sent, e)
	minute = int(e.At.Sub(modelstest.Noon) / time.Minute)
	if e.Source == "navi" {
		n, _ := e.Facts["metres"].(rules.Amount)
		h.trips[e.ID] = [2]int{minute, int(n / rules.Units(500))}
		return e
	}
	i := h.photos[e.Item]
	if i == nil {
		i = &happened{minute: minute}
		h.photos[e.Item] = i
	}
	if int(e.Seq) > i.seq {
		*i = happened{int(e.Seq), min(i.minute, minute), e.Status == "active", e.Object}
	}
	return e
}

// settle replays all that counts in the order in which it happened, after an event.
func (h *history) settle() (progress map[string]int) {
	var done []deed
	for _, p := range h.photos {
		if p.active {
			done = append(done, deed{p.minute, 0, p.object})
		}
	}
	for _, t := range h.trips {
		done = append(done, deed{t[0], t[1], ""})
	}
	slices.SortFunc(done, func(a, b deed) int { return cmp.Compare(a.minute, b.minute) })
	progress = map[string]int{}
	for _, a := range historyAwards {
		progress[a.slug] = min(a.goals[2], a.progress(done)) // More than the last goal is not shown.
		for level, goal := range a.goals {
			if progress[a.slug] < goal {
				if !a.permanent {
					h.held[a.slug][level] = ""
				}
				continue
			}
			n := 1
			for a.progress(done[:n]) < goal {
				n++
			}
			h.held[a.slug][level] = modelstest.Noon.Add(time.Duration(done[n-1].minute) * time.Minute).Format("15:04")
		}
	}
	return progress
}

// Histories of photos and trips that come in any order, twice, edited and removed: after each event the progress, the
// levels and their dates of every award are what the model says.
func TestHistoriesEqualTheirModel(t *testing.T) {
	t.Parallel()
	members, seed := 60, rand.Uint64()
	if soak() {
		members = 10_000
	}
	t.Logf("seed %d, %d histories", seed, members)
	r := rand.New(rand.NewPCG(seed, 1))
	w := modelstest.NewAwardWorld(t)
	for _, a := range historyAwards {
		var levels []string
		for i, goal := range a.goals {
			levels = append(levels, fmt.Sprintf(`{"title":"L%d","goal":%s}`, i+1, halves(goal)))
		}
		permanence := map[bool]string{true: "permanent", false: "live"}[a.permanent]
		w.Runs(fmt.Sprintf(`{"slug":%q,"title":"T","permanence":%q,%s,"levels":[%s]}`, a.slug, permanence, a.rest, strings.Join(levels, ",")))
	}
	all := make([]*history, members)
	for n := range all {
		modelstest.Member(t, w.DB, fmt.Sprint("m", n), nil, w.Now)
		all[n] = &history{photos: map[string]*happened{}, trips: map[string][2]int{}, held: map[string][]string{}}
		for _, a := range historyAwards {
			all[n].held[a.slug] = make([]string, len(a.goals))
		}
	}
	for round := range 12 {
		var list []rules.Event
		want := map[string]string{}
		for n, h := range all {
			name := fmt.Sprint("m", n)
			list = append(list, h.next(r, name, round))
			progress := h.settle()
			for _, a := range historyAwards {
				want[name+" "+a.slug] = halves(progress[a.slug]) + " " + strings.Join(h.held[a.slug], ",")
			}
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for part := range slices.Chunk(list, 1000) {
			w.Sends(part...)
		}
		compareHistories(w, want, round)
		if t.Failed() {
			return
		}
	}
	if list, _, _ := differences(w); len(list) > 0 {
		t.Errorf("the check finds %d differences: %s", len(list), list[0])
	}
}

func compareHistories(w *modelstest.AwardWorld, want map[string]string, round int) {
	w.Helper()
	var rows []struct{ Of, Is string }
	err := w.DB.Raw(`
		SELECT m.name || ' ' || a.slug AS of, coalesce(trim_scale(u.progress), 0) || ' ' || (
			SELECT string_agg(coalesce(to_char(g.granted_at AT TIME ZONE 'UTC', 'HH24:MI'), ''), ',' ORDER BY l)
			FROM generate_series(1, 3) l LEFT JOIN award_grants g ON g.member_id = m.id AND g.award_id = a.id AND g.level = l AND g.revoked_at IS NULL) AS is
		FROM members m CROSS JOIN awards a LEFT JOIN user_awards u ON u.member_id = m.id AND u.award_id = a.id WHERE m.name LIKE 'm%'`).Scan(&rows).Error
	if err != nil {
		w.Fatal(err)
	}
	if len(rows) != len(want) {
		w.Fatalf("%d standings, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		if row.Is != want[row.Of] {
			w.Errorf("round %d: %s is %q, want %q", round, row.Of, row.Is, want[row.Of])
		}
	}
}
