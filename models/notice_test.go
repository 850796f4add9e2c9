package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/models"
	pg "laurel/models/db"
)

// photosOfThree is an award that progress takes back.
const photosOfThree = `{"slug":"three","title":"Three","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
	"strategy":{"objective_id":"o","goal":3}}`

// settles lets time pass and the outbox work.
func (w *awardWorld) settles(after time.Duration) {
	w.Helper()
	w.now = w.now.Add(after)
	for busy := true; busy; {
		n, err := models.SettleNotices(w.Context(), w.db, models.Ways{Mail: true, Webhook: true}, 100, w.now)
		if err != nil {
			w.Fatal(err)
		}
		again, err := models.AnnounceAwards(w.Context(), w.db, 2, w.now)
		if err != nil {
			w.Fatal(err)
		}
		busy = n > 0 || again
	}
}

// told are the sentences on a member's page, oldest first.
func (w *awardWorld) told(member string) string {
	w.Helper()
	m, err := models.MemberByName(w.Context(), w.db, member)
	if err != nil {
		w.Fatal(err)
	}
	lines, _, err := models.NoticesOf(w.Context(), w.db, m.ID, pg.Cursor{}, 100)
	if err != nil {
		w.Fatal(err)
	}
	var out []string
	for i := range lines {
		out = append([]string{lines[i].Sentence()}, out...)
	}
	return strings.Join(out, " ")
}

func (w *awardWorld) hears(member, want string) {
	w.Helper()
	if got := w.told(member); got != want {
		w.Errorf("%s was told %q, want %q", member, got, want)
	}
}

// photos are of ada's, from number first to last, and fresh.
func (w *awardWorld) photos(first, last, seq int, status string) {
	w.Helper()
	for i := first; i <= last; i++ {
		e := item("photo", fmt.Sprint("p", i), seq, status, 0, nil)
		e.At = w.now.Add(time.Duration(i)*time.Second - time.Hour)
		w.sends(e)
	}
}

func TestAGrantIsTold(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada", "grace")
	w.runs(photosOfThree)
	w.photos(1, 3, 1, "active")
	w.settles(59 * time.Second)
	w.hears("ada", "")
	w.settles(time.Second)
	w.hears("ada", "You earned Three.")
	w.hears("grace", "")
}

func TestFlappingIsToldOnce(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(photosOfThree)
	w.photos(1, 3, 1, "active")
	for seq := 2; seq < 10; seq++ { // Goes and comes within the minute.
		w.photos(1, 1, seq, []string{"blocked", "active"}[seq%2])
	}
	w.settles(30 * time.Second)
	w.settles(time.Minute)
	w.hears("ada", "You earned Three.")
	for seq := 10; seq < 20; seq++ { // And stays for long each time.
		w.photos(1, 1, seq, []string{"blocked", "active"}[seq%2])
		w.settles(2 * time.Minute)
	}
	w.hears("ada", "You earned Three. Three was taken back, and you have it again.")
}

func TestALossWithinTheDelayCancelsBoth(t *testing.T) {
	t.Parallel()
	w := newAwardWorld(t, "ada")
	w.runs(photosOfThree)
	w.photos(1, 3, 1, "active")
	w.now = w.now.Add(20 * time.Second)
	w.photos(1, 1, 2, "blocked")
	w.settles(2 * time.Minute)
	w.hears("ada", "")
	w.photos(1, 1, 3, "active") // It was never told, so it is told now.
	w.settles(2 * time.Minute)
	w.hears("ada", "You earned Three.")
	w.photos(1, 1, 4, "blocked")
	w.settles(2 * time.Minute)
	w.hears("ada", "You earned Three. Three was taken back: progress fell to 2 of 3.")
}
