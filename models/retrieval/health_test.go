package retrieval_test

import (
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func healths(t testing.TB, db *gorm.DB, now time.Time) map[string]retrieval.SiteHealth {
	t.Helper()
	list, err := retrieval.SiteHealths(t.Context(), db, now)
	if err != nil {
		t.Fatal(err)
	}
	bySite := map[string]retrieval.SiteHealth{}
	for i, h := range list {
		if i > 0 && list[i-1].Site >= h.Site {
			t.Errorf("%s comes before %s", list[i-1].Site, h.Site)
		}
		bySite[h.Site] = h
	}
	return bySite
}

func TestSiteHealths(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	if got := healths(t, tx, noon); len(got) > 0 {
		t.Errorf("health of nothing: %v", got)
	}
	modelstest.Member(t, tx, "ada", map[string]string{"well": "x", "broken": "y", "never": "z", "fresh": "w", "gone": "v"}, noon.Add(-5*time.Hour))
	at := func(site string, back time.Duration, outcome string) {
		dueNow(t, tx, site)
		now := noon.Add(-back)
		modelstest.Finish(t, tx, modelstest.Claim(t, tx, site, now), retrieval.Result{Outcome: outcome, Message: outcome + "!", Requests: 2}, now)
	}
	at("well", 3*time.Hour, pg.OutcomeServerError)
	at("well", 10*time.Minute, pg.OutcomeOK)
	at("broken", 4*time.Hour, pg.OutcomeOK)
	at("broken", 30*time.Minute, pg.OutcomeBlocked)
	at("broken", 5*time.Minute, pg.OutcomeServerError)
	at("never", 2*time.Hour+time.Minute, pg.OutcomeUnreachable)
	at("gone", time.Minute, pg.OutcomeNotFound)
	got := healths(t, tx, noon)
	for _, tt := range []struct {
		site                           string
		success, failure, failingSince *time.Time
		outcome                        string
		requests, retrievals, failures int
	}{
		{"well", ptr(noon.Add(-10 * time.Minute)), ptr(noon.Add(-3 * time.Hour)), nil, pg.OutcomeServerError, 2, 1, 0},
		{"broken", ptr(noon.Add(-4 * time.Hour)), ptr(noon.Add(-5 * time.Minute)), ptr(noon.Add(-4 * time.Hour)), pg.OutcomeServerError, 4, 2, 2},
		{"never", nil, ptr(noon.Add(-2*time.Hour - time.Minute)), ptr(noon.Add(-2*time.Hour - time.Minute)), pg.OutcomeUnreachable, 0, 0, 0},
		{"fresh", nil, nil, nil, "", 0, 0, 0},
		{"gone", ptr(noon.Add(-time.Minute)), nil, nil, "", 2, 1, 0}, // The site answered.
	} {
		h := got[tt.site]
		if !equal(h.LastSuccess, tt.success) || !equal(h.LastFailure, tt.failure) || !equal(h.FailingSince, tt.failingSince) || h.Outcome != tt.outcome {
			t.Errorf("%s: success %v, failure %v, failing since %v, %s; want %v, %v, %v, %s", tt.site, h.LastSuccess, h.LastFailure, h.FailingSince, h.Outcome, tt.success, tt.failure, tt.failingSince, tt.outcome)
		}
		if h.Requests != tt.requests || h.Retrievals != tt.retrievals || h.Failures != tt.failures || h.Accounts != 1 {
			t.Errorf("%s: %d requests, %d retrievals, %d failures; want %d, %d, %d", tt.site, h.Requests, h.Retrievals, h.Failures, tt.requests, tt.retrievals, tt.failures)
		}
	}
	if err := tx.Exec(`DELETE FROM accounts WHERE site = 'well'`).Error; err != nil {
		t.Fatal(err)
	}
	if h, ok := healths(t, tx, noon)["well"]; !ok || h.Accounts != 0 || h.Retrievals != 1 {
		t.Errorf("without accounts: %+v", h)
	}
}

func TestSiteQueue(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	for i, a := range []members.Account{
		{Schedule: members.Schedule{DueAt: noon.Add(-time.Hour)}}, {Schedule: members.Schedule{DueAt: noon}}, {Schedule: members.Schedule{DueAt: noon.Add(time.Second)}},
		{Schedule: members.Schedule{DueAt: noon.Add(time.Hour), RequestedAt: ptr(noon.Add(-time.Minute))}}, {Schedule: members.Schedule{DueAt: noon.Add(-9 * time.Hour), State: members.StatePaused}},
		{Schedule: members.Schedule{DueAt: noon.Add(time.Hour), State: members.StateInvalid}}, {Schedule: members.Schedule{DueAt: noon.Add(time.Hour), LeasedUntil: ptr(noon.Add(time.Second))}}, {Schedule: members.Schedule{DueAt: noon.Add(time.Hour), LeasedUntil: &noon}},
	} {
		m := modelstest.Member(t, tx, "m"+string(rune('0'+i)), nil, noon)
		a.MemberID, a.Site, a.Handle = m.ID, "a", "x"
		modelstest.Account(t, tx, &a)
	}
	if h := healths(t, tx, noon)["a"]; h.Accounts != 8 || h.Queue != 3 || !equal(h.OldestDue, ptr(noon.Add(-time.Hour))) || h.Paused != 1 || h.Invalid != 1 || h.Running != 1 || h.ClosedUntil != nil {
		t.Errorf("%+v", h)
	}
	for _, tt := range []struct {
		until  time.Duration
		closed bool
	}{{10 * time.Second, false}, {11 * time.Second, true}} {
		err := tx.Exec(`INSERT INTO request_slots (key, next_at) VALUES ('source:a', @at), ('host:a', @at) ON CONFLICT (key) DO UPDATE SET next_at = @at`,
			map[string]any{"at": noon.Add(tt.until)}).Error
		if err != nil {
			t.Fatal(err)
		}
		if h := healths(t, tx, noon)["a"]; (h.ClosedUntil != nil) != tt.closed {
			t.Errorf("a turn in %s: closed until %v, want %t", tt.until, h.ClosedUntil, tt.closed)
		}
	}
}
