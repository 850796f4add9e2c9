package awards_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

const threePhotos = `{"slug":"three","title":"Three","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
	"strategy":{"objective_id":"o","goal":3},"levels":[{"title":"I","goal":1},{"title":"II","goal":3}]}`

func TestWhatIsGivenByHandStays(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace")
	w.Runs(threePhotos)
	w.ByHand(w.Grants, awards.ByHand{Member: "ada", Award: "three", Note: "a gift"})
	w.Holds("ada", "three", "1 locked, 2 locked")
	w.Sends(modelstest.Item("photo", "p1", 1, "active", 1, nil))
	w.Sends(modelstest.Item("photo", "p1", 2, "blocked", 2, nil))
	w.Holds("ada", "three", "1 locked, 2 locked")

	w.ByHand(w.Revokes, awards.ByHand{Member: "ada", Award: "three", Level: 2, Note: "one too many"})
	w.Holds("ada", "three", "1 locked")
	for i := range 5 {
		w.Sends(modelstest.Item("photo", fmt.Sprint("q", i), 1, "active", i, nil))
	}
	w.Holds("ada", "three", "1 locked") // Progress does not give back what was taken by hand.
	w.ByHand(w.Grants, awards.ByHand{Member: "ADA", Award: "three", Note: "well, earned"})
	w.Holds("ada", "three", "1 locked, 2 locked")
	var log []string
	if err := w.DB.Raw(`SELECT what || ' ' || g.level || ': ' || reason || ' by ' || author FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id ORDER BY l.id`).Scan(&log).Error; err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(log, ", "), "granted 1: a gift by root, granted 2: a gift by root, revoked 2: one too many by root, kept 1: well, earned by root, granted again 2: well, earned by root"; got != want {
		t.Errorf("the log says %s\nwant %s", got, want)
	}
}

func TestByHandRefuses(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace")
	w.Runs(threePhotos)
	if err := w.DB.Exec(`UPDATE members SET custom = true, role = 'member' WHERE name = 'grace'`).Error; err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		by    awards.ByHand
		field string
	}{
		{"no note", awards.ByHand{Member: "ada", Award: "three"}, "note"},
		{"a blank note", awards.ByHand{Member: "ada", Award: "three", Note: " \x00"}, "note"},
		{"a long note", awards.ByHand{Member: "ada", Award: "three", Note: strings.Repeat("x", 1001)}, "note"},
		{"a custom member", awards.ByHand{Member: "grace", Award: "three", Note: "n"}, "member"},
		{"no such level", awards.ByHand{Member: "ada", Award: "three", Level: 3, Note: "n"}, "level"},
		{"a level below 0", awards.ByHand{Member: "ada", Award: "three", Level: -1, Note: "n"}, "level"},
		{"a period of what has none", awards.ByHand{Member: "ada", Award: "three", Period: "2026-11-01", Note: "n"}, "period"},
		{"no period", awards.ByHand{Member: "ada", Award: "three", Period: "x", Note: "n"}, "period"},
	} {
		for _, do := range []func(awards.ByHand) error{w.Grants, w.Revokes} {
			input, ok := errors.AsType[*pg.InputError](do(tt.by))
			if !ok || input.Field != tt.field {
				t.Errorf("%s: %v, want a mistake in %s", tt.name, input, tt.field)
			}
		}
	}
	for _, by := range []awards.ByHand{{Member: "nobody", Award: "three", Note: "n"}, {Member: "ada", Award: "four", Note: "n"}} {
		if err := w.Grants(by); !errors.Is(err, pg.ErrNotFound) {
			t.Errorf("%+v: %v", by, err)
		}
	}
	if input, ok := errors.AsType[*pg.InputError](w.Revokes(awards.ByHand{Member: "ada", Award: "three", Note: "n"})); !ok || input.Field != "award" {
		t.Errorf("taking what nobody has: %v", input)
	}
}

func TestBannedMembersAreGrantedNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(threePhotos)
	ban := func(banned bool) {
		t.Helper()
		if _, err := awards.BanMember(t.Context(), w.DB, "ada", awards.Ban{Banned: banned, Author: "root", Note: "cheated"}, w.Now); err != nil {
			t.Fatal(err)
		}
		w.Works()
	}
	ban(true)
	for i := range 3 {
		w.Sends(modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", i, nil))
	}
	w.Wants("ada", "three", "3 of 3")
	if input, ok := errors.AsType[*pg.InputError](w.Grants(awards.ByHand{Member: "ada", Award: "three", Note: "n"})); !ok || input.Field != "member" {
		t.Errorf("a gift for one who is banned: %v", input)
	}
	ban(true) // Again changes nothing.
	ban(false)
	w.Holds("ada", "three", "1, 2")
	m, err := members.ByName(t.Context(), w.DB, "ada")
	if err != nil || m.BannedAt != nil {
		t.Errorf("%+v, %v", m, err)
	}
	if bans, err := awards.BansOf(t.Context(), w.DB, m.ID); err != nil || len(bans) != 2 || bans[0].Banned || bans[1].Note != "cheated" {
		t.Errorf("%+v, %v", bans, err)
	}
}

func TestGrantsByHandAreNotified(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(threePhotos)
	w.ByHand(w.Grants, awards.ByHand{Member: "ada", Award: "three", Note: "a gift"})
	var notices []string
	if err := w.DB.Raw(`SELECT kind || ' ' || level FROM notices ORDER BY level`).Scan(&notices).Error; err != nil || strings.Join(notices, ", ") != "granted 1, granted 2" {
		t.Errorf("%v, %v", notices, err)
	}
}

// While workers grant and take by progress, an admin does so by hand: what the
// admin did last is what holds in the end.
func TestByHandAndWorkersDoNotCross(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(threePhotos)
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := w.DB.Exec(`INSERT INTO award_pending (award_id, member_id, period) SELECT a.id, m.id, '' FROM awards a, members m`).Error; err != nil {
					t.Error(err)
				}
				if _, err := awards.Evaluate(t.Context(), w.DB, w.Ruleset, 100, w.Now); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 40 {
		if err := w.Grants(awards.ByHand{Member: "ada", Award: "three", Note: "given", Author: "root"}); err != nil {
			t.Fatal(err)
		}
		w.Holds("ada", "three", "1 locked, 2 locked")
		if err := w.Revokes(awards.ByHand{Member: "ada", Award: "three", Note: "taken", Author: "root"}); err != nil {
			t.Fatal(err)
		}
		w.Holds("ada", "three", "")
	}
	close(stop)
	workers.Wait()
	w.Works()
	w.Holds("ada", "three", "")
}
