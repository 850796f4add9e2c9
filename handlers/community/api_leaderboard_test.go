package community_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/community"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/modelstest"
)

func TestAPILeaderboard(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.Community(t)
	cy := modelstest.Member(t, s.DB.DB, "dee", map[string]string{"uva": "dee"}, s.Time)
	s.Submits(t, cy, "uva", s.Time.AddDate(0, 0, -7), "100 AC")
	for scope, want := range map[string]string{
		"":       "1 ada 3/6/4, 1 bob 3/4/3, 3 dee 1/1/1",
		"=all":   "1 ada 3/6/4, 1 bob 3/4/3, 3 dee 1/1/1",
		"=month": "1 bob 3/4/3, 2 ada 1/2/1, 2 dee 1/1/1",
		"=week":  "1 bob 3/4/3, 2 ada 1/2/1",
	} {
		for _, limit := range []string{"1", "2", "500"} {
			var lines []string
			for _, l := range handlerstest.All[community.APILeader](t, p, "/leaderboard?scope"+scope, limit) {
				lines = append(lines, fmt.Sprintf("%d %s %d/%d/%d", l.Rank, l.Name, l.Solved, l.Submissions, l.Accepted))
			}
			if got := strings.Join(lines, ", "); got != want {
				t.Errorf("scope%s with limit %s: %q, want %q", scope, limit, got, want)
			}
		}
	}
	other := handlerstest.Read[web.List[community.APILeader]](t, p.Call("GET", "/leaderboard?scope=week&limit=1", ""), http.StatusOK).Next
	p.Call("GET", "/leaderboard?scope=month&cursor="+other, "").Refused(t, 422, "cursor")
	for query, field := range map[string]string{"scope=year": "scope", "limit=0": "limit", "cursor=x": "cursor", "by=rating:": "by", "by=best": "by",
		"in=day": "in", "by=streak&in=week": "in"} {
		p.Call("GET", "/leaderboard?"+query, "").Refused(t, 422, field)
	}
}
