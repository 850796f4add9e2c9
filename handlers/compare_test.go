package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/models/forums"
)

func TestComparisonPages(t *testing.T) {
	t.Parallel()
	s, p := community(t)
	b := s.browser(t)
	m := s.post(-time.Hour, "1", "", "Who is ahead?", "See")
	m.Links = []string{"http://laurel.test/compare/bob/ada"}
	m.Refs = []forums.MessageRef{{Kind: forums.RefProblem, Key: "codeforces/4A"}}
	serial := s.posted(t, m)[m.URL]
	b.get("/compare").is(t, http.StatusOK, "Compare two members", `name="a"`, `name="b"`)
	b.get("/compare?a=ada&b=nobody").is(t, http.StatusUnprocessableEntity, "No member is named &#34;nobody&#34;", `value="ada"`)
	b.get("/compare?a=ada&b=ADA").is(t, http.StatusUnprocessableEntity, "different members")
	b.get("/compare?a=ada&b=bob").leads(t, "/compare/ada/bob")
	b.get("/compare/ada/nobody").is(t, http.StatusNotFound)
	b.get("/compare/ada/ada").is(t, http.StatusUnprocessableEntity, "same member")
	page := b.get("/compare/ada/bob").is(t, http.StatusOK, "<h1>ada and bob</h1>", `href="/compare/bob/ada"`, "Side by side", "Active days in a year", "ada only", "Codeforces", "Who is ahead?", "/messages/"+fmt.Sprint(serial))
	if !strings.Contains(page.body, `href="/compare/ada/bob/problems?solved=`) {
		t.Errorf("no list of problems: %s", page.body)
	}
	b.get("/compare/bob/ADA").is(t, http.StatusOK, "<h1>bob and ada</h1>", "Who is ahead?")
	for _, which := range []string{"first", "second", "both"} {
		b.get("/compare/ada/bob/problems?solved="+which).is(t, http.StatusOK, `aria-current="page"`)
	}
	b.get("/compare/ada/bob/problems?solved=x").is(t, http.StatusUnprocessableEntity)
	b.get("/compare/ada/bob/problems?after=x").is(t, http.StatusUnprocessableEntity)
	b.get("/compare/ada/nobody/problems").is(t, http.StatusNotFound)

	got := read[apiComparison](t, p.call("GET", "/compare/bob/ada", ""), http.StatusOK)
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
	only := read[List[apiSolvedProblem]](t, p.call("GET", "/compare/ada/bob/problems?solved=first&limit=500", ""), http.StatusOK)
	both := read[List[apiSolvedProblem]](t, p.call("GET", "/compare/ada/bob/problems?solved=both&limit=500", ""), http.StatusOK)
	if len(only.Items)+len(both.Items) != solved {
		t.Errorf("the lists have %d and %d problems, want %d", len(only.Items), len(both.Items), solved)
	}
	p.call("GET", "/compare/ada/ada", "").refused(t, http.StatusUnprocessableEntity, "b")
	p.call("GET", "/compare/ada/zoe", "").refused(t, http.StatusNotFound, "")
	p.call("GET", "/compare/ada/bob/problems?solved=x", "").refused(t, http.StatusUnprocessableEntity, "solved")

	first := only.Items
	if len(first) == 0 {
		first = both.Items
	}
	b.get("/problems/"+first[0].Site+"/"+first[0].Key).is(t, http.StatusOK, "first solver", "ada", `rel="nofollow noopener"`, "No discussions yet")
	b.get("/problems/codeforces/4A").is(t, http.StatusOK, "No member has tried", "Who is ahead?", "1 message in 1 discussion")
	b.get("/problems/codeforces/4B").is(t, http.StatusNotFound)
	b.get("/problems/codeforces/%00").is(t, http.StatusNotFound)
	b.get("/u/ada/submissions").is(t, http.StatusOK, "/problems/"+first[0].Site+"/"+first[0].Key, "https://judge.example/p/"+first[0].Key)
}
