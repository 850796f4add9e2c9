package standin

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

type (
	contestPage   struct{ Result []cfContest }
	standingsPage struct{ Result cfStandings }
	rowsPage      struct{ Result []cfSubmission }
)

// What the stand-in says of a contest is what it says of the people in it.
func TestAContestAgreesWithItsPeople(t *testing.T) {
	c := cfContests
	n := c.ended(start.Unix()) + 3
	now := time.Unix(c.end(n)+1000, 0)
	s := at(now, Options{Strangers: 700})
	listed := read[contestPage](t, s, "/api/contest.list?gym=false").Result
	if x := listed[contestsAhead]; x.ID != firstRound+n || x.Phase != "PENDING_SYSTEM_TEST" || x.Start+x.Duration != c.end(n) || listed[0].Phase != "BEFORE" || len(listed) != n+1+contestsAhead {
		t.Errorf("%d contests, the last one is %+v", len(listed), x)
	}
	var handles []string
	want := map[string]bool{}
	made, took := 0, map[string]bool{}
	for _, p := range s.People() {
		handles = append(handles, p.Handles["codeforces"])
		for _, x := range read[statusPage](t, s, "/api/user.status?handle="+p.Handles["codeforces"]).Result {
			if x.ContestID != nil && *x.ContestID == firstRound+n {
				want[fmt.Sprint(x.ID)] = true
				made++
				took[p.Handles["codeforces"]] = true
			}
		}
	}
	id := strconv.Itoa(firstRound + n)
	rows := []cfSubmission{}
	for from := 1; ; {
		page := read[rowsPage](t, s, fmt.Sprintf("/api/contest.status?contestId=%s&from=%d&count=300", id, from)).Result
		if len(page) == 0 {
			break
		}
		from, rows = from+len(page), append(rows, page...)
	}
	for i, x := range rows {
		delete(want, fmt.Sprint(x.ID))
		if i > 0 && x.Created > rows[i-1].Created || x.ContestID != firstRound+n {
			t.Errorf("row %d: %+v", i, x)
		}
	}
	if len(want) > 0 || made == 0 || len(rows) != made+700 {
		t.Errorf("%d rows, of them %d of %d of people; missing %v", len(rows), len(rows)-700, made, want)
	}
	standings := read[standingsPage](t, s, "/api/contest.standings?contestId="+id+"&showUnofficial=true&handles="+strings.Join(handles, "%3B")).Result
	if len(standings.Rows) != len(took) || len(took) == 0 || standings.Contest.ID != firstRound+n {
		t.Errorf("%d took part, and %d submitted something", len(standings.Rows), len(took))
	}
	for address, part := range map[string]string{
		"/api/contest.standings?contestId=" + id + "&handles=nobody_at_all": "handles: User with handle nobody_at_all not found",
		"/api/contest.status?contestId=9":                                   "not found", "/api/contest.status?contestId=" + strconv.Itoa(firstRound+n+1): "has not started",
		"/api/contest.status?contestId=" + id + "&from=0": "from: ", "/api/contest.hacks?contestId=" + id: "no such method",
	} {
		if status, body := ask(t, s, address); status != 400 || !strings.Contains(body, part) {
			t.Errorf("%s: %d %s", address, status, body)
		}
	}
	if n := s.Stats()["codeforces"].Requests; n < 20 {
		t.Errorf("%d requests are counted", n)
	}
	limited := at(now, Options{Enforce: true})
	for i, want := range []string{"OK", "Call limit exceeded"} {
		if _, body := ask(t, limited, "/api/contest.list"); !strings.Contains(body, want) {
			t.Errorf("question %d: %.100s", i, body)
		}
	}
}
