package jobs_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// What a team submitted is everybody's of it: a look at one stores it of the others, also
// while their own lists cannot be read; and their next look finds it there.
func TestATeamsRowsAreEverybodysOfIt(t *testing.T) {
	t.Parallel()
	team, down := sites.Submission{}, false
	w, members := newFake(t, &fakeSite{submissions: func(_ context.Context, _ sites.Getter, a sites.Account) ([]sites.Submission, error) {
		rows := []sites.Submission{made(a.Handle, modelstest.Noon.AddDate(0, -1, 0))}
		switch {
		case a.Handle == "bob" && down:
			return nil, sites.ErrServer
		case team.ID == "":
			return rows, nil
		case a.Handle == "ada":
			for _, mate := range []string{"Bob", "somebody-else"} {
				a.Share(sites.Fed{Handle: mate, Submission: team})
			}
		}
		return append(rows, team), nil
	}}, "ada", "bob", "cleo")
	w.round(t)
	before := w.account(t, members["bob"].ID, "fake")
	w.clock.Pass(48 * time.Hour)
	team, down = made("team", w.Now().Add(-30*time.Hour)), true
	team.Unlisted = true
	w.round(t)
	a := w.account(t, members["bob"].ID, "fake")
	if rows := w.stored(t, members["bob"].ID, "fake"); rows["team"].Status != sites.AC || len(rows) != 2 || a.Submissions != 2 {
		t.Errorf("%d rows of bob are there, %d are counted: %v", len(rows), a.Submissions, rows)
	}
	if a.UnlistedAt == nil || !a.UnlistedAt.Equal(team.At) || !a.CompleteUntil.Equal(*before.CompleteUntil) {
		t.Errorf("bob is complete until %s, was until %s; the row that no feed lists is of %v", a.CompleteUntil, before.CompleteUntil, a.UnlistedAt)
	}
	if n := len(w.stored(t, members["cleo"].ID, "fake")); n != 2 { // Of her own list.
		t.Errorf("%d rows of cleo are there", n)
	}
	down = false
	w.clock.Pass(48 * time.Hour)
	w.round(t)
	if a := w.account(t, members["bob"].ID, "fake"); a.Submissions != 2 || a.Outcome != pg.OutcomeOK {
		t.Errorf("after bob's own list: %d rows, %s", a.Submissions, a.Outcome)
	}
	if n := jobstest.Count(t, w.DB, `SELECT count(*) FROM archive_pages p WHERE p.address = 'ada' AND p.viewer = 'bob'`); n != 1 {
		t.Errorf("ada's list is the evidence of bob's row %d times", n)
	}
}
