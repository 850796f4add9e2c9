package profiles_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/profiles"
	"laurel/handlers/web"
	"laurel/models/forums"
	"laurel/models/members"
)

func TestComparisonPages(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.Community(t)
	b := s.Browser(t)
	m := s.Message(-time.Hour, "1", "", "Who is ahead?", "See")
	m.Links = []string{"http://laurel.test/compare/bob/ada"}
	m.Refs = []forums.MessageRef{{Kind: forums.RefProblem, Key: "codeforces/4A"}}
	serial := s.StoreMessages(t, m)[m.URL]
	b.Get("/compare").Is(t, http.StatusOK, "Compare two members", `name="a"`, `name="b"`)
	b.Get("/compare?a=ada&b=nobody").Is(t, http.StatusUnprocessableEntity, "No member found for &#34;nobody&#34;", `value="ada"`)
	b.Get("/compare?a=ada&b=ADA").Is(t, http.StatusUnprocessableEntity, "different members")
	b.Get("/compare?a=ada&b=bob").LeadsTo(t, "/compare/ada/bob")
	b.Get("/compare?a=ada&b=ob").LeadsTo(t, "/compare/ada/bob")
	s.Member(t, "bobby", members.RoleMember)
	b.Get("/compare?a=ada&b=bob").LeadsTo(t, "/compare/ada/bob")
	b.Get("/compare?a=ada&b=ob").Is(t, http.StatusOK, "Who is “ob”?", `href="/compare?a=ada&amp;b=bob"`)
	b.Get("/compare/ada/nobody").Is(t, http.StatusNotFound)
	b.Get("/compare/ada/ada").Is(t, http.StatusUnprocessableEntity, "same member")
	page := b.Get("/compare/ada/bob").Is(t, http.StatusOK, "<h1>ada and bob</h1>", `href="/compare/bob/ada"`, "Solved by bob only", "Solved by ada only", "Side by side", "Active days in a year", "ada only", "Codeforces", "Who is ahead?", "/messages/"+fmt.Sprint(serial))
	if !strings.Contains(page.Text, `href="/compare/ada/bob/problems?solved=`) {
		t.Errorf("no list of problems: %s", page.Text)
	}
	b.Get("/compare/bob/ADA").Is(t, http.StatusOK, "<h1>bob and ada</h1>", "Who is ahead?")
	for _, which := range []string{"first", "second", "both"} {
		b.Get("/compare/ada/bob/problems?solved="+which).Is(t, http.StatusOK, `aria-current="page"`)
	}
	b.Get("/compare/ada/bob/problems?solved=x").Is(t, http.StatusUnprocessableEntity)
	b.Get("/compare/ada/bob/problems?after=x").Is(t, http.StatusUnprocessableEntity)
	b.Get("/compare/ada/nobody/problems").Is(t, http.StatusNotFound)

	got := handlerstest.Read[handlers.APIComparison](t, p.Call("GET", "/compare/bob/ada", ""), http.StatusOK)
	if got.Key != "ada/bob" || got.A != "ada" || got.B != "bob" || got.Members[0].Name != "bob" || got.Members[0].Side != "b" || got.Messages != 1 || got.Discussing != 1 || got.Days.Of != 365 {
		t.Errorf("the comparison is %+v", got)
	}
	solved := 0
	for _, site := range got.Sites {
		solved += site.Second + site.Both
	}
	if solved != got.Members[1].Solved || solved == 0 {
		t.Errorf("ada solved %d, and by sites %d", got.Members[1].Solved, solved)
	}
	only := handlerstest.Read[web.List[handlers.APISolvedProblem]](t, p.Call("GET", "/compare/ada/bob/problems?solved=first&limit=500", ""), http.StatusOK)
	both := handlerstest.Read[web.List[handlers.APISolvedProblem]](t, p.Call("GET", "/compare/ada/bob/problems?solved=both&limit=500", ""), http.StatusOK)
	if len(only.Items)+len(both.Items) != solved {
		t.Errorf("the lists have %d and %d problems, want %d", len(only.Items), len(both.Items), solved)
	}
	p.Call("GET", "/compare/ada/ada", "").Refused(t, http.StatusUnprocessableEntity, "b")
	p.Call("GET", "/compare/ada/zoe", "").Refused(t, http.StatusNotFound, "")
	p.Call("GET", "/compare/ada/bob/problems?solved=x", "").Refused(t, http.StatusUnprocessableEntity, "solved")

	first := only.Items
	if len(first) == 0 {
		first = both.Items
	}
	b.Get("/problems/"+first[0].Site+"/"+first[0].Key).Is(t, http.StatusOK, "first solver", "ada", `rel="nofollow noopener"`, "No discussions yet")
	b.Get("/problems/codeforces/4A").Is(t, http.StatusOK, "No member has tried", "Who is ahead?", "1 message in 1 discussion")
	b.Get("/problems/codeforces/4B").Is(t, http.StatusNotFound)
	b.Get("/problems/codeforces/%00").Is(t, http.StatusNotFound)
	b.Get("/u/ada/submissions").Is(t, http.StatusOK, "/problems/"+first[0].Site+"/"+first[0].Key, "https://judge.example/p/"+first[0].Key)
}
