package overview_test

import (
	"testing"
	"time"

	"laurel/models/modelstest"
	"laurel/models/overview"
)

// What waits is counted by site, and what is paused or asked for by hand does not wait.
func TestHealthNow(t *testing.T) {
	t.Parallel()
	ctx, tx, now := t.Context(), modelstest.Tx(t), modelstest.Noon
	empty, err := overview.HealthNow(ctx, tx, nil, now)
	if err != nil || empty.Accounts != 0 || empty.Oldest != nil || empty.ArchiveChecked != nil || empty.Bytes < 1<<20 {
		t.Errorf("empty: %+v, error %v", empty, err)
	}
	modelstest.Member(t, tx, "ann", map[string]string{"uva": "a", "spoj": "b", "codeforces": "c"}, now)
	for _, stmt := range []string{
		`UPDATE account_schedule SET due_at = TIMESTAMPTZ '2026-01-01', state = 'active'`,
		`UPDATE account_schedule SET due_at = TIMESTAMPTZ '2026-01-02' WHERE site = 'spoj'`,
		`UPDATE account_schedule SET state = 'paused' WHERE site = 'codeforces'`,
		`INSERT INTO site_alarms (site, kind, subject, message, times, opened_at, last_at) VALUES ('uva', 'circuit', '', 'x', 1, '2026-01-01', '2026-01-01')`,
	} {
		if err := tx.Exec(stmt).Error; err != nil {
			t.Fatal(err)
		}
	}
	h, err := overview.HealthNow(ctx, tx, []string{"codeforces", "spoj", "uva"}, time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	if err != nil || h.Accounts != 2 || h.Oldest == nil || !h.Oldest.Equal(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) || h.Alarms != 1 {
		t.Errorf("%+v, error %v", h, err)
	}
	steps, err := overview.StepsOf(ctx, tx, 0)
	if err != nil || steps.Named || steps.Handles || !steps.Others || steps.Awards || steps.Forum {
		t.Errorf("%+v, error %v", steps, err)
	}
}
