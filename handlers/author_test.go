package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/models/forums"
	"laurel/models/members"
)

// From a member's own word to messages that are theirs, and back.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	s, ann, bob := pagesSite(t)
	m := s.post(-time.Hour, "1", "", "A plan", "x")
	m.Author, m.Address = "Bob <b>", "bob at example.org"
	s.posted(t, m)
	bob.get("/settings").is(t, http.StatusOK, `href="/settings/names"`)
	bob.get("/settings/names").is(t, http.StatusOK, "None yet", "An admin reviews", "News")
	bob.post("/settings/names", "name", "", "address", "", "forum", "").is(t, http.StatusUnprocessableEntity, "must be given")
	bob.post("/settings/names", "name", "Bob", "address", "", "forum", "").is(t, http.StatusUnprocessableEntity, "one forum only", `value="Bob"`)
	bob.post("/settings/names", "address", "bob", "forum", "none").is(t, http.StatusUnprocessableEntity, "No forum is named")
	bob.post("/settings/names", "address", "BOB at example.org").leads(t, "/settings/names?done=name-asked")
	bob.get("/settings/names?done=name-asked").is(t, http.StatusOK, "bob@example.org", "waiting for an admin", "all forums", "Sent to the admins")
	bob.get("/admin/authors").is(t, http.StatusForbidden)
	page := ann.get("/admin/authors").is(t, http.StatusOK, "bob@example.org", "Bob says so")
	_, id, _ := strings.Cut(page.body, `name="id" value="`)
	id, _, _ = strings.Cut(id, `"`)
	ann.post("/admin/authors/suggestions", "id", id, "decision", "perhaps").is(t, http.StatusUnprocessableEntity, "Must be accept or dismiss")
	ann.post("/admin/authors/suggestions", "id", id, "decision", "accept").leads(t, "/admin/authors?done=saved")
	ann.post("/admin/authors/suggestions", "id", id, "decision", "accept").is(t, http.StatusNotFound)
	bob.get("/u/bob/messages").is(t, http.StatusOK, "A plan")
	bob.get("/u/bob").is(t, http.StatusOK, "1 message in 1 discussion", "<title>A plan: Bob &lt;b&gt;, 1 hour ago</title>")
	bob.get("/settings/names").is(t, http.StatusOK, "linked by bob, today")
	ann.post("/settings/names/"+id+"/remove").is(t, http.StatusNotFound)
	bob.post("/settings/names/"+id+"/remove").leads(t, "/settings/names?done=unnamed")
	bob.get("/u/bob/messages").is(t, http.StatusOK, "No messages yet", "/settings/names")

	ann.post("/admin/authors", "member", "zoe", "address", "z@example.org").is(t, http.StatusUnprocessableEntity, "No member is named", `value="zoe"`)
	ann.post("/admin/authors", "member", "bob", "address", "bob@example.org", "name", "Bob <b>").leads(t, "/admin/authors?done=named")
	ann.post("/admin/authors", "member", "ann", "address", "bob@example.org", "name", "bob <B>").is(t, http.StatusUnprocessableEntity, "This is bob already")
	ann.post("/admin/authors", "member", "", "address", "news@lists.example.org").leads(t, "/admin/authors?done=named")
	ann.get("/admin/authors").is(t, http.StatusOK, "Nothing to review", "news@lists.example.org", "nobody", "linked by ann")
	ann.get("/admin/authors?before=x").is(t, http.StatusUnprocessableEntity)
	all, err := forums.AssignedAuthors(t.Context(), s.DB.DB, 0, 10)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	ann.post("/admin/authors/x/remove").is(t, http.StatusNotFound)
	ann.post("/admin/authors/"+fmt.Sprint(all[0].ID)+"/remove").leads(t, "/admin/authors?done=unnamed")
	bob.get("/u/bob/messages").is(t, http.StatusOK, "No messages yet")
}

func TestAPIAuthors(t *testing.T) {
	t.Parallel()
	s := newSite(t, "http://laurel.test")
	boss, ann, bob := s.program(t, s.member(t, "boss", members.RoleAdmin)), s.program(t, s.member(t, "ann", members.RoleMember)), s.program(t, s.member(t, "bob", members.RoleMember))
	s.posted(t, s.post(-time.Hour, "1", "", "A plan", "x"))
	ann.call("GET", "/members/bob/authors", "").refused(t, http.StatusForbidden, "")
	ann.call("POST", "/members/bob/authors", `{"address":"ann@example.org"}`).refused(t, http.StatusForbidden, "")
	for body, field := range map[string]string{`{}`: "address", `{"name":"Ann"}`: "forum", `{"address":"ann"}`: "forum", `{"address":"ann","forum":"none"}`: "forum", `{"address":"a@b","more":1}`: "more"} {
		ann.call("POST", "/members/ann/authors", body).refused(t, http.StatusUnprocessableEntity, field)
	}
	asked := read[apiAuthor](t, ann.call("POST", "/members/ann/authors", `{"address":"ann at example.org"}`), http.StatusAccepted)
	if asked.State != forums.AuthorAsked || asked.Address != "ann@example.org" || asked.Member != "ann" {
		t.Errorf("asked is %+v", asked)
	}
	ann.call("GET", "/authors/suggestions", "").refused(t, http.StatusForbidden, "")
	open := read[List[apiSuggestion]](t, boss.call("GET", "/authors/suggestions", ""), http.StatusOK)
	if len(open.Items) != 1 || !open.Items[0].Asked || open.Items[0].ID != fmt.Sprint(asked.ID) {
		t.Fatalf("open are %+v", open)
	}
	boss.call("POST", "/authors/suggestions/"+open.Items[0].ID, `{"decision":"no"}`).refused(t, http.StatusUnprocessableEntity, "decision")
	boss.call("POST", "/authors/suggestions/none", `{"decision":"accept"}`).refused(t, http.StatusNotFound, "")
	if said := read[apiAuthor](t, boss.call("POST", "/authors/suggestions/"+open.Items[0].ID, `{"decision":"accept"}`), http.StatusOK); said.State != forums.AuthorSaid || said.DecidedBy != "boss" {
		t.Errorf("said is %+v", said)
	}
	wrote := func(n int) {
		t.Helper()
		if list := read[List[apiMessage]](t, bob.call("GET", "/members/ann/messages", ""), http.StatusOK); len(list.Items) != n {
			t.Errorf("ann wrote %+v, want %d", list, n)
		}
	}
	wrote(1)
	bob.call("DELETE", "/members/bob/authors/"+fmt.Sprint(asked.ID), "").refused(t, http.StatusNotFound, "")
	if got := ann.call("DELETE", "/members/ann/authors/"+fmt.Sprint(asked.ID), ""); got.StatusCode != http.StatusNoContent {
		t.Errorf("removed: %d", got.StatusCode)
	}
	wrote(0)
	nobody := read[apiAuthor](t, boss.call("POST", "/authors/nobody", `{"address":"ann@example.org"}`), http.StatusCreated)
	boss.call("POST", "/members/ann/authors", `{"address":"ann@example.org"}`).refused(t, http.StatusUnprocessableEntity, "address")
	if all := read[List[apiAuthor]](t, boss.call("GET", "/authors/nobody", ""), http.StatusOK); len(all.Items) != 1 || all.Items[0].Member != "" {
		t.Errorf("nobody's are %+v", all)
	}
	if got := boss.call("DELETE", "/authors/nobody/"+fmt.Sprint(nobody.ID), ""); got.StatusCode != http.StatusNoContent {
		t.Errorf("removed: %d", got.StatusCode)
	}
	read[apiAuthor](t, boss.call("POST", "/members/ann/authors", `{"address":"ann@example.org"}`), http.StatusCreated)
	wrote(1)
	if all := read[List[apiAuthor]](t, ann.call("GET", "/members/ann/authors", ""), http.StatusOK); len(all.Items) != 1 {
		t.Errorf("ann's are %+v", all)
	}
}
