package community_test

import (
	"testing"
	"time"

	"laurel/models/community"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// The numbers are as they were counted last, whoever hides, and an older count does not undo a newer one.
func TestTotals(t *testing.T) {
	t.Parallel()
	ctx, tx := t.Context(), modelstest.Tx(t)
	if got, err := community.TotalsOf(ctx, tx); err != nil || !got.CountedAt.IsZero() {
		t.Fatalf("before the first count: %+v, %v", got, err)
	}
	for i, name := range []string{"old", "new", "hidden", "star"} {
		m := members.Member{Name: name, DisplayName: name, Role: members.RoleMember, Custom: name == "star", SeenBy: members.SeenByEveryone,
			TimeZone: "UTC", CreatedAt: modelstest.Noon.AddDate(0, 0, -i)}
		if name == "old" {
			m.CreatedAt = modelstest.Noon.AddDate(0, 0, -31)
		}
		if name == "hidden" {
			m.SeenBy = members.SeenBySelf
		}
		if err := tx.Create(&m).Error; err != nil {
			t.Fatal(err)
		}
		if err := tx.Exec(`INSERT INTO member_stats (member_id, submissions, accepted, solved) VALUES (?, 10, 5, 3)
			ON CONFLICT (member_id) DO UPDATE SET submissions = 10, accepted = 5, solved = 3`, m.ID).Error; err != nil {
			t.Fatal(err)
		}
		if err := tx.Exec(`INSERT INTO standings (member_id, name, display_name, custom, shown, solved, submissions, accepted, streak, weeks, incomplete)
			VALUES (@id, @name, @name, false, 0, 3, 10, 5, 0, CAST(@weeks AS integer[]), '{}')`,
			map[string]any{"id": m.ID, "name": name, "weeks": []string{"{}", "{0,0,0,0,0,0,2,5}", "{9,9,9,9,9,9,3,1}", "{9,0,0,0,0,0,1,0}"}[i]}).Error; err != nil {
			t.Fatal(err)
		}
	}
	count := func(now time.Time) community.Totals {
		t.Helper()
		if err := community.CountTotals(ctx, tx, now); err != nil {
			t.Fatal(err)
		}
		got, err := community.TotalsOf(ctx, tx)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want := community.Totals{CountedAt: modelstest.Noon, Members: 3, Joined: 2, Submissions: 40, Solved: 12, SolvedWeek: 6, SolvedBefore: 6}
	if got := count(modelstest.Noon); !got.CountedAt.Equal(want.CountedAt) || got.Members != 3 || got.Joined != 2 || got.Submissions != 40 || got.Solved != 12 || got.SolvedWeek != 6 || got.SolvedBefore != 6 ||
		got.Discussions != 0 || got.Awards != 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := count(modelstest.Noon.Add(-time.Hour)); !got.CountedAt.Equal(modelstest.Noon) {
		t.Errorf("an older count became the newest one: %+v", got)
	}
}
