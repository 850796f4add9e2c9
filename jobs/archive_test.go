package jobs_test

import (
	"context"
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/models/history"
)

func TestArchiveJobs(t *testing.T) {
	t.Parallel()
	var w *world
	w, _ = newFake(t, &fakeSite{submissions: func(context.Context, sites.Getter, sites.Account) ([]sites.Submission, error) {
		return []sites.Submission{made("1", w.Now())}, nil
	}}, "ada")
	w.round(t)
	for range 2 { // What was just done is not done again.
		if err := w.Archive.StoreRankings(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.Archive.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	looks := `SELECT count(*) FROM archive_retrievals r JOIN archive_pages p ON p.id = r.page_id WHERE p.address = '/ladders/solved'`
	checks := `SELECT count(*) FROM archive_checks WHERE findings = '[]'`
	if n, m := jobstest.Count(t, w.DB, looks), jobstest.Count(t, w.DB, checks); n != 1 || m != 1 {
		t.Errorf("%d looks at the leaderboard and %d clean checks, want 1 and 1", n, m)
	}
	if _, err := history.RankingAt(t.Context(), w.DB.DB, history.SolvedRanking, w.Now(), w.Now()); err != nil {
		t.Error(err)
	}
	w.clock.Pass(24 * time.Hour)
	if err := w.Archive.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := jobstest.Count(t, w.DB, checks); m != 2 {
		t.Errorf("%d checks after a day, want 2", m)
	}
}
