package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel/models"
	"laurel/models/modelstest"
)

// While verdicts of a round may still change, a look would have to come again, so a probe
// stands for it; then the look is needed, unless the round was read once more.
func TestRoundOpen(t *testing.T) {
	t.Parallel()
	ago := func(h int) *time.Time { at := modelstest.Noon.Add(time.Duration(-h) * time.Hour); return &at }
	open := []*time.Time{ago(10), ago(50), ago(51), ago(52), nil}
	p := newProbing(t, 5, func(i int, a *models.Account) { a.OpenAt, a.NewestAt = open[i], ago(50) })
	if n := p.finish(p.ids, nil); n != 2 {
		t.Errorf("the probe stands for %d looks, want those of who is in a round of today, and of who was in none", n)
	}
	begins, ends := *ago(51), *ago(49)
	for i, h := range []int{10, 50, 51, 52} {
		a := p.account(i)
		row := models.Found{ID: fmt.Sprint("s", i), At: *ago(h), ProblemKey: "1A", Status: "WA", Verdict: "WRONG_ANSWER", Final: true}
		if _, err := models.StorePage(t.Context(), p.db.DB, &a, []models.Found{row}, 1, time.Minute, p.now); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.db.Exec(`UPDATE accounts SET new_rows = 0`).Error; err != nil { // As when the look has ended.
		t.Fatal(err)
	}
	count := func(want ...string) {
		t.Helper()
		got, err := models.RoundOpen(t.Context(), p.db.DB, "codeforces", begins, ends, 24*time.Hour)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v are open of the round (%v), want %v", got, err, want)
		}
	}
	count("h1", "h2")
	if err := models.CloseRound(t.Context(), p.db.DB, "codeforces", begins, ends, []string{"s1", "another"}); err != nil {
		t.Fatal(err)
	}
	count("h2")
	if p.account(1).OpenAt != nil || p.account(2).OpenAt == nil || p.account(3).OpenAt == nil {
		t.Error("who submitted nothing in the round that was read is closed, or who did is not")
	}
	p.now = p.now.Add(time.Minute)
	if n := p.finish(p.ids[1:4], nil); n != 1 || !p.account(1).LastRetrievedAt.Equal(p.now) {
		t.Errorf("the probe stands for %d looks, want that of who was in the round that was read again", n)
	}
}

// What a round's list brought somebody says nothing of what was beside it: no probe stands
// for the look that reads that, and no cursor moves past it.
func TestProbeAfterRowsThatNobodyLookedFor(t *testing.T) {
	t.Parallel()
	covered, at := modelstest.Noon.Add(-13*24*time.Hour), modelstest.Noon.Add(-time.Hour)
	p := newProbing(t, 1, func(_ int, a *models.Account) { a.CoveredAt = &covered })
	row := models.Fed{Handle: "h0", Found: models.Found{ID: "s0", At: at, ProblemKey: "1A", Status: "WA", Verdict: "WRONG_ANSWER"}}
	if s, err := models.StoreFeed(t.Context(), p.db.DB, models.FeedSource{Site: "codeforces", Address: "https://judge.example/round", Partial: true}, []models.Fed{row}, byRhythm, p.now); err != nil || s.Inserted != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	if n := p.finish(p.ids, nil); n != 0 || !p.account(0).CoveredAt.Equal(covered) {
		t.Errorf("the probe stands for %d looks, and the account is covered until %s", n, p.account(0).CoveredAt)
	}
}

// A look that a probe stands for while verdicts may still change comes when they do not, or
// a round was read again by then.
func TestProbeOfWhatMayChange(t *testing.T) {
	t.Parallel()
	open := modelstest.Noon.Add(-10 * time.Hour)
	p := newProbing(t, 2, func(i int, a *models.Account) {
		if a.NewestAt = &open; i == 0 {
			a.OpenAt = &open
		}
	})
	if n := p.finish(p.ids, nil); n != 2 {
		t.Fatalf("the probe stands for %d looks, want 2", n)
	}
	if due := p.account(0).DueAt; !due.Equal(open.Add(30 * time.Hour)) {
		t.Errorf("the one that was in a round is due %s", due)
	}
	if due := p.account(1).DueAt; !due.After(p.now.Add(30 * time.Hour)) {
		t.Errorf("the other one is due %s", due)
	}
}
