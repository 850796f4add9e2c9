package follows_test

import (
	"os"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/follows"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// rowsRead is how many rows of tables and indexes PostgreSQL read, shown or not, in this transaction.
func rowsRead(t *testing.T, tx *gorm.DB) (n int) {
	t.Helper()
	if err := tx.Raw(`SELECT sum(seq_tup_read + greatest(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables`).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// A page reads a row of each who is followed, and what it shows: not what there is. Of ten times as many
// solved problems it reads no more.
func TestFeedReadsWhatItShows(t *testing.T) {
	t.Parallel()
	people, days := 1000, 40
	if os.Getenv("LAUREL_SOAK") != "" {
		people = 10_000
	}
	const followed, shown, each = 500, 30, 4
	db := modelstest.Tx(t)
	reader := modelstest.Member(t, db, "reader", nil, modelstest.Noon)
	for _, sql := range []string{
		`INSERT INTO members (name, display_name, created_at) SELECT 'm' || i, 'M', @now FROM generate_series(1, @people) AS i`,
		`INSERT INTO follows (follower_id, followed_id, asked_at, since)
			SELECT @reader, id, @now, @now FROM members WHERE name LIKE 'm%' ORDER BY id LIMIT @followed`,
		`INSERT INTO solved (member_id, problem_id, first_at, submission_id)
			SELECT m.id, d * @each + k, CAST(@now AS timestamptz) - d * interval '1 day' - k * interval '1 hour' - m.id % 3000 * interval '1 second', 1
			FROM members m, generate_series(0, @days - 1) AS d, generate_series(0, @each - 1) AS k WHERE m.name LIKE 'm%'`,
	} {
		if err := db.Exec(sql, pg.Named("now", modelstest.Noon, "people", people, "reader", reader.ID, "followed", followed, "days", days,
			"each", each)).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec(`ANALYZE members; ANALYZE follows; ANALYZE solved;
		SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_bitmapscan = off`).Error; err != nil {
		t.Fatal(err) // Of few members PostgreSQL would rather read all.
	}
	ctx, cursor := members.As(t.Context(), members.Viewer(reader.ID)), pg.Cursor{}
	for page := range 3 {
		before, began := rowsRead(t, db), time.Now()
		rows, next, err := follows.Feed(ctx, db, &reader, cursor, shown, modelstest.Noon)
		if err != nil || len(rows) != shown {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		took, n := time.Since(began), rowsRead(t, db)-before
		t.Logf("%d members with %d problems solved, %d followed, page %d: %d rows read, %s", people, people*days*each, followed, page+1, n, took)
		// Of each followed: the follow, the member, and the newest deed. Of each
		// row shown its deeds, twice the member and problem that a deed has.
		if most := 4*followed + (shown+1)*(4*each+8); n > most {
			t.Errorf("%d rows read, want at most %d", n, most)
		}
		cursor = next
	}
}
