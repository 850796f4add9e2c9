package submissions_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// Covered ground ends an overlap before the newest row, and never behind one
// that is still being judged.
func TestCursor(t *testing.T) {
	t.Parallel()
	at := func(h float64) time.Time { return modelstest.Noon.Add(time.Duration(h * float64(time.Hour))) }
	for _, tt := range []struct {
		name string
		rows []retrieval.Found
		want *time.Time
		id   string
	}{
		{"nothing", nil, nil, ""},
		{"one row", []retrieval.Found{found("1", modelstest.Noon, "AC")}, ptr(at(-1)), ""},
		{"the newest before it", []retrieval.Found{found("1", at(-9), "AC"), found("2", at(-2), "AC"), found("3", at(-0.5), "AC"), found("4", modelstest.Noon, "AC")}, ptr(at(-1)), "2"},
		{"at the very moment", []retrieval.Found{found("1", at(-2), "AC"), found("2", at(-1), "AC"), found("3", modelstest.Noon, "AC")}, ptr(at(-1)), "1"},
		{"a pending row holds it", []retrieval.Found{found("1", at(-9), "AC"), found("2", at(-8), "PENDING"), found("3", at(-7), "PENDING"), found("4", modelstest.Noon, "AC")}, ptr(at(-8)), "1"},
		{"a pending row within the overlap", []retrieval.Found{found("1", at(-9), "AC"), found("2", at(-0.5), "PENDING"), found("3", modelstest.Noon, "AC")}, ptr(at(-1)), "1"},
		{"some are never judged", []retrieval.Found{found("1", at(-31*24), "PENDING"), found("2", modelstest.Noon, "AC")}, ptr(at(-1)), "1"},
		{"almost never", []retrieval.Found{found("1", at(-29*24), "PENDING"), found("2", modelstest.Noon, "AC")}, ptr(at(-29 * 24)), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
			if a := fetch(t, tx, "a", modelstest.Noon, tt.rows...); !equal(a.CoveredAt, tt.want) || a.CoveredID != tt.id {
				t.Errorf("covered until %v (id %q), want %v (id %q)", a.CoveredAt, a.CoveredID, tt.want, tt.id)
			}
		})
	}
}

// The cursor follows a row that is judged at last.
func TestCursorMovesWhenJudged(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
	fetch(t, tx, "a", modelstest.Noon, found("1", modelstest.Noon.Add(-5*time.Hour), "PENDING"), found("2", modelstest.Noon, "AC"))
	dueNow(t, tx, "a")
	if a := fetch(t, tx, "a", modelstest.Noon, found("1", modelstest.Noon.Add(-5*time.Hour), "WA")); !equal(a.CoveredAt, ptr(modelstest.Noon.Add(-time.Hour))) || a.CoveredID != "1" {
		t.Errorf("covered until %v (id %q)", a.CoveredAt, a.CoveredID)
	}
}

// A failure leaves the cursor, also where it stored rows; the next complete fetch
// moves it over them, though it finds nothing new itself.
func TestCursorAfterAFailure(t *testing.T) {
	t.Parallel()
	for _, between := range []string{"", pg.OutcomeNotFound} {
		tx := modelstest.Tx(t)
		modelstest.Member(t, tx, "ada", map[string]string{"a": "x"}, modelstest.Noon)
		rows := []retrieval.Found{found("1", modelstest.Noon.Add(-3*time.Hour), "AC"), found("2", modelstest.Noon, "AC")}
		d := modelstest.Claim(t, tx, "a", modelstest.Noon)
		modelstest.StorePage(t, tx, d, modelstest.Noon, rows...)
		if a := modelstest.Finish(t, tx, d, retrieval.Result{Outcome: pg.OutcomeServerError}, modelstest.Noon); a.CoveredAt != nil || a.CoveredID != "" {
			t.Errorf("a failure covered ground until %s", a.CoveredAt)
		}
		if between != "" {
			dueNow(t, tx, "a")
			modelstest.Finish(t, tx, modelstest.Claim(t, tx, "a", modelstest.Noon), retrieval.Result{Outcome: between}, modelstest.Noon)
		}
		dueNow(t, tx, "a")
		if a := fetch(t, tx, "a", modelstest.Noon, rows...); !equal(a.CoveredAt, ptr(modelstest.Noon.Add(-time.Hour))) || a.CoveredID != "1" || a.LastNew != 2 {
			t.Errorf("after %q the next fetch covers until %v (id %q), %d new", between, a.CoveredAt, a.CoveredID, a.LastNew)
		}
	}
}
