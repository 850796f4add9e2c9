package handlers

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

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
