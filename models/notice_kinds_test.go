package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/models"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

func TestOneStepAwayIsToldOnce(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(photosOfThree)
	w.works()
	w.settles(time.Hour) // It is announced to nobody.
	w.photos(1, 1, 1, "active")
	w.settles(time.Hour)
	w.hears("ada", "")
	w.photos(2, 2, 1, "active")
	w.settles(time.Minute)
	w.hears("ada", "You are one step away from Three.")
	for seq := 2; seq < 8; seq++ {
		w.photos(2, 2, seq, []string{"blocked", "active"}[seq%2])
		w.settles(time.Hour)
	}
	w.hears("ada", "You are one step away from Three.")
	w.photos(3, 3, 1, "active")
	w.settles(time.Hour)
	w.photos(1, 1, 2, "blocked")
	w.settles(time.Hour)
	w.hears("ada", "You are one step away from Three. You earned Three. Three was taken back: progress fell to 2 of 3.")
}

func TestOneStepThatDoesNotLastIsNotTold(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(photosOfThree)
	w.settles(time.Hour)
	w.photos(1, 2, 1, "active")
	w.now = w.now.Add(30 * time.Second)
	w.photos(2, 2, 2, "blocked")
	w.settles(time.Hour)
	w.hears("ada", "")
	w.photos(2, 2, 3, "active")
	w.settles(time.Hour)
	w.hears("ada", "You are one step away from Three.")
}

// Of several levels at once only the highest is told.
func TestALevelComesWithTheLowerOnes(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(`{"slug":"l","title":"L","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
		"strategy":{"objective_id":"o","goal":9},"levels":[{"title":"Bronze","goal":2},{"title":"Silver","goal":4},{"title":"Gold","goal":9}]}`)
	var events []rules.Event
	for i := range 4 {
		e := item("photo", fmt.Sprint("p", i), 1, "active", 0, nil)
		e.At = w.now
		events = append(events, e)
	}
	w.sends(events...)
	w.settles(time.Minute)
	w.hears("ada", "You earned L, Silver.")
	w.photos(0, 3, 2, "blocked")
	w.settles(time.Hour)
	w.hears("ada", "You earned L, Silver. L, Silver was taken back: progress fell to 3 of 9.")
}

func TestOlderAwardsAreToldInOneLine(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	for i := range 3 {
		w.sends(item("photo", fmt.Sprint("p", i), 1, "active", i, nil))
	}
	w.now = w.now.AddDate(0, 0, 7)
	for goal := 1; goal <= 3; goal++ {
		w.runs(fmt.Sprintf(`{"slug":"a%d","title":"A%d","objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":%d}}`, goal, goal, goal))
	}
	w.works()
	w.settles(time.Hour)
	w.hears("ada", "3 older awards were found: A1, A2 and A3.")
	w.settles(time.Hour)
	w.hears("ada", "3 older awards were found: A1, A2 and A3.")
}

func TestNewAwardsAreToldToThoseWhomTheyFit(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada", "grace", "bob")
	names := []string{"ada", "bob"}
	for _, name := range names {
		for i := range map[string]int{"ada": 2, "bob": 9}[name] {
			e := item("photo", fmt.Sprint(name, i), 1, "active", i, nil)
			e.Member = name
			w.sends(e)
		}
	}
	award := func(slug string) {
		w.runs(fmt.Sprintf(`{"slug":%q,"title":%q,"objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":9}}`, slug, strings.ToUpper(slug)))
	}
	award("a")
	award("b")
	w.settles(9 * time.Minute)
	w.works()
	w.settles(time.Minute) // The announcement is due.
	w.hears("ada", "")
	award("c")
	w.works()
	w.settles(time.Minute)
	w.hears("ada", "There are 2 new awards, and you have begun them already: A and B.")
	w.settles(23 * time.Hour)
	w.hears("ada", "There are 2 new awards, and you have begun them already: A and B.")
	w.settles(time.Hour)
	w.hears("ada", "There are 2 new awards, and you have begun them already: A and B. There is a new award, and you have begun it already: C.")
	w.hears("grace", "")
	w.hears("bob", "You earned A. You earned B. You earned C.")
	if err := models.MoveAward(t.Context(), w.db, "a", rules.Paused, w.now); err != nil {
		t.Fatal(err)
	}
	award("a") // Not for the first time.
	w.works()
	w.settles(48 * time.Hour)
	w.hears("ada", "There are 2 new awards, and you have begun them already: A and B. There is a new award, and you have begun it already: C.")
}

func TestWhoIsNotTold(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after func(w *awardWorld) error // The grant, and before it is told.
		want  string
	}{
		"a banned member": {func(w *awardWorld) error {
			_, err := models.BanMember(w.Context(), w.db, "ada", true, "root", "cheated", w.now)
			return err
		}, ""},
		"of a paused award":            {func(w *awardWorld) error { return models.MoveAward(w.Context(), w.db, "three", rules.Paused, w.now) }, ""},
		"of a hidden award":            {func(w *awardWorld) error { return models.MoveAward(w.Context(), w.db, "three", rules.Hidden, w.now) }, ""},
		"of a retired award, they are": {func(w *awardWorld) error { return models.MoveAward(w.Context(), w.db, "three", rules.Retired, w.now) }, "You earned Three."},
		"of a secret award, they are":  {func(w *awardWorld) error { return models.SetSecret(w.Context(), w.db, "three", true) }, "You earned Three."},
		"who is gone": {func(w *awardWorld) error {
			m, err := models.MemberByName(w.Context(), w.db, "ada")
			if err == nil {
				err = models.DeleteMember(w.Context(), w.db, m.ID)
			}
			return err
		}, "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newAwardWorld(t, "ada")
			w.runs(photosOfThree)
			w.photos(1, 3, 1, "active")
			if err := tt.after(w); err != nil {
				t.Fatal(err)
			}
			w.settles(time.Hour)
			if tt.want != "-" {
				w.hears("ada", tt.want)
			} else if n := w.count(`SELECT count(*) FROM notices`); n != 0 {
				t.Errorf("%d notices of who is gone", n)
			}
		})
	}
}

func TestASecretAwardIsToldOnlyWhenGranted(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(photosOfThree)
	if err := models.SetSecret(t.Context(), w.db, "three", true); err != nil {
		t.Fatal(err)
	}
	w.photos(1, 2, 1, "active")
	w.settles(time.Hour)
	w.hears("ada", "")
	w.photos(3, 3, 1, "active")
	w.settles(time.Hour)
	w.photos(3, 3, 2, "blocked")
	w.settles(time.Hour)
	w.hears("ada", "You earned Three.")
}

func (w *awardWorld) count(query string) (n int) {
	w.Helper()
	if err := w.db.Raw(query).Scan(&n).Error; err != nil {
		w.Fatal(err)
	}
	return n
}

func TestNoticesArePagedAndCleanedUp(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	for i := range 5 {
		w.runs(fmt.Sprintf(`{"slug":"a%d","title":"A%d","objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":%d}}`, i, i, i+1))
		w.photos(i, i, 1, "active")
		w.settles(2 * time.Minute)
	}
	m, err := models.MemberByName(t.Context(), w.db, "ada")
	if err != nil {
		t.Fatal(err)
	}
	var seen []int64
	for cursor, first := (pg.Cursor{}), true; first || cursor != (pg.Cursor{}); first = false {
		lines, next, err := models.NoticesOf(t.Context(), w.db, m.ID, cursor, 2)
		if err != nil || len(lines) > 2 {
			t.Fatal(lines, err)
		}
		for _, l := range lines {
			seen = append(seen, l.ID)
		}
		cursor = next
	}
	if all := w.count(`SELECT count(*) FROM notices WHERE shown`); len(seen) != all || all < 5 {
		t.Errorf("saw %d, there are %d", len(seen), all)
	}
	if err := pg.CleanUp(t.Context(), w.db, w.now.AddDate(0, 11, 0)); err != nil || w.count(`SELECT count(*) FROM notices`) == 0 {
		t.Fatal("cleaned up too early", err)
	}
	if err := pg.CleanUp(t.Context(), w.db, w.now.AddDate(1, 0, 1)); err != nil || w.count(`SELECT count(*) FROM notices`) > 0 {
		t.Error("not cleaned up", err)
	}
}
