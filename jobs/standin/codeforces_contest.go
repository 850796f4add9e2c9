package standin

import (
	"fmt"
	"net/http"
	"strings"
)

type (
	cfContest struct {
		ID       int    `json:"id"`
		Name     string `json:"name"`
		Type     string `json:"type"`
		Phase    string `json:"phase"`
		Frozen   bool   `json:"frozen"`
		Duration int64  `json:"durationSeconds"`
		Start    int64  `json:"startTimeSeconds"`
		Relative int64  `json:"relativeTimeSeconds"`
	}
)

// contestsAhead is how many contests are announced.
const contestsAhead = 3

// contest lists the contests, newest first.
func (codeforces) contest(q question) answer {
	now := q.now.Unix()
	calendar := cfContests
	last := calendar.ended(now) + contestsAhead - 1
	if q.r.URL.Path == "/api/contest.list" {
		contests := []cfContest{}
		for n := last; n >= 0; n-- {
			contests = append(contests, cfContestOf(n, now))
		}
		return asJSON(http.StatusOK, cfOK{"OK", contests})
	}
	return cfRefusal("%s: no such method", strings.TrimPrefix(q.r.URL.Path, "/api/"))
}

func cfContestOf(n int, now int64) cfContest {
	calendar := cfContests
	c := cfContest{ID: firstRound + n, Name: fmt.Sprintf("Sample Round %d (Div. 2)", n+1), Type: "CF", Phase: "FINISHED",
		Duration: calendar.lasts, Start: calendar.start(n), Relative: now - calendar.start(n)}
	switch ended := now - calendar.end(n); {
	case now < c.Start:
		c.Phase = "BEFORE"
	case ended < 0:
		c.Phase = "CODING"
	case ended < 1800:
		c.Phase = "PENDING_SYSTEM_TEST"
	case ended < ratingDelay:
		c.Phase = "SYSTEM_TEST"
	}
	return c
}
