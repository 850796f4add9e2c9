package community_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/community"
	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/members"
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

// The CSV of a board has the rows of the page, to whom they may be shown, and leads to the next ones.
func TestLeaderboardCSV(t *testing.T) {
	t.Parallel()
	s, p := handlerstest.Community(t)
	hidden := modelstest.Member(t, s.DB.DB, "hid", map[string]string{"uva": "hid"}, s.Time)
	s.Submits(t, hidden, "uva", s.Time.AddDate(0, 0, -7), "100 AC")
	if err := members.SetVisibility(t.Context(), s.DB.DB, hidden.ID, members.SeenBySelf, false); err != nil {
		t.Fatal(err)
	}
	const head = "rank,name,display_name,value,solved,submissions,accepted,streak,rank_week_ago,incomplete,weeks\n"
	a := p.Call("GET", "/leaderboard?in=month&format=csv&limit=1", "")
	a.Is(t, http.StatusOK)
	if want := head + "1,bob,bob,3,3,4,3,0,,uva,0 0 0 0 0 0 0 3\n"; a.Text != want {
		t.Errorf("got\n%swant\n%s", a.Text, want)
	}
	next, _, _ := strings.Cut(strings.TrimPrefix(a.Header.Get("Link"), "<"), ">")
	b := p.Call("GET", strings.TrimPrefix(next, "/api/v1"), "")
	if !strings.HasPrefix(b.Text, head+"2,ada,ada,1,1,2,1,") || b.Header.Get("Link") != "" {
		t.Errorf("behind %q: %q", next, b.Text)
	}
	page := s.Browser(t).Get("/leaderboard?in=month")
	page.Is(t, http.StatusOK, "CSV of these rows", `href="/leaderboard?format=csv&amp;in=month"`)
	sheet := s.Browser(t).Get("/leaderboard?format=csv&in=month")
	if lines := strings.Split(strings.TrimSpace(sheet.Text), "\n"); len(lines) != 3 || strings.Contains(sheet.Text, "hid") {
		t.Errorf("the page's sheet: %q", sheet.Text)
	}
	s.Browser(t).Get("/leaderboard?format=csv&who=followed").Is(t, http.StatusUnauthorized)
	p.Call("GET", "/leaderboard?format=xml", "").Refused(t, 422, "format")
}
