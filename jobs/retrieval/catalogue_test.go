package retrieval_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/sites"
)

// Names come from the catalogue once; it is not read where nothing lacks a name.
func TestNameProblems(t *testing.T) {
	t.Parallel()
	site := &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
		return []sites.Submission{made("1", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))}, nil
	}}
	w, members := newFake(t, site, "ada")
	name := func(want int) {
		t.Helper()
		if err := w.NameProblems(t.Context()); err != nil {
			t.Fatal(err)
		}
		if site.named != want {
			t.Errorf("the catalogue was read %d times, want %d", site.named, want)
		}
	}
	name(0)
	w.round(t)
	name(1)
	if s := w.stored(t, members["ada"].ID, "fake")["1"]; s.ProblemName != "One" {
		t.Errorf("the problem is named %q", s.ProblemName)
	}
	w.clock.Pass(2 * time.Hour)
	name(1)
}
