package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

func TestImport(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/admin/import").Is(t, http.StatusForbidden)
	ann.Get("/admin/members").Is(t, http.StatusOK, `href="/admin/import"`)
	ann.Get("/admin/import").Is(t, http.StatusOK, "codeforces", "All is stored, or nothing")
	ann.Post("/admin/import", "text", "name,codeforces\nfox 1,ok_name\nhare,a/../b").
		Is(t, http.StatusUnprocessableEntity, "Nothing was stored", "Line 2", "Line 3, codeforces", "a/../b</textarea>")
	page := ann.Post("/admin/import", "text", "name;display_name;codeforces;custom\nfox;Fox;fox_cf;\nhare;;;\nguest;;guest_cf;yes\nbob;;bob_cf;", "links", "yes").
		Is(t, http.StatusOK, "3 members added, 1 known already; 3 handles added, 0 changed.", "fox,http://laurel.test/sign-up?code=", "hare,http")
	for _, never := range []string{"guest,http", "bob,http"} { // One has no account, the other a password.
		if strings.Contains(page.Text, never) {
			t.Errorf("there is a link for %s", never)
		}
	}
	_, code, _ := strings.Cut(page.Text, "hare,http://laurel.test/sign-up?code=")
	code, _, _ = strings.Cut(code, "<")
	hare := s.Browser(t)
	hare.Get("/sign-up?code="+url.QueryEscape(code)).Is(t, http.StatusOK, "hare")
	again := ann.Post("/admin/import", "text", "name\nhare").Is(t, http.StatusOK, "0 members added, 1 known already")
	if strings.Contains(again.Text, "sign-up?code=") {
		t.Error("a link was made without being asked for")
	}
	list, err := members.InviteAll(t.Context(), s.DB.DB, 1, []string{"HARE", "nobody"}, s.Time)
	if err != nil || len(list) != 1 || list[0].Name != "hare" {
		t.Errorf("invited %v, error %v", list, err)
	}
}
