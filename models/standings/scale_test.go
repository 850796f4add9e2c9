package standings_test

import (
	"os"
	"testing"

	"gorm.io/gorm"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/standings"
)

// rowsRead is how many rows of tables and indexes PostgreSQL read, shown or not, in this transaction.
func rowsRead(t *testing.T, tx *gorm.DB) (n int) {
	t.Helper()
	err := tx.Raw(`SELECT sum(seq_tup_read + greatest(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables`).Scan(&n).Error
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// many makes members with places on a board, of every audience, as Refresh would.
func many(t *testing.T, db *gorm.DB, n int) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO members (name, display_name, created_at, seen_by)
			SELECT 'm' || i, 'M', '2020-01-01', (ARRAY['everyone', 'everyone', 'everyone', 'members', 'self'])[1 + i % 5] FROM generate_series(1, @n) AS i`,
		`INSERT INTO standings (member_id, name, display_name, custom, shown, solved, submissions, accepted, streak, incomplete)
			SELECT id, name, display_name, false, audience, 10, 20, 10, 1, '{}' FROM members LIMIT @n`,
		`INSERT INTO standing_places (member_id, board, shown, name, value, was, submissions, accepted)
			SELECT id, b, audience, lower(name), CAST(3000 / (1 + id % 997) + hashint8(id) % 7 AS integer), 5, 20, 10
			FROM members, unnest(CAST('{solved:all,solved:week}' AS text[])) AS b LIMIT 2 * @n`,
	} {
		if err := db.Exec(sql, map[string]any{"n": n}).Error; err != nil {
			t.Fatal(err)
		}
	}
	if err := standings.Fold(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := standings.KeepSteps(t.Context(), db, modelstest.Noon.AddDate(0, 0, -6)); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"members", "standings", "standing_places", "standing_counts", "standing_moves", "standing_steps"} {
		if err := db.Exec("ANALYZE " + table).Error; err != nil {
			t.Fatal(err)
		}
	}
}

// A page reads what it shows, however many members there are: 100,000 with LAUREL_SOAK.
func TestPageReadsWhatItShows(t *testing.T) {
	t.Parallel()
	db, n := modelstest.Tx(t), 5_000
	if os.Getenv("LAUREL_SOAK") != "" {
		n = 100_000
	}
	many(t, db, n)
	if err := db.Exec(`SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_bitmapscan = off`).Error; err != nil {
		t.Fatal(err) // Of few members PostgreSQL would rather read all.
	}
	var middle members.Member
	if err := db.Raw(`SELECT id, name FROM members ORDER BY id OFFSET @n LIMIT 1`, map[string]any{"n": n / 2}).Scan(&middle).Error; err != nil {
		t.Fatal(err)
	}
	b := standings.Board{By: "solved", In: "all"}
	for _, asking := range []members.Viewer{members.Visitor, members.Viewer(middle.ID), members.Everything} {
		ctx, next := members.As(t.Context(), asking), ""
		for page := range 3 {
			before := rowsRead(t, db)
			p, err := standings.PageOf(ctx, db, b, next, 50, modelstest.Noon)
			if err != nil || len(p.Rows) != 50 {
				t.Fatalf("%d rows, %v", len(p.Rows), err)
			}
			next = p.Next
			if _, err := standings.Own(ctx, db, b, middle.ID, modelstest.Noon); err != nil {
				t.Fatal(err)
			}
			rows := rowsRead(t, db) - before
			t.Logf("%d members, viewer %d, page %d with the own row: %d rows read", n, asking, page+1, rows)
			if rows > 150 {
				t.Errorf("%d rows read for 50 that are shown", rows)
			}
		}
	}
}

// So do the rows around a member.
func TestAroundReadsWhatItShows(t *testing.T) {
	t.Parallel()
	db, n := modelstest.Tx(t), 5_000
	if os.Getenv("LAUREL_SOAK") != "" {
		n = 100_000
	}
	many(t, db, n)
	if err := db.Exec(`SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_bitmapscan = off`).Error; err != nil {
		t.Fatal(err) // As above.
	}
	var ids []int64
	if err := db.Raw(`SELECT id FROM members ORDER BY id OFFSET @n LIMIT 5`, map[string]any{"n": n / 2}).Scan(&ids).Error; err != nil {
		t.Fatal(err)
	}
	for _, id := range ids { // One of each audience.
		before := rowsRead(t, db)
		rows, err := standings.Around(members.As(t.Context(), members.Viewer(id)), db, standings.Board{By: "solved", In: "week"}, id, 3, modelstest.Noon)
		if err != nil || len(rows) != 7 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		read := rowsRead(t, db) - before
		t.Logf("%d members, around %d: %d rows read", n, id, read)
		if read > 150 {
			t.Errorf("%d rows read for 7 that are shown", read)
		}
	}
}
