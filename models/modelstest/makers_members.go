package modelstest

import (
	"errors"
	"testing"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

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
	if err := members.Setup(t.Context(), db, token, m, Good, members.SignUpInvitation, Home, Noon); err != nil {
		t.Fatal(err)
	}
	return m
}
