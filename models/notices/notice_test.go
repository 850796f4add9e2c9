package notices_test

import (
	"testing"
	"time"

	"laurel/models/modelstest"
)

// photosOfThree is an award that progress takes back.
const photosOfThree = `{"slug":"three","title":"Three","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}}],
	"strategy":{"objective_id":"o","goal":3}}`

func TestAGrantIsNotified(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace")
	w.Runs(photosOfThree)
	w.Photos(1, 3, 1, "active")
	w.RunOutbox(59 * time.Second)
	w.Hears("ada", "")
	w.RunOutbox(time.Second)
	w.Hears("ada", "You earned Three.")
	w.Hears("grace", "")
}

func TestFlappingIsNotifiedOnce(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photosOfThree)
	w.Photos(1, 3, 1, "active")
	for seq := 2; seq < 10; seq++ { // Goes and comes within the minute.
		w.Photos(1, 1, seq, []string{"blocked", "active"}[seq%2])
	}
	w.RunOutbox(30 * time.Second)
	w.RunOutbox(time.Minute)
	w.Hears("ada", "You earned Three.")
	for seq := 10; seq < 20; seq++ { // And stays for long each time.
		w.Photos(1, 1, seq, []string{"blocked", "active"}[seq%2])
		w.RunOutbox(2 * time.Minute)
	}
	w.Hears("ada", "You earned Three. Three was taken back and then earned again.")
}

func TestALossWithinTheDelayCancelsBoth(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	w.Runs(photosOfThree)
	w.Photos(1, 3, 1, "active")
	w.Now = w.Now.Add(20 * time.Second)
	w.Photos(1, 1, 2, "blocked")
	w.RunOutbox(2 * time.Minute)
	w.Hears("ada", "")
	w.Photos(1, 1, 3, "active") // It was never notified, so it is now.
	w.RunOutbox(2 * time.Minute)
	w.Hears("ada", "You earned Three.")
	w.Photos(1, 1, 4, "blocked")
	w.RunOutbox(2 * time.Minute)
	w.Hears("ada", "You earned Three. Three was taken back: progress fell to 2 of 3.")
}
