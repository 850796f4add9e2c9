package forums_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	handlers "laurel/handlers/forums"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/forums"
	"laurel/models/members"
)

// From a member's own word to messages that are theirs, and back.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	m := s.Message(-time.Hour, "1", "", "A plan", "x")
	m.Author, m.Address = "Bob <b>", "bob at example.org"
	s.StoreMessages(t, m)
	bob.Get("/settings").Is(t, http.StatusOK, `href="/settings/names"`)
	bob.Get("/settings/names").Is(t, http.StatusOK, "No names yet", "An admin reviews", "News")
	bob.Post("/settings/names", "name", "", "address", "", "forum", "").Is(t, http.StatusUnprocessableEntity, "must be given")
	bob.Post("/settings/names", "name", "Bob", "address", "", "forum", "").Is(t, http.StatusUnprocessableEntity, "one forum only", `value="Bob"`)
	bob.Post("/settings/names", "address", "bob", "forum", "none").Is(t, http.StatusUnprocessableEntity, "No forum is named")
	bob.Post("/settings/names", "address", "BOB at example.org").LeadsTo(t, "/settings/names?done=name-asked")
	bob.Get("/settings/names?done=name-asked").Is(t, http.StatusOK, "bob@example.org", "waiting for an admin", "all forums", "Sent to the admins")
	bob.Get("/admin/authors").Is(t, http.StatusForbidden)
	page := ann.Get("/admin/authors").Is(t, http.StatusOK, "bob@example.org", "Bob says so")
	_, id, _ := strings.Cut(page.Text, `name="id" value="`)
	id, _, _ = strings.Cut(id, `"`)
	ann.Post("/admin/authors/suggestions", "id", id, "decision", "perhaps").Is(t, http.StatusUnprocessableEntity, "Must be accept or dismiss")
	ann.Post("/admin/authors/suggestions", "id", id, "decision", "accept").LeadsTo(t, "/admin/authors?done=saved")
	ann.Post("/admin/authors/suggestions", "id", id, "decision", "accept").Is(t, http.StatusNotFound)
	bob.Get("/u/bob/messages").Is(t, http.StatusOK, "A plan")
	bob.Get("/u/bob").Is(t, http.StatusOK, "A plan", "1 message")
	bob.Get("/settings/names").Is(t, http.StatusOK, "linked by bob, today")
	ann.Post("/settings/names/"+id+"/remove").Is(t, http.StatusNotFound)
	bob.Post("/settings/names/"+id+"/remove").LeadsTo(t, "/settings/names?done=unnamed")
	bob.Get("/u/bob/messages").Is(t, http.StatusOK, "No messages yet", "/settings/names")

	ann.Post("/admin/authors", "member", "zoe", "address", "z@example.org").Is(t, http.StatusUnprocessableEntity, "No member is named", `value="zoe"`)
	ann.Post("/admin/authors", "member", "bob", "address", "bob@example.org", "name", "Bob <b>").LeadsTo(t, "/admin/authors?done=named")
	ann.Post("/admin/authors", "member", "ann", "address", "bob@example.org", "name", "bob <B>").Is(t, http.StatusUnprocessableEntity, "This is bob already")
	ann.Post("/admin/authors", "member", "", "address", "news@lists.example.org").LeadsTo(t, "/admin/authors?done=named")
	ann.Get("/admin/authors").Is(t, http.StatusOK, "Nothing to review", "news@lists.example.org", "nobody", "linked by ann")
	ann.Get("/admin/authors?before=x").Is(t, http.StatusUnprocessableEntity)
	all, err := forums.AssignedAuthors(t.Context(), s.DB.DB, 0, 10)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	ann.Post("/admin/authors/x/remove").Is(t, http.StatusNotFound)
	ann.Post("/admin/authors/"+fmt.Sprint(all[0].ID)+"/remove").LeadsTo(t, "/admin/authors?done=unnamed")
	bob.Get("/u/bob/messages").Is(t, http.StatusOK, "No messages yet")
}

func TestAPIAuthors(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss, ann, bob := s.Program(t, s.Member(t, "boss", members.RoleAdmin)), s.Program(t, s.Member(t, "ann", members.RoleMember)), s.Program(t, s.Member(t, "bob", members.RoleMember))
	s.StoreMessages(t, s.Message(-time.Hour, "1", "", "A plan", "x"))
	ann.Call("GET", "/members/bob/authors", "").Refused(t, http.StatusForbidden, "")
	ann.Call("POST", "/members/bob/authors", `{"address":"ann@example.org"}`).Refused(t, http.StatusForbidden, "")
	for body, field := range map[string]string{`{}`: "address", `{"name":"Ann"}`: "forum", `{"address":"ann"}`: "forum", `{"address":"ann","forum":"none"}`: "forum", `{"address":"a@b","more":1}`: "more"} {
		ann.Call("POST", "/members/ann/authors", body).Refused(t, http.StatusUnprocessableEntity, field)
	}
	asked := handlerstest.Read[handlers.APIAuthor](t, ann.Call("POST", "/members/ann/authors", `{"address":"ann at example.org"}`), http.StatusAccepted)
	if asked.State != forums.AuthorAsked || asked.Address != "ann@example.org" || asked.Member != "ann" {
		t.Errorf("asked is %+v", asked)
	}
	ann.Call("GET", "/authors/suggestions", "").Refused(t, http.StatusForbidden, "")
	open := handlerstest.Read[web.List[handlers.APISuggestion]](t, boss.Call("GET", "/authors/suggestions", ""), http.StatusOK)
	if len(open.Items) != 1 || !open.Items[0].Asked || open.Items[0].ID != fmt.Sprint(asked.ID) {
		t.Fatalf("open are %+v", open)
	}
	boss.Call("POST", "/authors/suggestions/"+open.Items[0].ID, `{"decision":"no"}`).Refused(t, http.StatusUnprocessableEntity, "decision")
	boss.Call("POST", "/authors/suggestions/none", `{"decision":"accept"}`).Refused(t, http.StatusNotFound, "")
	if said := handlerstest.Read[handlers.APIAuthor](t, boss.Call("POST", "/authors/suggestions/"+open.Items[0].ID, `{"decision":"accept"}`), http.StatusOK); said.State != forums.AuthorSaid || said.DecidedBy != "boss" {
		t.Errorf("said is %+v", said)
	}
	wrote := func(n int) {
		t.Helper()
		if list := handlerstest.Read[web.List[handlers.APIMessage]](t, bob.Call("GET", "/members/ann/messages", ""), http.StatusOK); len(list.Items) != n {
			t.Errorf("ann wrote %+v, want %d", list, n)
		}
	}
	wrote(1)
	bob.Call("DELETE", "/members/bob/authors/"+fmt.Sprint(asked.ID), "").Refused(t, http.StatusNotFound, "")
	if got := ann.Call("DELETE", "/members/ann/authors/"+fmt.Sprint(asked.ID), ""); got.StatusCode != http.StatusNoContent {
		t.Errorf("removed: %d", got.StatusCode)
	}
	wrote(0)
	nobody := handlerstest.Read[handlers.APIAuthor](t, boss.Call("POST", "/authors/nobody", `{"address":"ann@example.org"}`), http.StatusCreated)
	boss.Call("POST", "/members/ann/authors", `{"address":"ann@example.org"}`).Refused(t, http.StatusUnprocessableEntity, "address")
	if all := handlerstest.Read[web.List[handlers.APIAuthor]](t, boss.Call("GET", "/authors/nobody", ""), http.StatusOK); len(all.Items) != 1 || all.Items[0].Member != "" {
		t.Errorf("nobody's are %+v", all)
	}
	if got := boss.Call("DELETE", "/authors/nobody/"+fmt.Sprint(nobody.ID), ""); got.StatusCode != http.StatusNoContent {
		t.Errorf("removed: %d", got.StatusCode)
	}
	handlerstest.Read[handlers.APIAuthor](t, boss.Call("POST", "/members/ann/authors", `{"address":"ann@example.org"}`), http.StatusCreated)
	wrote(1)
	if all := handlerstest.Read[web.List[handlers.APIAuthor]](t, ann.Call("GET", "/members/ann/authors", ""), http.StatusOK); len(all.Items) != 1 {
		t.Errorf("ann's are %+v", all)
	}
}
