package members_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"laurel/models/members"
	"laurel/models/modelstest"
)

func TestPassword(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	hash, err := members.HashPassword(ctx, modelstest.Good)
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("hash %q, error %v; want OWASP's parameters", hash, err)
	}
	for _, tt := range []struct {
		name, password, hash string
		want                 bool
	}{
		{"right", modelstest.Good, hash, true},
		{"wrong", modelstest.Good + "x", hash, false},
		{"empty", "", hash, false},
		{"too long to be one", strings.Repeat("x", 1<<16), hash, false},
		{"nobody", modelstest.Good, "", false},
		{"nobody, empty", "", "", false},
	} {
		got, err := members.PasswordIs(ctx, tt.password, tt.hash)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %t, error %v; want %t", tt.name, got, err, tt.want)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for range 20 { // A turn may be free: select takes either.
		if _, err := members.HashPassword(ended, modelstest.Good); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that of the context", err)
		}
	}
}

func TestCheckNewPassword(t *testing.T) {
	for _, tt := range []struct {
		password string
		ok       bool
	}{
		{"1234567", false}, {"12345678", true}, {"пароль12", true}, {strings.Repeat("x", 256), true}, {strings.Repeat("x", 257), false},
	} {
		if err := members.CheckNewPassword(tt.password); (err == nil) != tt.ok {
			t.Errorf("%q: %v, want ok = %t", tt.password, err, tt.ok)
		}
	}
}
