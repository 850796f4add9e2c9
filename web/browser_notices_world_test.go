package main

import (
	"testing"
	"time"

	"laurel/models/members"
	"laurel/models/notices"
)

// notify lets members be told of their awards, each page in the state that has
// most on it.
func (l *laurel) notify(t *testing.T) {
	t.Helper()
	ctx, db, now := t.Context(), l.db.DB, l.clock.now()
	id := func(name string) int64 {
		m, err := members.ByName(ctx, db, name)
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	for _, name := range []string{"ada", "wrong"} {
		if err := notices.RequestAddress(ctx, db, id(name), name+"@example.org", now); err != nil {
			t.Fatal(err)
		}
	}
	l.exec(t, `UPDATE notice_settings SET new_secret = 'ada' WHERE member_id = @id`, "id", id("ada"))
	l.exec(t, `UPDATE notice_settings SET new_secret = 'wrong' WHERE member_id = @id`, "id", id("wrong"))
	if err := notices.ConfirmAddress(ctx, db, "ada", now); err != nil {
		t.Fatal(err)
	}
	l.exec(t, `UPDATE notice_deliveries SET state = 'failed', attempts = 8, ended_at = @now, error = 'the mail server said: 550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in virtual mailbox table'
		WHERE member_id = @id`, "id", id("ada"))
	for range 2 { // Two of one day are one line.
		if _, err := notices.AnnounceAwards(ctx, db, 100, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := notices.Release(ctx, db, notices.Ways{Webhook: true}, 100, now.Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if packed, err := notices.PackCalls(ctx, db, now); err != nil || !packed {
		t.Fatal("nothing was told", err)
	}
	l.exec(t, `UPDATE notices SET released_at = CAST(@now AS timestamptz) - interval '1 hour'`)
}

// noticeStates are the pages of notices beside those that an address alone shows.
func noticeStates() []state {
	return []state{
		{name: "notices-empty", path: "/notices", viewer: "quiet", status: 200},
		{name: "notices-read", path: "/notices", viewer: "failing", status: 200, button: "Mark all as read"},
		{name: "confirm-address", path: "/confirm-address?token=wrong", status: 200},
		{name: "confirm-address-over", path: "/confirm-address?token=x", status: 404},
		{name: "unsubscribed", path: "/unsubscribe?token=x", status: 200, button: "Unsubscribe"},
		{name: "settings-no-address", path: "/settings/notices", viewer: "grace", status: 200},
		{name: "settings-address-asked", path: "/settings/notices", viewer: "wrong", status: 200},
		{name: "settings-address-refused", path: "/settings/notices", viewer: "grace", status: 422, button: "Use this address", form: map[string]string{"address": "nobody"}},
	}
}
