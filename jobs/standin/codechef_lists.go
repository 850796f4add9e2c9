package standin

import (
	"fmt"
	"net/http"
	"time"
)

const ccListed = "/api/list/contests/all"

// ccContestList is contests that come, and the last ones that were.
func ccContestList(s *Server, q question) answer {
	of := func(from, to int) []map[string]any {
		list := []map[string]any{}
		for n := max(from, 0); n < to; n++ {
			iso := func(unix int64) string { return time.Unix(unix, 0).In(kolkata).Format(time.RFC3339) }
			code, name := fmt.Sprintf("SAMPLE%d", n+1), fmt.Sprintf("Sample Starters %d", n+1)
			list = append(list, map[string]any{"contest_code": code, "contest_name": name,
				"contest_start_date_iso": iso(ccContests.start(n)), "contest_end_date_iso": iso(ccContests.end(n)),
				"contest_duration": "60", "distinct_users": int(uint64(s.o.Seed) % 1000)})
		}
		return list
	}
	ended := ccContests.ended(q.now.Unix())
	return asJSON(http.StatusOK, map[string]any{"status": "success", "present_contests": []any{}, "future_contests": of(ended, ended+3),
		"past_contests": of(ended-20, ended)})
}
