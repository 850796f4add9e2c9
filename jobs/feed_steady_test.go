package jobs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// A steady list has the newest thousand rows of all, of which so many come a minute; it lacks some.
type steady struct {
	w      *fedWorld
	perMin float64
	still  *time.Time // The list stands still since then.
	fails  error
	rand   *rand.Rand
}

func (s *steady) Feed() sites.FeedInfo {
	return sites.FeedInfo{Address: "x", Fill: 850, PerDay: 0.001, Soonest: 4 * time.Minute, Lacks: "gym"}
}

func (s *steady) FeedPage(_ context.Context, _ sites.Getter, from sites.FeedCursor) (sites.FeedPage, error) {
	now := s.w.Now().Truncate(time.Second)
	if s.still != nil {
		now = *s.still
	}
	of := func(rows float64) time.Duration { return time.Duration(rows / s.perMin * float64(time.Minute)) }
	oldest := now.Add(-of(1000 + 32*s.rand.NormFloat64())).Truncate(time.Second) // So many more or fewer came.
	p := sites.FeedPage{Next: sites.FeedCursor{At: now, ID: "1"}, Until: now, Lasts: now.Sub(oldest) * 850 / 1000}
	if from.ID == "" || oldest.After(from.At) {
		p.Since = oldest.Add(time.Second)
	}
	if from.ID != "" {
		p.Fresh = min(1000, int(now.Sub(from.At).Minutes()*s.perMin))
	}
	return p, s.fails
}

// newSteady is a world whose people were active yesterday and are not to be asked about for eight hours.
func newSteady(t *testing.T, perMin float64) (*fedWorld, *steady) {
	t.Helper()
	w := newFed(t, "codeforces", standin.Options{Seed: 6, People: 40, Strangers: 100, Begin: modelstest.Noon.AddDate(0, -3, 0)})
	s := &steady{w: w, perMin: perMin, rand: rand.New(rand.NewPCG(1, 2))}
	w.feeder, w.Rule.Rhythm = s, true
	w.clock.Pass(24 * time.Hour)
	w.look()
	return w, s
}

func (w *fedWorld) askedLater() {
	w.t.Helper()
	if err := w.DB.Exec(`UPDATE accounts SET probed_at = ?, newest_at = ?`, w.Now().Add(8*time.Hour), w.Now().Add(-24*time.Hour)).Error; err != nil {
		w.t.Fatal(err)
	}
}

// soon counts those who are asked about next, or in two hours with the others who were known two hours ago.
func (w *fedWorld) soon() int {
	return jobstest.Count(w.t, w.DB, `SELECT count(*) FROM accounts WHERE probed_at <= ?`, w.Now().Add(-4*time.Hour))
}

// pass lets time pass in steps, with the feed.
func (w *fedWorld) pass(d, step time.Duration) {
	for ; d > 0; d -= step {
		w.clock.Pass(step)
		w.read()
	}
}

// A list whose pages are of some minutes is read without holes, and after a hole it is again.
func TestAListOfMinutes(t *testing.T) {
	t.Parallel()
	for _, perMin := range []float64{150_000.0 / 1440, 1000.0 / 15} {
		w, s := newSteady(t, perMin)
		w.pass(4*time.Hour, 20*time.Second)
		if f := w.feed(); f.Holes > 0 || f.Until.Sub(*f.Since) < 4*time.Hour-time.Minute {
			t.Errorf("%.0f rows a minute: %d holes, read since %s until %s", perMin, f.Holes, f.Since, f.Until)
		}
		s.perMin *= 20 // A round.
		w.pass(150*time.Minute, time.Minute)
		w.askedLater()
		s.perMin = perMin
		w.pass(4*time.Hour, 20*time.Second)
		f := w.feed()
		if f.Holes != 1 || f.Until.Sub(*f.Since) < 3*time.Hour || f.HoleUntil.Sub(*f.HoleFrom) < 2*time.Hour {
			t.Errorf("%.0f rows a minute, after a round: %d holes, the last from %s until %s; read since %s until %s", perMin, f.Holes, f.HoleFrom, f.HoleUntil, f.Since, f.Until)
		}
		if n := w.soon(); n != len(w.members) {
			t.Errorf("%d of %d are asked about who may have been there in the hole", n, len(w.members))
		}
	}
}

// A list that stood still when it was asked for is asked for again before it has a hole.
func TestAListThatStandsStill(t *testing.T) {
	t.Parallel()
	w, s := newSteady(t, 60)
	w.pass(16*time.Minute, time.Minute)
	s.still = w.feed().Until
	w.clock.Pass(15 * time.Minute)
	w.read()
	if f := w.feed(); f.DueAt.After(w.Now().Add(17 * time.Minute)) {
		t.Errorf("a page is of 17 minutes, and the next pass comes in %s", f.DueAt.Sub(w.Now()))
	}
}

// Whoever may have been there in a hole is asked about once, whenever who reads it may have died.
func TestDeathBehindAHole(t *testing.T) {
	t.Parallel()
	for _, perMin := range []float64{40, 90} {
		t.Run(fmt.Sprint(perMin), func(t *testing.T) {
			t.Parallel()
			w, _ := newSteady(t, perMin)
			w.pass(30*time.Minute, time.Minute)
			w.askedLater()
			w.clock.Pass(3 * time.Hour)
			f, err := models.ClaimFeed(t.Context(), w.DB.DB, models.FeedClaim{Site: "codeforces", Kind: models.KindFeed, PerDay: 0.001, Partial: true}, pg.Lease{ID: "dies", For: time.Minute}, w.Now())
			if err != nil || f == nil {
				t.Fatal(f, err)
			}
			until, since := w.Now(), w.Now().Add(-10*time.Minute)
			if err := models.MoveFeed(t.Context(), w.DB.DB, f, models.FeedStep{CursorAt: &until, CursorID: "1", Until: &until, Since: &since}, time.Minute, until); err != nil {
				t.Fatal(err)
			}
			w.pass(time.Hour, time.Minute)
			if n := w.soon(); n != len(w.members) || !w.feed().HoleAsked {
				t.Errorf("%d of %d are asked about", n, len(w.members))
			}
			w.askedLater()
			w.pass(time.Hour, time.Minute)
			if n := w.soon(); n > 0 {
				t.Errorf("%d are asked about once more", n)
			}
		})
	}
}

// While the list fails for long, or stands still for hours, it shows nothing of anybody: people are
// asked about as without it, and only then.
func TestAListThatTellsNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trouble     func(*fedWorld, *steady)
		early, late time.Duration
	}{
		"it fails":        {func(_ *fedWorld, s *steady) { s.fails = sites.ErrFormat }, 30 * time.Minute, 90 * time.Minute},
		"it stands still": {func(w *fedWorld, s *steady) { s.still = w.feed().Until }, 3 * time.Hour, 4 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := newSteady(t, 60)
			w.pass(40*time.Minute, time.Minute)
			w.askedLater()
			tt.trouble(w, s)
			w.pass(tt.early, time.Minute)
			if n := w.soon(); n > 0 {
				t.Errorf("%d are asked about soon after %s", n, tt.early)
			}
			w.pass(tt.late, time.Minute)
			if n := w.soon(); n != len(w.members) {
				t.Errorf("%d of %d are asked about", n, len(w.members))
			}
			w.askedLater()
			w.pass(6*time.Hour, 10*time.Minute)
			if n := w.soon(); n > 0 {
				t.Errorf("%d are asked about once more", n)
			}
		})
	}
}
