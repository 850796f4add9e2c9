package retrieval_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// A calendar is one that a test writes.
type calendar struct{ list []sites.Contest }

func (c *calendar) Contests(context.Context, sites.Getter) ([]sites.Contest, error) {
	return c.list, nil
}

// Who had a rated contest lately is retrieved ten minutes after the next one has ended, once.
func TestContestMakesDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1})
	site, _ := sites.ByName("codeforces")
	read := w.Now().Add(-time.Hour)
	later := w.Now().Add(48 * time.Hour)
	m := modelstest.Member(t, w.DB.DB, "ada", nil, read)
	a := members.Account{MemberID: m.ID, Site: "codeforces", Handle: "ada", CreatedAt: read, Schedule: members.Schedule{State: members.StateActive, Outcome: pg.OutcomeOK, LastRetrievedAt: &read, LastAttemptAt: &read, DueAt: later}, Coverage: members.Coverage{CompleteUntil: &read}}
	modelstest.Account(t, w.DB.DB, &a)
	if err := w.DB.Exec(`INSERT INTO ratings (account_id, contest, name, url, rank, rating, rated_at) VALUES (?, '1', '', '', 1, 1, ?)`, a.ID, read).Error; err != nil {
		t.Fatal(err)
	}
	ends := w.Now().Add(30 * time.Minute)
	c := &calendar{[]sites.Contest{{Key: "2", Ends: ends.Add(24 * time.Hour)}, {Key: "1", Ends: ends}, {Key: "0", Ends: read, Over: true}}}
	for _, tt := range []struct {
		after time.Duration
		over  bool
		due   bool
	}{{0, false, false}, {20 * time.Minute, false, false}, {21 * time.Minute, false, false}, {11 * time.Minute, true, true}} {
		w.clock.Pass(tt.after)
		c.list[1].Over = tt.over
		if err := w.Contests(t.Context(), site, c); err != nil {
			t.Fatal(err)
		}
		if due := w.account(t, m.ID, "codeforces").DueAt.Before(w.Now().Add(time.Minute)); due != tt.due {
			t.Errorf("%s later, over %t: due %t, want %t", tt.after, tt.over, due, tt.due)
		}
	}
	if err := w.DB.Exec(`UPDATE account_schedule SET due_at = ?`, later).Error; err != nil {
		t.Fatal(err)
	}
	w.clock.Pass(13 * time.Hour)
	if err := w.Contests(t.Context(), site, c); err != nil {
		t.Fatal(err)
	}
	if got := w.account(t, m.ID, "codeforces").DueAt; !got.Equal(later) {
		t.Errorf("the same contest made it due again: %s", got)
	}
}

// The stand-in's calendar is read by the real reader, once somebody here is on the site.
func TestContestsOfCodeforces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Seed: 5, People: 1})
	site, _ := sites.ByName("codeforces")
	for read := range 2 {
		if err := w.Contests(t.Context(), site, site.(sites.Calendar)); err != nil {
			t.Fatal(err)
		}
		n := jobstest.Count(t, w.DB, `SELECT count(*) FROM site_streams WHERE kind = 'contests' AND outcome = 'ok' AND due_at > CAST(? AS timestamptz)`, w.Now())
		if n != read {
			t.Errorf("with %d accounts the list of contests was read %d times", read, n)
		}
		if read == 0 {
			m := modelstest.Member(t, w.DB.DB, "ada", nil, w.Now())
			modelstest.Account(t, w.DB.DB, &members.Account{
				MemberID:  m.ID,
				Site:      "codeforces",
				Handle:    "ada",
				CreatedAt: w.Now(),
				Schedule:  members.Schedule{State: members.StateActive, DueAt: w.Now()},
			})
			w.clock.Pass(2 * time.Hour)
		}
	}
}
