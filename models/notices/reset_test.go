package notices_test

import (
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/notices"
)

// A link is sent to a confirmed address alone, works once, and nobody can fill a mailbox.
func TestRequestReset(t *testing.T) {
	t.Parallel()
	ctx, tx, now := t.Context(), modelstest.Tx(t), modelstest.Noon
	ann := modelstest.Member(t, tx, "ann", nil, now)
	modelstest.Member(t, tx, "bob", nil, now)
	if err := tx.Exec(`INSERT INTO notice_settings (member_id, page_kinds, mail_kinds, address, confirmed_at, unsubscribe)
		VALUES (?, '{}', '{}', 'ann@example.org', ?, 'u')`, ann.ID, now).Error; err != nil {
		t.Fatal(err)
	}
	waiting := func() (n int) {
		if err := tx.Raw(`SELECT count(*) FROM notice_deliveries WHERE channel = 'reset'`).Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, tt := range []struct {
		who  string
		want int
	}{{"nobody", 0}, {"bob", 0}, {"", 0}, {"ANN", 1}, {"Ann@example.org", 2}, {"ann", 3}, {"ann", 3}} {
		if err := notices.RequestReset(ctx, tx, tt.who, "network", now); err != nil || waiting() != tt.want {
			t.Errorf("%q: %d wait, want %d; error %v", tt.who, waiting(), tt.want, err)
		}
	}
	for range 3 {
		if err := notices.RequestReset(ctx, tx, "nobody", "network", now); err != nil {
			t.Fatal(err)
		}
	}
	if err := notices.RequestReset(ctx, tx, "nobody", "network", now); err == nil {
		t.Error("a network may ask without end")
	}
	list, err := notices.ClaimDeliveries(ctx, tx, notices.Ways{Mail: true}, pg.Lease{ID: "x", For: time.Minute}, 1, now)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	first, err := notices.ContentOf(ctx, tx, &list[0])
	if err != nil || first.Name == "" {
		t.Fatal(first, err)
	}
	second, err := notices.ContentOf(ctx, tx, &list[0]) // Another attempt makes another link.
	if err != nil {
		t.Fatal(err)
	}
	choose := func(code string, at time.Time) error {
		_, err := members.ChoosePassword(ctx, tx, code, "a new password", "network", at)
		return err
	}
	if choose(first.Secret, now) == nil || choose(second.Secret, now.Add(notices.ResetFor)) == nil {
		t.Error("a link works that is too old")
	}
	if err := choose(second.Secret, now.Add(time.Hour)); err != nil {
		t.Error(err)
	}
	if choose(second.Secret, now.Add(time.Hour)) == nil {
		t.Error("a link works twice")
	}
}
