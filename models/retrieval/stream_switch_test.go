package retrieval_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// An admin's switch counts at once, in both directions, and the number of accounts only
// where there is none.
func TestStreamSwitch(t *testing.T) {
	t.Parallel()
	db, now := modelstest.Open(t), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	claims := func(at time.Time) bool {
		t.Helper()
		f, err := retrieval.ClaimStream(t.Context(), db.DB, "atcoder", retrieval.KindStream, pg.Lease{ID: "w", For: time.Minute}, at)
		if err != nil {
			t.Fatal(err)
		}
		if f != nil {
			if err := retrieval.ReleaseStream(t.Context(), db.DB, f); err != nil {
				t.Fatal(err)
			}
		}
		return f != nil
	}
	set := func(s retrieval.StreamSwitch) {
		t.Helper()
		if err := retrieval.SetStream(t.Context(), db.DB, "atcoder", s, now); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		to   retrieval.StreamSwitch
		read bool
	}{{"auto", false}, {"on", true}, {"off", false}, {"on", true}, {"auto", false}} {
		set(step.to)
		if is := claims(now); is != step.read {
			t.Errorf("%s, with no account: read %v", step.to, is)
		}
		switches, err := retrieval.StreamSwitches(t.Context(), db.DB)
		if err != nil {
			t.Fatal(err)
		}
		if is, set := switches["atcoder"]; set != (step.to != retrieval.StreamAuto) || set && is != step.to {
			t.Errorf("%s was stored as %q", step.to, is)
		}
	}
	if err := retrieval.SetStream(t.Context(), db.DB, "atcoder", "yes", now); err == nil {
		t.Error("a switch of no setting")
	}
}
