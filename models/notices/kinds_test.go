package notices_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/models/accounts"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/notices"
)

func TestOneStepAwayIsNotifiedOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photosOfThree)
	w.Works()
	w.RunOutbox(time.Hour) // It is announced to nobody.
	w.Photos(1, 1, 1, "active")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "")
	w.Photos(2, 2, 1, "active")
	w.RunOutbox(time.Minute)
	w.Hears("ada", "You are one step away from Three.")
	for seq := 2; seq < 8; seq++ {
		w.Photos(2, 2, seq, []string{"blocked", "active"}[seq%2])
		w.RunOutbox(time.Hour)
	}
	w.Hears("ada", "You are one step away from Three.")
	w.Photos(3, 3, 1, "active")
	w.RunOutbox(time.Hour)
	w.Photos(1, 1, 2, "blocked")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "You are one step away from Three. You earned Three. Three was taken back: progress fell to 2 of 3.")
}

func TestOneStepThatDoesNotLastIsNotNotified(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photosOfThree)
	w.RunOutbox(time.Hour)
	w.Photos(1, 2, 1, "active")
	w.Now = w.Now.Add(30 * time.Second)
	w.Photos(2, 2, 2, "blocked")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "")
	w.Photos(2, 2, 3, "active")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "You are one step away from Three.")
}

// Of several levels at once only the highest is notified.
func TestALevelComesWithTheLowerOnes(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(`{"slug":"l","title":"L","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
		"strategy":{"objective_id":"o","goal":9},"levels":[{"title":"Bronze","goal":2},{"title":"Silver","goal":4},{"title":"Gold","goal":9}]}`)
	var events []rules.Event
	for i := range 4 {
		e := modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", 0, nil)
		e.At = w.Now
		events = append(events, e)
	}
	w.Sends(events...)
	w.RunOutbox(time.Minute)
	w.Hears("ada", "You earned L, Silver.")
	w.Photos(0, 3, 2, "blocked")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "You earned L, Silver. L, Silver was taken back: progress fell to 3 of 9.")
}

func TestOlderAwardsAreOneLine(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	for i := range 3 {
		w.Sends(modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", i, nil))
	}
	w.Now = w.Now.AddDate(0, 0, 7)
	for goal := 1; goal <= 3; goal++ {
		w.Runs(fmt.Sprintf(`{"slug":"a%d","title":"A%d","objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":%d}}`, goal, goal, goal))
	}
	w.Works()
	w.RunOutbox(time.Hour)
	w.Hears("ada", "Found 3 awards you had already earned: A1, A2 and A3.")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "Found 3 awards you had already earned: A1, A2 and A3.")
}

func TestNewAwardsAreNotifiedToThoseWhoStarted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace", "bob")
	names := []string{"ada", "bob"}
	for _, name := range names {
		for i := range map[string]int{"ada": 2, "bob": 9}[name] {
			e := modelstest.Item("photo", fmt.Sprint(name, i), 1, "active", i, nil)
			e.Member = name
			w.Sends(e)
		}
	}
	award := func(slug string) {
		w.Runs(fmt.Sprintf(`{"slug":%q,"title":%q,"objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":9}}`, slug, strings.ToUpper(slug)))
	}
	award("a")
	award("b")
	w.RunOutbox(9 * time.Minute)
	w.Works()
	w.RunOutbox(time.Minute) // The announcement is due.
	w.Hears("ada", "")
	award("c")
	w.Works()
	w.RunOutbox(time.Minute)
	w.Hears("ada", "2 new awards, and you have already started them: A and B.")
	w.RunOutbox(23 * time.Hour)
	w.Hears("ada", "2 new awards, and you have already started them: A and B.")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "2 new awards, and you have already started them: A and B. New award, and you have already started it: C.")
	w.Hears("grace", "")
	w.Hears("bob", "You earned A. You earned B. You earned C.")
	if err := awards.SetState(t.Context(), w.DB, "a", rules.Paused, w.Now); err != nil {
		t.Fatal(err)
	}
	award("a") // Not for the first time.
	w.Works()
	w.RunOutbox(48 * time.Hour)
	w.Hears("ada", "2 new awards, and you have already started them: A and B. New award, and you have already started it: C.")
}

func TestWhoIsNotNotified(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after func(w *modelstest.AwardWorld) error // The grant, and before it is notified.
		want  string
	}{
		"a banned member": {func(w *modelstest.AwardWorld) error {
			_, err := awards.BanMember(w.Context(), w.DB, "ada", awards.Ban{Banned: true, Author: "root", Note: "cheated"}, w.Now)
			return err
		}, ""},
		"of a paused award": {func(w *modelstest.AwardWorld) error {
			return awards.SetState(w.Context(), w.DB, "three", rules.Paused, w.Now)
		}, ""},
		"of a hidden award": {func(w *modelstest.AwardWorld) error {
			return awards.SetState(w.Context(), w.DB, "three", rules.Hidden, w.Now)
		}, ""},
		"of a retired award, they are": {func(w *modelstest.AwardWorld) error {
			return awards.SetState(w.Context(), w.DB, "three", rules.Retired, w.Now)
		}, "You earned Three."},
		"of a secret award, they are": {func(w *modelstest.AwardWorld) error { return awards.SetSecret(w.Context(), w.DB, "three", true) }, "You earned Three."},
		"who is gone": {func(w *modelstest.AwardWorld) error {
			m, err := members.ByName(w.Context(), w.DB, "ada")
			if err == nil {
				err = accounts.Delete(w.Context(), w.DB, m.ID)
			}
			return err
		}, "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewAwardWorld(t, "ada")
			w.Runs(photosOfThree)
			w.Photos(1, 3, 1, "active")
			if err := tt.after(w); err != nil {
				t.Fatal(err)
			}
			w.RunOutbox(time.Hour)
			if tt.want != "-" {
				w.Hears("ada", tt.want)
			} else if n := w.Count(`SELECT count(*) FROM notices`); n != 0 {
				t.Errorf("%d notices of who is gone", n)
			}
		})
	}
}

func TestASecretAwardIsNotifiedOnlyWhenGranted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photosOfThree)
	if err := awards.SetSecret(t.Context(), w.DB, "three", true); err != nil {
		t.Fatal(err)
	}
	w.Photos(1, 2, 1, "active")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "")
	w.Photos(3, 3, 1, "active")
	w.RunOutbox(time.Hour)
	w.Photos(3, 3, 2, "blocked")
	w.RunOutbox(time.Hour)
	w.Hears("ada", "You earned Three.")
}

func TestNoticesArePagedAndCleanedUp(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	for i := range 5 {
		w.Runs(fmt.Sprintf(`{"slug":"a%d","title":"A%d","objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":%d}}`, i, i, i+1))
		w.Photos(i, i, 1, "active")
		w.RunOutbox(2 * time.Minute)
	}
	m, err := members.ByName(t.Context(), w.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	var seen []int64
	for cursor, first := (pg.Cursor{}), true; first || cursor != (pg.Cursor{}); first = false {
		lines, next, err := notices.Of(t.Context(), w.DB, m.ID, cursor, 2)
		if err != nil || len(lines) > 2 {
			t.Fatal(lines, err)
		}
		for _, l := range lines {
			seen = append(seen, l.ID)
		}
		cursor = next
	}
	if all := w.Count(`SELECT count(*) FROM notices WHERE shown`); len(seen) != all || all < 5 {
		t.Errorf("saw %d, there are %d", len(seen), all)
	}
	if err := pg.CleanUp(t.Context(), w.DB, w.Now.AddDate(0, 11, 0)); err != nil || w.Count(`SELECT count(*) FROM notices`) == 0 {
		t.Fatal("cleaned up too early", err)
	}
	if err := pg.CleanUp(t.Context(), w.DB, w.Now.AddDate(1, 0, 1)); err != nil || w.Count(`SELECT count(*) FROM notices`) > 0 {
		t.Error("not cleaned up", err)
	}
}
