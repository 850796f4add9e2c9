package sites_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/sites"
	"laurel/handlers/web"
	"laurel/models/members"
)

func TestOutsideSitesAPI(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss, ada := s.Program(t, s.Member(t, "boss", members.RoleAdmin)), s.Program(t, s.Member(t, "ada", members.RoleMember))
	const good = `{"title":"CSES","home":"https://cses.fi","handle_pattern":"[0-9]+","problem_url":"https://cses.fi/problemset/task/{key}"}`
	ada.Call("PUT", "/admin/sites/cses", good).Refused(t, 403, "")
	for _, tt := range []struct{ name, body, field string }{
		{"codeforces", good, "name"},
		{"Cses", good, "name"},
		{"1cses", good, "name"},
		{"cses-fi", good, "name"},
		{"cses", `{"title":" ","home":"https://cses.fi"}`, "title"},
		{"cses", `{"title":"CSES","home":"cses.fi"}`, "home"},
		{"cses", `{"title":"CSES","home":"javascript:alert(1)"}`, "home"},
		{"cses", `{"title":"CSES","home":"https://cses.fi","handle_pattern":"["}`, "handle_pattern"},
		{"cses", `{"title":"CSES","home":"https://cses.fi","problem_url":"https://cses.fi/task/"}`, "problem_url"},
		{"cses", `{"title":"CSES","home":"https://cses.fi","colour":"red"}`, "colour"},
	} {
		boss.Call("PUT", "/admin/sites/"+tt.name, tt.body).Refused(t, 422, tt.field)
	}
	boss.Call("PUT", "/admin/sites/cses", good).Is(t, http.StatusCreated, `"site":"cses"`)
	boss.Call("PUT", "/admin/sites/cses", good).Is(t, http.StatusOK)
	find := func() handlers.APISite {
		list := handlerstest.Read[web.List[handlers.APISite]](t, ada.Call("GET", "/sites", ""), 200).Items
		if len(list) != 3 || list[1].Site != "cses" {
			t.Fatalf("%+v", list)
		}
		return list[1]
	}
	if x := find(); !x.Outside || x.LastSuccessAt != nil || x.Accounts != 0 || x.Title != "CSES" {
		t.Errorf("%+v", x)
	}
	// Everything that knows sites knows it: handles, filters, forms.
	boss.Call("PATCH", "/members/ada", `{"accounts":{"cses":"no digits"}}`).Refused(t, 422, "accounts.cses")
	boss.Call("PATCH", "/members/ada", `{"accounts":{"cses":"123"}}`).Is(t, 200, `"state":"paused"`)
	s.SignedIn(t, "ada").Get("/settings").Is(t, 200, `name="accounts.cses"`)
	ada.Call("GET", "/submissions?site=cses", "").Is(t, 200)
	boss.Call("PATCH", "/sites/cses", `{"paused":true,"reason":"x"}`).Refused(t, 404, "")
	s.SignedIn(t, "ada").Post("/u/ada/accounts/cses/resume").Is(t, http.StatusSeeOther)
	if state := handlerstest.Read[struct{ Accounts []struct{ State string } }](t, ada.Call("GET", "/members/ada", ""), 200).Accounts[0].State; state != "paused" {
		t.Errorf("an account on an outside site is %s, so it would be due", state)
	}
	ada.Call("POST", "/members/ada/submissions", `{"site":"cses","id":"1","problem":{"key":"1068"},"status":"AC","submitted_at":"2020-01-01T00:00:00Z"}`).Is(t, 200, `"accepted":1`)
	if x := find(); x.LastSuccessAt == nil || !x.LastSuccessAt.Equal(s.Time) || x.Outcome != "ok" || x.Accounts != 1 || x.Queue != 0 || x.PushedAt == nil {
		t.Errorf("%+v", x)
	}
	s.Browser(t).Get("/sites").Is(t, 200, "brought by members", "https://cses.fi")
	s.Browser(t).Get("/u/ada").Is(t, 200, "CSES", "/problems/cses/1068", "Last brought")
	s.Browser(t).Get("/problems/cses/1068").Is(t, 200, "https://cses.fi/problemset/task/1068")
	boss.Call("DELETE", "/admin/sites/cses", "").Refused(t, 409, "")
	s.Time = s.Time.Add(time.Hour)
	ada.Call("DELETE", "/members/ada/submissions?site=cses", "").Is(t, 200, `"deleted":1`)
	ada.Call("DELETE", "/admin/sites/cses", "").Refused(t, 403, "")
	boss.Call("DELETE", "/admin/sites/cses", "").Is(t, http.StatusNoContent)
	boss.Call("DELETE", "/admin/sites/cses", "").Refused(t, 404, "")
	boss.Call("DELETE", "/admin/sites/uva", "").Refused(t, 404, "")
	ada.Call("GET", "/members/ada", "").Is(t, 200, `"accounts":[]`)
}

func TestOutsideSitesPage(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	ada := s.Member(t, "ada", members.RoleMember)
	b := s.SignedIn(t, "boss")
	s.SignedIn(t, "ada").Get("/admin/sites").Is(t, 403)
	b.Get("/sites").Is(t, 200, `href="/admin/sites"`)
	b.Get("/admin/sites").Is(t, 200, "No outside site yet")
	fields := []string{"name", "kattis", "title", "Kattis", "home", "https://open.kattis.com", "handle_pattern", "[a-z-]+", "problem_url", "https://open.kattis.com/problems/{key}"}
	b.Post("/admin/sites", append([]string{"name", "Kattis!"}, fields[2:]...)...).Is(t, 422, "small letters", `value="Kattis!"`)
	b.Post("/admin/sites", fields...).LeadsTo(t, "/admin/sites?done=saved")
	b.Get("/admin/sites?edit=kattis").Is(t, 200, "Change kattis", `value="[a-z-]+"`, "never")
	s.Program(t, ada).Call("POST", "/members/ada/submissions", `{"site":"kattis","id":"1","problem":{"key":"hello"},"status":"AC","submitted_at":"2020-01-01T00:00:00Z"}`).Is(t, 200, `"accepted":1`)
	b.Post("/admin/sites/kattis/delete").Is(t, 409, "This site has submissions")
	b.Post("/admin/sites/uva/delete").Is(t, 404)
	if page := b.Get("/sites").Is(t, 200, "Kattis"); strings.Contains(page.Text, "Pause Kattis") {
		t.Error("an outside site can be paused")
	}
}
