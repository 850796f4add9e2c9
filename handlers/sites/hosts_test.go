package sites_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// answers is the job that asks hosts: those with "bad" in their address do not answer as they should. It
// counts the questions, and keeps the token of the last one.
type answers struct {
	asked int
	token string
}

func answerChecks(t *testing.T, s *handlerstest.Site) *answers {
	t.Helper()
	a := &answers{}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	t.Cleanup(func() { stop(); <-done })
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			c, ok, err := retrieval.ClaimSiteCheck(ctx, s.DB.DB, time.Now().Add(time.Hour), time.Now())
			if err != nil || !ok {
				<-time.After(5 * time.Millisecond)
				continue
			}
			a.asked++
			a.token, _ = c.Site().OpenToken(s.Secret)
			message := ""
			if strings.Contains(c.Home, "bad") {
				message = c.Home + " does not answer as DMOJ does: status 404"
			}
			_ = retrieval.AnswerSiteCheck(ctx, s.DB.DB, c.ID, message, time.Now())
		}
	}()
	return a
}

func TestHostsAPI(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss, ada := s.Program(t, s.Member(t, "boss", members.RoleAdmin)), s.Program(t, s.Member(t, "ada", members.RoleMember))
	job := answerChecks(t, s)
	const good = `{"kind":"dmoj","title":"School judge","base":"https://Judge.School.example/"}`
	ada.Call("PUT", "/admin/sites/school", good).Refused(t, 403, "")
	for _, tt := range []struct{ name, body, field string }{
		{"codeforces", good, "name"},
		{"School", good, "name"},
		{"school", `{"kind":"hydro","title":"S","base":"https://x.example"}`, "kind"},
		{"school", `{"title":"S","base":"https://x.example"}`, "kind"},
		{"school", `{"kind":"dmoj","title":"S","home":"https://x.example"}`, "home"},
		{"school", `{"kind":"dmoj","title":"","base":"https://x.example"}`, "title"},
		{"school", `{"kind":"dmoj","title":"S","base":""}`, "base"},
		{"school", `{"kind":"dmoj","title":"S","base":"ftp://x.example"}`, "base"},
		{"school", `{"kind":"dmoj","title":"S","base":"https://me:secret@x.example"}`, "base"},
		{"school", `{"kind":"dmoj","title":"S","base":"https://x.example/?a=b"}`, "base"},
		{"school", `{"kind":"dmoj","title":"S","base":"https://x.example","problem_url":"https://x.example/{key}"}`, "kind"},
		{"school", `{"kind":"dmoj","title":"S","base":"https://x.example","token":"two words"}`, "token"},
		{"school", `{"title":"S","home":"https://x.example","token":"sesame"}`, "token"},
	} {
		boss.Call("PUT", "/admin/sites/"+tt.name, tt.body).Refused(t, 422, tt.field)
	}
	if job.asked != 0 {
		t.Errorf("%d hosts were asked for what is wrong in itself", job.asked)
	}
	if got := boss.Call("PUT", "/admin/sites/school", `{"kind":"dmoj","title":"S","base":"https://bad.example"}`); !strings.Contains(got.Text, "https://bad.example does not answer as DMOJ does") {
		t.Errorf("%s", got.Text)
	}
	boss.Call("DELETE", "/admin/sites/school", "").Refused(t, 404, "")
	boss.Call("PUT", "/admin/sites/school", good).Is(t, http.StatusCreated, `"kind":"dmoj"`, `"home":"https://judge.school.example"`, `"has_token":false`)
	// Another title asks nobody; another token, and another address, do.
	asked := job.asked
	for _, tt := range []struct {
		body, token string
		asks        int
		has         string
	}{
		{strings.Replace(good, "School judge", "Our judge", 1), "", 0, `"has_token":false`},
		{`{"kind":"dmoj","title":"S","base":"https://judge.school.example","token":"sesame"}`, "sesame", 1, `"has_token":true`},
		{good, "", 0, `"has_token":true`},
		{`{"kind":"dmoj","title":"S","base":"https://other.example"}`, "", 1, `"has_token":false`}, // It was not given for that one.
		{`{"kind":"dmoj","title":"S","base":"https://judge.school.example","token":"sesame"}`, "sesame", 1, `"has_token":true`},
		{`{"kind":"dmoj","title":"S","base":"https://judge.school.example","token":""}`, "", 1, `"has_token":false`},
	} {
		boss.Call("PUT", "/admin/sites/school", tt.body).Is(t, http.StatusOK, tt.has)
		if got := job.asked - asked; got != tt.asks || tt.asks > 0 && job.token != tt.token {
			t.Errorf("%s: %d questions with the token %q, want %d with %q", tt.body, got, job.token, tt.asks, tt.token)
		}
		asked = job.asked
	}
	boss.Call("PUT", "/admin/sites/school", `{"title":"S","home":"https://x.example"}`).Refused(t, 422, "kind")
	// It is a site as the others are.
	ada.Call("GET", "/sites", "").Is(t, 200, `"site":"school"`, `"kind":"dmoj"`)
	boss.Call("PATCH", "/members/ada", `{"accounts":{"school":"no blanks"}}`).Refused(t, 422, "accounts.school")
	boss.Call("PATCH", "/members/ada", `{"accounts":{"school":"ada_1"}}`).Is(t, 200, `"state":"new"`)
	s.SignedIn(t, "ada").Get("/settings").Is(t, 200, `name="accounts.school"`)
	boss.Call("PATCH", "/sites/school", `{"paused":true,"reason":"x"}`).Is(t, 200, `"paused":true`)
	boss.Call("PUT", "/sites/school/canaries/ada_1", `{"least":5}`).Is(t, 200)
	boss.Call("PATCH", "/sites/school", `{"paused":false}`).Is(t, 200)
	browser := s.SignedIn(t, "ada")
	state := func() string {
		return handlerstest.Read[struct{ Accounts []struct{ State string } }](t, ada.Call("GET", "/members/ada", ""), 200).Accounts[0].State
	}
	for _, step := range []struct{ action, want string }{{"pause", "paused"}, {"resume", "new"}} {
		browser.Post("/u/ada/accounts/school/"+step.action).Is(t, http.StatusSeeOther)
		if got := state(); got != step.want {
			t.Errorf("after %s the account is %s, want %s", step.action, got, step.want)
		}
	}
	boss.Call("PATCH", "/sites/school", `{"paused":true,"reason":"x"}`).Is(t, 200)
	boss.Call("DELETE", "/admin/sites/school", "").Is(t, http.StatusNoContent)
	ada.Call("GET", "/members/ada", "").Is(t, 200, `"accounts":[]`)
	boss.Call("PUT", "/admin/sites/school", good).Is(t, http.StatusCreated)
	if list := ada.Call("GET", "/sites", "").Text; strings.Contains(list, `"paused":true`) {
		t.Errorf("what takes the name of a removed site is paused as that was: %s", list)
	}
	if strings.Contains(s.Logged.String(), "sesame") {
		t.Errorf("the token is in the log: %s", s.Logged)
	}
}

func TestHostsPage(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "boss", members.RoleAdmin)
	s.Member(t, "ada", members.RoleMember)
	answerChecks(t, s)
	b := s.SignedIn(t, "boss")
	s.SignedIn(t, "ada").Post("/admin/sites/hosts", "kind", "dmoj").Is(t, 403)
	b.Get("/admin/sites").Is(t, 200, "No host yet", "https://dmoj.ca")
	fields := []string{"kind", "dmoj", "title", "School judge", "base", "https://judge.school.example", "name", "school"}
	b.Post("/admin/sites/hosts", "title", "School judge", "name", "school").Is(t, 422, "Choose a kind")
	bad := b.Post("/admin/sites/hosts", "kind", "dmoj", "title", "School judge", "base", "https://bad.example", "name", "school", "token", "sesame").Is(t, 422,
		"https://bad.example does not answer as DMOJ does", `value="School judge"`)
	if strings.Contains(bad.Text, "sesame") {
		t.Error("the token is shown again")
	}
	b.Post("/admin/sites/hosts", append(fields, "token", "sesame")...).LeadsTo(t, "/admin/sites?done=saved")
	b.Get("/admin/sites?host=school").Is(t, 200, "Change School judge", "Forget the token", "given", `value="https://judge.school.example"`)
	b.Post("/admin/sites/hosts", append(fields, "no_token", "yes")...).LeadsTo(t, "/admin/sites?done=saved")
	if page := b.Get("/admin/sites?host=school").Is(t, 200, "none yet"); strings.Contains(page.Text, "Forget the token") {
		t.Error("the token is still there")
	}
	s.Browser(t).Get("/sites").Is(t, 200, "School judge")
	b.Post("/admin/sites/school/pause", "reason", "holidays").LeadsTo(t, "/sites?done=site-paused")
	b.Post("/admin/sites/school/delete").LeadsTo(t, "/admin/sites?done=removed")
}
