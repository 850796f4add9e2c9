package archive_test

import (
	"testing"
	"time"

	"laurel/jobs/jobstest"
	"laurel/models/history"
	"laurel/models/modelstest"
	"laurel/models/standings"
)

func TestArchiveJobs(t *testing.T) {
	t.Parallel()
	clock := jobstest.NewClock()
	j := jobstest.NewRunner(modelstest.Open(t), clock, "http://127.0.0.1:1").Archive
	modelstest.Member(t, j.DB.DB, "ada", nil, j.Now())
	if err := j.DB.Exec(`INSERT INTO member_stats (member_id, submissions, solved) SELECT id, 1, 1 FROM members
		ON CONFLICT (member_id) DO UPDATE SET submissions = 1, solved = 1`).Error; err != nil {
		t.Fatal(err)
	}
	if err := j.DB.Exec(`INSERT INTO standing_due (member_id) SELECT id FROM members`).Error; err != nil {
		t.Fatal(err)
	}
	if err := standings.Turn(t.Context(), j.DB.DB, j.Now()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // What was just done is not done again.
		if err := j.StoreRankings(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := j.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	retrievals := `SELECT count(*) FROM archive_retrievals r JOIN archive_pages p ON p.id = r.page_id WHERE p.address = '/ladders/solved'`
	checks := `SELECT count(*) FROM archive_checks WHERE findings = '[]'`
	if n, m := jobstest.Count(t, j.DB, retrievals), jobstest.Count(t, j.DB, checks); n != 1 || m != 1 {
		t.Errorf("%d retrievals of the leaderboard and %d clean checks, want 1 and 1", n, m)
	}
	if _, err := history.RankingAt(t.Context(), j.DB.DB, history.SolvedRanking, j.Now(), j.Now()); err != nil {
		t.Error(err)
	}
	clock.Pass(24 * time.Hour)
	if err := j.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := jobstest.Count(t, j.DB, checks); m != 2 {
		t.Errorf("%d checks after a day, want 2", m)
	}
}
