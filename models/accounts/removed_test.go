package accounts_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// rowsOf are all of a member's submissions and ratings, and the columns that say how far the
// account is, but ids and what a fetch writes.
func rowsOf(t *testing.T, db *gorm.DB, member int64) string {
	t.Helper()
	var text string
	err := db.WithContext(t.Context()).Raw(`
		SELECT CAST(jsonb_build_object(
			'submissions', (SELECT jsonb_agg(to_jsonb(s) - 'id' - 'account_id' ORDER BY s.site_id) FROM submissions s WHERE s.member_id = @member),
			'ratings', (SELECT jsonb_agg(to_jsonb(r) - 'account_id' ORDER BY r.contest)
				FROM ratings r JOIN accounts a ON a.id = r.account_id WHERE a.member_id = @member),
			'unread', (SELECT jsonb_agg(to_jsonb(u) - 'account_id' ORDER BY u.key)
				FROM unread_rows u JOIN accounts a ON a.id = u.account_id WHERE a.member_id = @member),
			'days', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.day) FROM days d WHERE d.member_id = @member),
			'account', (SELECT jsonb_agg(to_jsonb(a) - 'id' - 'due_at' - 'reason' - 'requested_at' - 'lease_id' - 'leased_until' - 'started_at'
				- 'page' - 'checked_at' - 'failures' - 'failing_since' - 'not_found' - 'pending_from' - 'new_rows' - 'last_new' ORDER BY a.site)
				FROM account_details a WHERE a.member_id = @member)) AS text)`, pg.Named("member", member)).Scan(&text).Error
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A removed and a replaced handle come back with all they had; nobody sees or counts their rows
// meanwhile; after 30 days they are gone.
func TestRemovedAccountsComeBack(t *testing.T) {
	t.Parallel()
	db, now, sites := modelstest.Tx(t), modelstest.Noon, []members.Site{judgeSite}
	m := modelstest.Member(t, db, "ada", map[string]string{"judge": "ada"}, now)
	d := modelstest.Claim(t, db, "judge", now)
	modelstest.StorePage(t, db, d, now, found("1", now.AddDate(0, 0, -3), "AC"), found("2", now.AddDate(0, 0, -2), "WA"), found("3", now, "AC"))
	modelstest.StorePage(t, db, d, now.Add(time.Minute), found("2", now.AddDate(0, 0, -2), "AC"))
	ratings := []submissions.RatingFound{{Contest: "r1", Name: "Round 1", URL: "https://judge.example/r1", Rank: 3, Rating: 1500, At: now.AddDate(0, 0, -3)}}
	modelstest.Finish(t, db, d, retrieval.Result{Requests: 1, Ratings: ratings, RatingsRead: true}, now.Add(time.Minute))
	err := db.WithContext(t.Context()).Exec(`
		WITH odd AS (INSERT INTO unread_rows (account_id, key, text, why, since, first_seen_at, last_seen_at)
			VALUES (@id, '7', '<tr>odd</tr>', 'no time', @now, @now, @now))
		UPDATE account_coverage SET unread = 1 WHERE account_id = @id`, pg.Named("id", d.ID, "now", now)).Error
	if err != nil {
		t.Fatal(err)
	}
	before := rowsOf(t, db, m.ID)
	count := func(table string) (n int64) {
		t.Helper()
		if err := db.WithContext(t.Context()).Table(table).Count(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	set := func(handle string) {
		t.Helper()
		if err := accounts.SetHandles(t.Context(), db, sites, m.ID, map[string]string{"judge": handle}, now); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range []string{"", "other"} {
		if set(other); other != "" {
			if rows := rowsOf(t, db, m.ID); rows != before {
				t.Errorf("a handle that was not looked up yet changed\n%s\nto\n%s", before, rows)
			}
			d := modelstest.Claim(t, db, "judge", now)
			if err := accounts.Replace(t.Context(), db, &d.Account, other, now); err != nil {
				t.Fatal(err)
			}
		}
		if n := count("submissions"); n != 0 {
			t.Errorf("%d submissions are left with the handle %q", n, other)
		}
		list, err := accounts.RemovedOf(t.Context(), db, m.ID, now)
		if err != nil || len(list) != 1 || list[0].Submissions == 0 {
			t.Fatalf("removed: %+v (%v)", list, err)
		}
		if err := accounts.Restore(t.Context(), db, sites, m.ID+1, list[0].ID, now); !errors.Is(err, pg.ErrNotFound) {
			t.Errorf("somebody else restores it: %v", err)
		}
		if err := accounts.Restore(t.Context(), db, sites, m.ID, list[0].ID, now); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, rowsOf(t, db, m.ID)); diff != "" {
			t.Errorf("after %q: %s", other, diff)
		}
	}
	set("")
	later := now.Add(31 * 24 * time.Hour)
	if list, err := accounts.RemovedOf(t.Context(), db, m.ID, later); err != nil || len(list) != 0 {
		t.Errorf("after a month: %+v (%v)", list, err)
	}
	if err := pg.CleanUp(t.Context(), db, later); err != nil {
		t.Fatal(err)
	}
	if n := count("removed_accounts"); n != 0 {
		t.Errorf("%d are kept after a month", n)
	}
}
