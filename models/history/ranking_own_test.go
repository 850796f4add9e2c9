package history_test

import (
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/accounts"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/standings"
)

func solved(t *testing.T, db *gorm.DB, m members.Member, n int) {
	t.Helper()
	err := db.Exec(`
		INSERT INTO member_stats (member_id, submissions, accepted, solved) VALUES (@id, @n, @n, @n)
		ON CONFLICT (member_id) DO UPDATE SET solved = excluded.solved`, map[string]any{"id": m.ID, "n": n}).Error
	if err == nil {
		err = standings.Refresh(t.Context(), db, []int64{m.ID}, modelstest.Noon)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func archiveRankings(t *testing.T, db *gorm.DB, now time.Time) {
	t.Helper()
	if err := history.ArchiveLeaderboards(t.Context(), db, now); err != nil {
		t.Fatal(err)
	}
}

func TestArchiveLeaderboards(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	at := func(minutes int) time.Time { return modelstest.Noon.Add(time.Duration(minutes) * time.Minute) }
	ada, bob, cy := modelstest.Member(t, tx, "ada", nil, modelstest.Noon), modelstest.Member(t, tx, "Bob", nil, modelstest.Noon), modelstest.Member(t, tx, "cy", nil, modelstest.Noon)
	archiveRankings(t, tx, at(0)) // Nobody has solved anything: there is no list yet.
	solved(t, tx, ada, 2)
	solved(t, tx, bob, 2)
	solved(t, tx, cy, 0)
	archiveRankings(t, tx, at(4))
	archiveRankings(t, tx, at(5)) // Another process has just fetched.
	archiveRankings(t, tx, at(10))
	archiveRankings(t, tx, at(20))
	solved(t, tx, bob, 3)
	archiveRankings(t, tx, at(30))
	for _, tt := range []struct {
		at   int
		want string
	}{
		{6, "ada,Bob of 2 seen 4; was none;"},
		{25, "ada,Bob of 2 seen 20; was none;"},
		{35, "Bob,ada of 2 seen 30; was ada,Bob of 2 seen 20;"},
	} {
		if got := told(t, tx, history.SolvedRanking, at(tt.at)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("after %d minutes: %s\nwant %s...", tt.at, got, tt.want)
		}
	}
	noFindings(t, tx)
}

// Who is deleted leaves the places and not the name, also where the ranking is
// fetched again, and where somebody else takes the name.
func TestForgetInRankings(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	at := func(minutes int) time.Time { return modelstest.Noon.Add(time.Duration(minutes) * time.Minute) }
	ada, bob := modelstest.Member(t, tx, "ada", nil, modelstest.Noon), modelstest.Member(t, tx, "bob", nil, modelstest.Noon)
	solved(t, tx, ada, 2)
	solved(t, tx, bob, 1)
	storeRanking(t, tx, "other", at(0), 1, "ada")
	archiveRankings(t, tx, at(0))
	if err := accounts.Delete(t.Context(), tx, ada.ID); err != nil {
		t.Fatal(err)
	}
	if got := told(t, tx, history.SolvedRanking, at(5)); !strings.HasPrefix(got, "deleted member ") || !strings.Contains(got, ",bob of 2 seen 0;") {
		t.Errorf("after the deletion: %s", got)
	}
	var n int
	if err := tx.Raw(`SELECT count(*) FROM (SELECT player FROM shard_ladder UNION ALL SELECT player FROM shard__past_ladder) x WHERE player = 'ada'`).Scan(&n).Error; err != nil || n != 1 {
		t.Errorf("%d places of the name are left, want that of the other ladder; %v", n, err)
	}
	archiveRankings(t, tx, at(10))
	if got := told(t, tx, history.SolvedRanking, at(15)); !strings.HasPrefix(got, "bob of 1 seen 10; was deleted member ") {
		t.Errorf("at the next fetch: %s", got)
	}
	solved(t, tx, modelstest.Member(t, tx, "ada", nil, modelstest.Noon), 2)
	archiveRankings(t, tx, at(20))
	if got := told(t, tx, history.SolvedRanking, at(25)); !strings.HasPrefix(got, "ada,bob of 2 seen 20; was bob of 1 seen 10;") {
		t.Errorf("with somebody new: %s", got)
	}
	noFindings(t, tx)
}
