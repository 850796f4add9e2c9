package modelstest

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Noon is a moment for tests that need just any.
var Noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Member makes a registered member in UTC with these handles by site.
func Member(t testing.TB, db *gorm.DB, name string, handles map[string]string, now time.Time) members.Member {
	t.Helper()
	m := members.Member{Name: name}
	if err := members.Create(t.Context(), db, &m, now); err != nil {
		t.Fatal(err)
	}
	for site, handle := range handles {
		Account(t, db, &members.Account{MemberID: m.ID, Site: site, Handle: handle, CreatedAt: now, Schedule: members.Schedule{DueAt: now}})
	}
	return m
}

// Account stores an account as it is given, new where it does not say.
func Account(t testing.TB, db *gorm.DB, a *members.Account) {
	t.Helper()
	if a.State == "" {
		a.State = members.StateNew
	}
	ctx := t.Context()
	added := []members.NewAccount{{MemberID: a.MemberID, Site: a.Site, Handle: a.Handle}}
	if _, err := members.CreateAccounts(ctx, db, added, a.CreatedAt); err != nil {
		t.Fatal(err)
	}
	created, err := gorm.G[members.Account](db).Where("member_id = ? AND site = ?", a.MemberID, a.Site).Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	a.ID = created.ID
	if a.Statuses == nil {
		a.Statuses = created.Statuses
	}
	id := map[string]any{"id": a.ID}
	for _, err := range []error{
		db.Table("accounts").Where("id = @id", id).Select("site_key", "former_handle", "renamed_at").Updates(a).Error,
		db.Table("account_schedule").Where("account_id = @id", id).Select("*").Updates(a.Schedule).Error,
		db.Table("account_coverage").Where("account_id = @id", id).Select("*").Updates(a.Coverage).Error,
		db.Table("account_stats").Where("account_id = @id", id).Select("*").Updates(a.Stats).Error,
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A password that is good enough, and an address at home.
const (
	Good = "correct horse battery"
	Home = "192.0.2.7"
)

// Field returns which field an InputError is about; "" without an error.
func Field(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	input, ok := errors.AsType[*pg.InputError](err)
	if !ok {
		t.Fatalf("got %v, want an InputError or nothing", err)
	}
	return input.Field
}

// Admin makes the first admin.
func Admin(t *testing.T, db *gorm.DB) *members.Member {
	t.Helper()
	token, err := members.SetupToken(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	m := &members.Member{Name: "root"}
	n := members.Newcomer{Member: m, Password: Good, Code: token, Address: Home}
	if err := members.Setup(t.Context(), db, n, members.SignUpInvitation, Noon); err != nil {
		t.Fatal(err)
	}
	return m
}
