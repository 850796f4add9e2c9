package profiles_test

import (
	"strings"
	"testing"
	"time"

	"laurel/handlers/handlerstest"
	handlers "laurel/handlers/profiles"
	"laurel/models/problems"
)

func TestAPIProblemsAndContests(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.Community(t)
	at := func(hours int) *time.Time { return new(s.Time.Add(time.Duration(hours) * time.Hour)) }
	_, err := problems.Store(t.Context(), s.DB.DB, problems.Listing{Site: "codeforces", Names: true, Whole: true,
		Problems: []problems.Listed{{Key: "1A", Name: "One", Difficulty: new(800), Source: "codeforces", Tags: []string{"dp", "math"}},
			{Key: "1B", Name: "Two", Difficulty: new(2400), Source: "codeforces", Tags: []string{"dp"}}, {Key: "9Z", Name: "Nobody met it"}},
		Contests: []problems.ListedContest{{Key: "1", Name: "Past", Starts: at(-5), Ends: at(-3)}, {Key: "2", Name: "Now", Starts: at(-1), Ends: at(1)},
			{Key: "3", Name: "Soon", Starts: at(2), Ends: at(4)}, {Key: "4", Name: "Some day"}, {Key: "5", Name: "Older", Starts: at(-50), Ends: at(-49)}},
		Links: []problems.Link{{Contest: "1", Problem: "1A", Label: "A"}},
	}, s.Time)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"/problems?site=codeforces": "1A 1B 1C 2A_ 2B 9Z", "/problems?tag=dp": "1A 1B", "/problems?tag=dp&tag=math": "1A", "/problems?tag=graphs": "",
		"/problems?min=800&max=2000": "1A", "/problems?order=difficulty": "1A 1B", "/problems?order=hardest": "1B 1A", "/problems?q=nobody": "9Z",
		"/contests?state=running": "2", "/contests?state=coming": "3 4", "/contests?state=past": "1 5", "/contests": "4 3 2 1 5", "/contests?site=uva": "",
	} {
		for _, limit := range []string{"1", "2", "500"} {
			var keys []string
			if strings.HasPrefix(query, "/problems") {
				for _, problem := range handlerstest.All[handlers.APIProblem](t, p, query, limit) {
					keys = append(keys, problem.Key)
				}
			} else {
				for _, contest := range handlerstest.All[handlers.APIContest](t, p, query, limit) {
					keys = append(keys, contest.Key)
				}
			}
			if got := strings.Join(keys, " "); got != want {
				t.Errorf("%s with limit %s: %q, want %q", query, limit, got, want)
			}
		}
	}
	for query, field := range map[string]string{
		"/problems?order=age": "order", "/problems?min=x": "min", "/problems?max=1.5": "max", "/problems?solved=maybe": "solved", "/problems?solved=yes": "solved",
		"/problems?q=" + strings.Repeat("x", 101): "q", "/problems?" + strings.Repeat("tag=x&", 11): "tag", "/contests?state=open": "state",
		"/contests?cursor=!": "cursor", "/contests?site=arena": "site", "/problems?order=hardest&cursor=x": "cursor",
	} {
		p.Call("GET", query, "").Refused(t, 422, field)
	}
}
