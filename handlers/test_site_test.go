package handlers

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// pusher is a program of an admin at a time when all that tests tell is over.
func pusher(t *testing.T) (*site, program) {
	t.Helper()
	s := newSite(t, "http://laurel.test")
	s.now = modelstest.Noon.Add(24 * time.Hour)
	return s, s.program(t, s.member(t, "boss", members.RoleAdmin))
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

var fuzzSites = []members.Site{{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[a-z]+$`), Hint: "letters"}}

// pagesSite has the admin ann and the member bob.
func pagesSite(t *testing.T) (s *site, ann, bob *browser) {
	t.Helper()
	s = newSite(t, "http://laurel.test")
	s.member(t, "ann", members.RoleAdmin)
	s.member(t, "bob", members.RoleMember)
	return s, s.signedIn(t, "ann"), s.signedIn(t, "bob")
}

// fuzzed is a site on a transaction that is rolled back, and the token of its
// admin boss.
func fuzzed(t *testing.T) (s *site, token string) {
	t.Helper()
	s = &site{log: &strings.Builder{}, now: modelstest.Noon}
	db := &pg.DB{DB: modelstest.Tx(t)}
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelError}))
	s.Handlers = &Handlers{Base: &Base{DB: db, Now: func() time.Time { return s.now }, Log: log, Sites: fuzzSites, Sessions: scs.New()}}
	s.restart()
	boss := members.Member{Name: "boss", Role: members.RoleAdmin}
	if err := members.Create(t.Context(), db.DB, &boss, s.now); err != nil {
		t.Fatal(err)
	}
	token, err := members.CreateToken(t.Context(), db.DB, boss.ID, "fuzz", true, s.now)
	if err != nil {
		t.Fatal(err)
	}
	return s, token
}
