package retrieval_test

import (
	"errors"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestPauseAccount(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	ann := modelstest.Member(t, tx, "ann", map[string]string{"uva": "ann"}, noon)
	err := tx.Exec("UPDATE account_schedule SET state = 'active', last_retrieved_at = @now, requested_at = @now, lease_id = 'x', leased_until = @now, due_at = @now",
		map[string]any{"now": noon}).Error
	if err != nil {
		t.Fatal(err)
	}
	later := noon.Add(time.Hour)
	for _, step := range []struct {
		do    func() error
		state string
		due   time.Time
	}{
		{func() error { return retrieval.Resume(ctx, tx, ann.ID, "uva", later) }, "active", noon}, // Was not paused.
		{func() error { return retrieval.Pause(ctx, tx, ann.ID, "uva") }, "paused", noon},
		{func() error { return retrieval.Resume(ctx, tx, ann.ID, "uva", later) }, "active", later},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		as, err := members.AccountsOf(ctx, tx, ann.ID)
		if err != nil || as[0].State != step.state || !as[0].DueAt.Equal(step.due) {
			t.Fatalf("account %+v, error %v; want it %s, due %s", as, err, step.state, step.due)
		}
		if a := as[0]; step.state == members.StatePaused && (a.RequestedAt != nil || a.LeaseID != "" || a.LeasedUntil != nil) {
			t.Errorf("a paused account is still asked for or leased: %+v", a)
		}
	}
	for _, site := range []string{"codeforces", "\x00"} {
		if err := retrieval.Pause(ctx, tx, ann.ID, site); !errors.Is(err, pg.ErrNotFound) {
			t.Errorf("site %q: %v, want ErrNotFound", site, err)
		}
	}
}
