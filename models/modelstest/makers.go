package modelstest

import (
	"testing"
	"time"

	"gorm.io/gorm"

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
		Account(t, db, &members.Account{MemberID: m.ID, Site: site, Handle: handle, DueAt: now, CreatedAt: now})
	}
	return m
}

// Account stores an account as it is given, new where it does not say.
func Account(t testing.TB, db *gorm.DB, a *members.Account) {
	t.Helper()
	if a.State == "" {
		a.State = members.StateNew
	}
	if err := gorm.G[members.Account](db).Create(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}
