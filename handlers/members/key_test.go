package members_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// A key is saved sealed, shown by its public part, and taken away; who has no account on the site has
// no form for one.
func TestKey(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "ann", members.RoleMember)
	b := s.SignedIn(t, "ann")
	lacks := func(page handlerstest.Answer, words string) {
		t.Helper()
		if strings.Contains(page.Text, words) {
			t.Errorf("the page has %q", words)
		}
	}
	lacks(b.Get("/settings"), "API key")
	b.Post("/settings/key", "key", "k", "secret", "s").Is(t, http.StatusNotFound)
	b.Post("/settings/key/remove").Is(t, http.StatusNotFound)
	b.Post("/settings/handles", "accounts.codeforces", "ann_c").LeadsTo(t, "/u/ann?done=handles")
	b.Get("/settings").Is(t, http.StatusOK, "Codeforces API key", "Make a key")
	b.Post("/settings/key", "key", "two words", "secret", "").Is(t, http.StatusUnprocessableEntity, "Must be letters and digits")
	b.Post("/settings/key", "key", "0123abcd", "secret", "hidden-part").LeadsTo(t, "/settings?done=key")
	lacks(b.Get("/settings?done=key").Is(t, http.StatusOK, "Key saved", "The key 0123abcd is used."), "hidden-part")
	b.Post("/settings/key/remove").LeadsTo(t, "/settings?done=key-removed")
	lacks(b.Get("/settings"), "0123abcd")
}
