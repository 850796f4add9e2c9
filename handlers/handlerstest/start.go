package handlerstest

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"

	"laurel/handlers"
	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// NewWithAdmin is a program of an admin at a time when all that tests tell is over.
func NewWithAdmin(t *testing.T) (*Site, Program) {
	t.Helper()
	s := New(t, "http://laurel.test")
	s.Time = modelstest.Noon.Add(24 * time.Hour)
	return s, s.Program(t, s.Member(t, "boss", members.RoleAdmin))
}

// JSON writes a value.
func JSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

var fuzzSites = []members.Site{{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[a-z]+$`), Hint: "letters"}}

// NewWithMembers has the admin ann and the member bob.
func NewWithMembers(t *testing.T) (s *Site, ann, bob *Browser) {
	t.Helper()
	s = New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleAdmin)
	s.Member(t, "bob", members.RoleMember)
	return s, s.SignedIn(t, "ann"), s.SignedIn(t, "bob")
}

// NewForFuzzing is a site on a transaction that is rolled back, and the token of its
// admin boss.
func NewForFuzzing(t *testing.T) (s *Site, token string) {
	t.Helper()
	s = &Site{Logged: &strings.Builder{}, Time: modelstest.Noon}
	db := &pg.DB{DB: modelstest.Tx(t)}
	log := slog.New(slog.NewTextHandler(s.Logged, &slog.HandlerOptions{Level: slog.LevelError}))
	s.Handlers = &handlers.Handlers{Base: &web.Base{DB: db, Now: func() time.Time { return s.Time }, Log: log, BuiltIn: fuzzSites,
		Sessions: scs.New()}}
	s.Restart()
	boss := members.Member{Name: "boss", Role: members.RoleAdmin}
	if err := members.Create(t.Context(), db.DB, &boss, s.Time); err != nil {
		t.Fatal(err)
	}
	token, err := members.CreateToken(t.Context(), db.DB, boss.ID, "fuzz", true, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	return s, token
}
