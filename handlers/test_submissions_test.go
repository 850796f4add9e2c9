package handlers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

// submits stores submissions of a member's account, newest last: each "key
// status" is one, an hour after the one before it.
func (s *site) submits(t *testing.T, m members.Member, on string, from time.Time, rows ...string) {
	t.Helper()
	due := retrieval.Due{TimeZone: m.TimeZone}
	err := s.DB.Raw(`UPDATE accounts SET lease_id = 'test', leased_until = @until, started_at = @now WHERE member_id = @id AND site = @site RETURNING *`,
		map[string]any{"until": s.now.Add(time.Minute), "now": s.now, "id": m.ID, "site": on}).Scan(&due.Account).Error
	if err != nil {
		t.Fatal(err)
	}
	var found []retrieval.Found
	for i, row := range rows {
		key, status, _ := strings.Cut(row, " ")
		at := from.Add(time.Duration(i) * time.Hour)
		id := fmt.Sprint(at.Unix())
		found = append(found, retrieval.Found{ID: id, At: at, ProblemKey: key, ProblemName: "Sample " + key, ProblemURL: "https://judge.example/p/" + key,
			Status: status, Verdict: status, Language: "Go", URL: "https://judge.example/s/" + id})
	}
	if _, err := retrieval.StorePage(t.Context(), s.DB.DB, &due.Account, found, 1, time.Minute, s.now); err != nil {
		t.Fatal(err)
	}
	if err := retrieval.Finish(t.Context(), s.DB.DB, &due, retrieval.Result{Outcome: pg.OutcomeOK, Requests: 2}, retrieval.Rule{Rate: 1}, time.Hour, s.now); err != nil {
		t.Fatal(err)
	}
}

// community is a site with ada, bob and cy, who submitted days ago.
func community(t *testing.T) (*site, program) {
	s := newSite(t, "http://laurel.test")
	s.now = modelstest.Noon
	handles := map[string]string{"codeforces": "sample", "uva": "sample"}
	ada := modelstest.Member(t, s.DB.DB, "ada", handles, s.now)
	bob := modelstest.Member(t, s.DB.DB, "bob", handles, s.now)
	modelstest.Member(t, s.DB.DB, "cy", nil, s.now)
	s.submits(t, ada, "codeforces", s.now.AddDate(0, 0, -40), "1A AC", "1B AC", "1C WA", "1A AC")
	s.submits(t, ada, "uva", s.now.AddDate(0, 0, -3), "100 WA", "100 AC")
	s.submits(t, bob, "codeforces", s.now.AddDate(0, 0, -6), "1A AC", "1B AC", "2A_ AC", "2B WA")
	return s, program{t: t, site: s}
}

// A retrievalState is what programs read of one.
type retrievalState struct {
	State string
	Sites []struct{ Outcome, Message string }
}
