package standin

import (
	"strings"
	"testing"
	"time"
)

type contestPage struct{ Result []cfContest }

// The list of contests has those to come in front, and says how far the newest one is.
func TestCodeforcesListsContests(t *testing.T) {
	c := cfContests
	n := c.ended(start.Unix()) + 3
	s := at(time.Unix(c.end(n)+1000, 0), Options{})
	listed := read[contestPage](t, s, "/api/contest.list?gym=false").Result
	if x := listed[contestsAhead]; x.ID != firstRound+n || x.Phase != "PENDING_SYSTEM_TEST" || x.Start+x.Duration != c.end(n) ||
		listed[0].Phase != "BEFORE" || len(listed) != n+1+contestsAhead {
		t.Errorf("%d contests, the last one is %+v", len(listed), x)
	}
	if status, body := ask(t, s, "/api/contest.hacks?contestId=7"); status != 400 || !strings.Contains(body, "no such method") {
		t.Errorf("an unknown method: %d %s", status, body)
	}
}
