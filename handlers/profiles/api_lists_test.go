package profiles_test

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/profiles"
	"laurel/models/accounts"
	"laurel/models/members"
)

func TestAPISubmissions(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.Community(t)
	for _, tt := range []struct {
		query string
		want  int
	}{
		{"/members/ada/submissions?", 6},
		{"/members/cy/submissions?", 0},
		{"/submissions?", 10},
		{"/submissions?member=BOB", 4},
		{"/members/ada/submissions?site=uva", 2},
		{"/members/ada/submissions?status=AC", 4},
		{"/members/ada/submissions?site=uva&status=AC", 1},
		{"/submissions?since=" + s.Time.AddDate(0, 0, -3).Format(time.RFC3339), 2},
		{"/submissions?until=" + s.Time.AddDate(0, 0, -3).Format(time.RFC3339), 8},
		{"/submissions?since=2026-11-18&until=2026-11-19", 2},
		{"/submissions?since=2026-11-18T14:00:00%2B02:00", 2},
	} {
		var whole []handlers.APISubmission
		for _, limit := range []string{"500", "1", "3"} {
			got := handlerstest.All[handlers.APISubmission](t, p, tt.query, limit)
			if whole == nil {
				whole = got
			}
			if len(got) != tt.want || !reflect.DeepEqual(got, whole) {
				t.Errorf("%s with limit %s: %d submissions, want %d", tt.query, limit, len(got), tt.want)
			}
		}
		if !slices.IsSortedFunc(whole, func(a, b handlers.APISubmission) int { return b.SubmittedAt.Compare(a.SubmittedAt) }) {
			t.Errorf("%s is not newest first", tt.query)
		}
	}
	newest := handlerstest.All[handlers.APISubmission](t, p, "/submissions", "500")[0]
	want := handlers.APISubmission{Member: "ada", Site: "uva", ID: newest.ID, Problem: handlers.SubmissionProblem{"100", "Sample 100", "https://judge.example/p/100", nil, []string{}},
		Participation: "unknown", Status: "AC", Language: "Go", SubmittedAt: s.Time.AddDate(0, 0, -3).Add(time.Hour), URL: newest.URL, Source: "site", Listed: true}
	if !reflect.DeepEqual(newest, want) {
		t.Errorf("newest %+v, want %+v", newest, want)
	}
}

func TestAPIListsRefuse(t *testing.T) {
	t.Parallel()
	p := handlerstest.Program{T: t, Site: handlerstest.New(t, "http://laurel.test")}
	for query, field := range map[string]string{
		"/submissions?site=arena": "site", "/submissions?status=ac": "status", "/submissions?since=yesterday": "since", "/submissions?until=2026-13-01": "until",
		"/submissions?limit=-1": "limit", "/submissions?cursor=x": "cursor", "/submissions?member=nobody": "member", "/submissions?member=%00": "member",
		"/problems?site=arena": "site", "/problems?limit=501": "limit", "/problems?cursor=!": "cursor",
	} {
		p.Call("GET", query, "").Refused(t, 422, field)
	}
	p.Call("GET", "/members/nobody/submissions", "").Refused(t, 404, "")
	p.Call("GET", "/members/nobody/retrieval", "").Refused(t, 404, "")
}

func TestAPIProblems(t *testing.T) {
	t.Parallel()
	_, p := handlerstest.Community(t)
	for query, want := range map[string]string{
		"/problems": "1A 1B 1C 2A_ 2B 100", "/problems?site=uva": "100", "/problems?q=sample%201": "1A 1B 1C 100",
		"/problems?q=_": "2A_", "/problems?q=2b&site=codeforces": "2B", "/problems?q=%00": "1A 1B 1C 2A_ 2B 100", "/problems?q=none": "",
	} {
		for _, limit := range []string{"1", "4", "500"} {
			var keys []string
			for _, problem := range handlerstest.All[handlers.APIProblem](t, p, query, limit) {
				keys = append(keys, problem.Key)
			}
			if got := strings.Join(keys, " "); got != want {
				t.Errorf("%s with limit %s: %q, want %q", query, limit, got, want)
			}
		}
	}
}

func TestAPIRetrieve(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	boss := s.Member(t, "boss", members.RoleAdmin)
	ada, other := s.Member(t, "ada", members.RoleMember), s.Program(t, s.Member(t, "bob", members.RoleMember))
	p := s.Program(t, ada)
	p.Call("POST", "/members/ada/retrieve", "").Refused(t, 422, "accounts")
	if err := accounts.SetHandles(t.Context(), s.DB.DB, s.BuiltIn, ada.ID, map[string]string{"uva": "ada"}, s.Time); err != nil {
		t.Fatal(err)
	}
	if r := handlerstest.Read[handlers.APIRetrieval](t, p.Call("GET", "/members/ada/retrieval", ""), 200); r.State != "done" || r.RequestedAt != nil || len(r.Sites) != 1 {
		t.Errorf("before: %+v", r)
	}
	other.Call("POST", "/members/ada/retrieve", "").Refused(t, 403, "")
	p.Call("POST", "/members/nobody/retrieve", "").Refused(t, 404, "")

	type asked struct {
		RequestedAt time.Time `json:"requested_at"`
	}
	asks := s.Time
	for _, by := range []handlerstest.Program{p, s.Program(t, boss)} { // The second joins the first.
		if got := handlerstest.Read[asked](t, by.Call("POST", "/members/ada/retrieve", ""), http.StatusAccepted); !got.RequestedAt.Equal(asks) {
			t.Errorf("requested at %v, want %v", got.RequestedAt, asks)
		}
		s.Time = s.Time.Add(time.Second)
	}
	if r := handlerstest.Read[handlers.APIRetrieval](t, other.Call("GET", "/members/ada/retrieval", ""), 200); r.State != "waiting" || r.Sites[0].State != "waiting" || !r.RequestedAt.Equal(asks) {
		t.Errorf("asked: %+v", r)
	}
	s.Submits(t, ada, "uva", s.Time.AddDate(0, 0, -1), "100 AC", "101 WA")
	if r := handlerstest.Read[handlers.APIRetrieval](t, p.Call("GET", "/members/ada/retrieval", ""), 200); r.State != "done" || r.Sites[0].New != 2 || r.Sites[0].Outcome != "ok" {
		t.Errorf("done: %+v", r)
	}
	a := p.Call("POST", "/members/ada/retrieve", "")
	a.Refused(t, 429, "")
	if after, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || after < 1 || after > 60 {
		t.Errorf("Retry-After %q, want the rest of the cool-down", a.Header.Get("Retry-After"))
	}
	s.Time = asks.Add(s.CoolDown)
	handlerstest.Read[asked](t, p.Call("POST", "/members/ada/retrieve", ""), http.StatusAccepted)
}
