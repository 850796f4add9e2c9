package accounts_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

const everybodySees = `SELECT name FROM members WHERE custom AND audience = 0 ORDER BY 1`

// Who proves a handle lets everybody see the pages that have it and nothing of others, and takes that back. Removing the
// handle, taking it over and another's proof end it.
func TestShowToAll(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ctx := t.Context()
	ann := modelstest.Member(t, c.db, "ann", map[string]string{"uva": "ann"}, c.now)
	c.custom(ann, "zoe-cf", map[string]string{"codeforces": "Zoe"})
	c.custom(ann, "zoe-both", map[string]string{"codeforces": "zoe", "uva": "zoe"})
	c.custom(ann, "yan", map[string]string{"codeforces": "yan"})
	p := c.proves("zoe")
	show := func() {
		t.Helper()
		if err := accounts.ShowToAll(ctx, c.db, p, c.now); err != nil {
			t.Fatal(err)
		}
		c.has("zoe-cf", everybodySees)
	}
	show()
	h, err := accounts.HeldBy(ctx, c.db, p)
	if want := "[{zoe-both zoe-both false uva} {zoe-cf zoe-cf true }]"; err != nil || !h.Shown || fmt.Sprint(h.Pages) != want {
		t.Errorf("held %+v (%v), want %s", h, err, want)
	}
	if err := accounts.ShowNoMore(ctx, c.db, p, c.now); err != nil {
		t.Fatal(err)
	}
	c.has("", everybodySees)
	show()
	for _, err := range []error{accounts.ShowToAll(ctx, c.db, &accounts.Proof{Site: "codeforces", Handle: "yan"}, c.now),
		accounts.ShowNoMore(ctx, c.db, p, c.now.Add(time.Hour)), accounts.ShowToAll(ctx, c.db, c.proves("nobody"), c.now)} {
		if modelstest.Field(t, err) != "proof" {
			t.Errorf("without a proof, or a page: %v", err)
		}
	}
	zoe := modelstest.Member(t, c.db, "zoe", nil, c.now)
	if err := accounts.Claim(ctx, c.db, c.sites, p, &zoe, c.now); err != nil {
		t.Fatal(err)
	}
	c.has("", `SELECT handle FROM shown_handles`)
	c.custom(ann, "zoe-again", map[string]string{"codeforces": "zoe"})
	c.has("", everybodySees)
	y := c.proves("yan")
	if err := accounts.ShowToAll(ctx, c.db, y, c.now); err != nil {
		t.Fatal(err)
	}
	c.has("yan", everybodySees)
	if err := accounts.LeaveOut(ctx, c.db, y, "Codeforces", c.now); err != nil {
		t.Fatal(err)
	}
	c.has("", `SELECT handle FROM shown_handles`)
	if err := accounts.ShowToAll(ctx, c.db, y, c.now); modelstest.Field(t, err) != "proof" {
		t.Errorf("shown after it was left out: %v", err)
	}
}

// A page that gets the handle while its owner takes it back is not left open: one of the two waits for the other.
func TestShownHandleIsTakenBackMeanwhile(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ann := modelstest.Member(t, c.db, "ann", nil, c.now)
	m := c.custom(ann, "zoe", map[string]string{"uva": "zoe"})
	c.custom(ann, "zoe-cf", map[string]string{"codeforces": "zoe"})
	p := c.proves("zoe")
	if err := accounts.ShowToAll(t.Context(), c.db, p, c.now); err != nil {
		t.Fatal(err)
	}
	tx := c.db.Begin()
	defer tx.Rollback()
	if err := accounts.SetHandles(t.Context(), tx, c.sites, m.ID, map[string]string{"uva": "", "codeforces": "zoe"}, c.now); err != nil {
		t.Fatal(err)
	}
	took := make(chan error, 1)
	go func() { took <- accounts.ShowNoMore(t.Context(), c.db, p, c.now) }()
	select {
	case err := <-took:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	if err := tx.Commit().Error; err != nil {
		t.Fatal(err)
	}
	if err := <-took; err != nil {
		t.Fatal(err)
	}
	c.has("", everybodySees)
}

// Handles come, go and are renamed, owners let them be shown and take that back, and members choose who sees them: the
// audience, the boards and what is counted on them are those of a count of everybody.
func TestShownEqualsACount(t *testing.T) {
	t.Parallel()
	c, names := newCrowd(t), []string{"x", "y", "z"}
	rapid.Check(t, func(t2 *rapid.T) {
		do := func(sql string, args ...any) {
			if len(args) > 0 {
				args = []any{pg.Named(args...)}
			}
			if err := c.db.Exec(sql, args...).Error; err != nil {
				t2.Fatal(err)
			}
		}
		do(`DELETE FROM shown_handles`)
		do(`DELETE FROM members`)
		ann := modelstest.Member(t, c.db, "ann", map[string]string{"uva": "x"}, c.now)
		people, shown := map[int64]map[string]string{}, map[string]bool{}
		for i := range 3 {
			m := c.custom(ann, fmt.Sprint("c", i), map[string]string{"uva": "x"})
			people[m.ID] = map[string]string{"uva": "x"}
			do(`INSERT INTO standings (member_id, name, display_name, custom, shown, solved, submissions, accepted, streak, weeks, incomplete)
				SELECT id, name, name, true, audience, 1, 1, 1, 0, '{}', '{}' FROM members WHERE id = @id`, "id", m.ID)
			do(`INSERT INTO standing_places (member_id, board, shown, name, value, submissions, accepted)
				SELECT id, 'solved:all', audience, name, 1, 1, 1 FROM members WHERE id = @id`, "id", m.ID)
		}
		ids := slices.Sorted(maps.Keys(people))
		for range rapid.IntRange(1, 12).Draw(t2, "steps") {
			id := rapid.SampledFrom(ids).Draw(t2, "who")
			site, name := rapid.SampledFrom([]string{"codeforces", "uva"}).Draw(t2, "site"), rapid.SampledFrom(names).Draw(t2, "handle")
			args := []any{"id", id, "site", site, "handle", name, "now", c.now}
			switch what := rapid.IntRange(0, 5).Draw(t2, "what"); {
			case what == 0 && people[id][site] == "":
				do(`INSERT INTO accounts (member_id, site, handle, created_at) VALUES (@id, @site, upper(@handle), @now)`, args...)
				people[id][site] = name
			case what == 1:
				do(`DELETE FROM accounts WHERE member_id = @id AND site = @site`, args...)
				delete(people[id], site)
			case what == 2 && people[id][site] != "":
				do(`UPDATE accounts SET handle = @handle WHERE member_id = @id AND site = @site`, args...)
				people[id][site] = name
			case what == 3 || what == 4:
				do(`INSERT INTO shown_handles (site, handle, since) VALUES (@site, @handle, @now) ON CONFLICT DO NOTHING`, args...)
				shown[site+name] = true
			case what == 5:
				do(`DELETE FROM shown_handles WHERE site = @site AND handle = @handle`, args...)
				delete(shown, site+name)
			}
			var want []string
			for _, id := range ids {
				open := len(people[id]) > 0
				for site, handle := range people[id] {
					open = open && shown[site+handle]
				}
				if open {
					want = append(want, fmt.Sprint(id))
				}
			}
			compareShown(t2, c, want)
		}
	})
}

// compareShown says whether those of whom want has the ids are for everybody, as members, on the boards and in their counts.
func compareShown(t2 *rapid.T, c *crowd, want []string) {
	t2.Helper()
	for _, from := range []string{"members WHERE custom AND audience = 0", "(SELECT member_id AS id FROM standings WHERE shown = 0) x",
		"(SELECT member_id AS id FROM standing_places WHERE shown = 0) x"} {
		var got string
		if err := c.db.Raw(`SELECT coalesce(string_agg(CAST(id AS text), ' ' ORDER BY id), '') FROM ` + from).Row().Scan(&got); err != nil {
			t2.Fatal(err)
		}
		if got != strings.Join(want, " ") {
			t2.Fatalf("%s: %q, want %q", from, got, want)
		}
	}
	for asking, n := range map[int]int{0: len(want), 1 << 30: 3, -1: 3} {
		var got int
		if err := c.db.Raw(`SELECT standing_better('solved:all', 0, @asking)`, pg.Named("asking", asking)).Row().Scan(&got); err != nil || got != n {
			t2.Fatalf("%d are counted for %d (%v), want %d", got, asking, err, n)
		}
	}
}
