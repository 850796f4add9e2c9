package models_test

import (
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
	count := func() int {
		t.Helper()
		n, err := models.RoundOpen(t.Context(), p.db.DB, "codeforces", begins, ends, 24*time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 2 {
		t.Errorf("%d are open of the round, want 2", n)
	}
	a := p.account(2) // In another round, ten hours before.
	if _, err := models.StorePage(t.Context(), p.db.DB, &a, []models.Found{{ID: "1", At: *ago(60), ProblemKey: "1A", Status: "WA", Verdict: "WRONG_ANSWER", Final: true}}, 1, time.Minute, p.now); err != nil {
		t.Fatal(err)
	}
	if err := models.CloseRound(t.Context(), p.db.DB, "codeforces", begins, ends, []time.Time{*ago(61)}, []time.Time{*ago(59)}); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 1 || p.account(1).OpenAt != nil || p.account(2).OpenAt == nil || p.account(3).OpenAt == nil {
		t.Errorf("%d are open still, want the one who was in two rounds", n)
	}
	p.now = p.now.Add(time.Minute)
	if n := p.finish(p.ids[1:4], nil); n != 1 || !p.account(1).LastRetrievedAt.Equal(p.now) {
		t.Errorf("the probe stands for %d looks, want that of who was in the round that was read again", n)
	}
}
