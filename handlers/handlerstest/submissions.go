package handlerstest

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

// Submits stores submissions of a member's account, newest last: each "key
// status" is one, an hour after the one before it.
func (s *Site) Submits(t *testing.T, m members.Member, on string, from time.Time, rows ...string) {
	t.Helper()
	due := modelstest.Take(t, s.DB.DB, m, on, s.Time)
	var found []retrieval.Found
	for i, row := range rows {
		key, status, _ := strings.Cut(row, " ")
		at := from.Add(time.Duration(i) * time.Hour)
		id := fmt.Sprint(at.Unix())
		found = append(found, retrieval.Found{ID: id, At: at, ProblemKey: key, ProblemName: "Sample " + key,
			ProblemURL: "https://judge.example/p/" + key,
			Status:     status, Verdict: status, Language: "Go", URL: "https://judge.example/s/" + id})
	}
	page := retrieval.Page{Rows: found, Next: 1, Lease: time.Minute}
	if _, err := retrieval.StorePage(t.Context(), s.DB.DB, &due.Account, page, s.Time); err != nil {
		t.Fatal(err)
	}
	result, rule := retrieval.Result{Outcome: pg.OutcomeOK, Requests: 2}, retrieval.Rule{Rate: 1, Overlap: time.Hour}
	if err := retrieval.Finish(t.Context(), s.DB.DB, due, result, rule, s.Time); err != nil {
		t.Fatal(err)
	}
}

// Community is a site with ada, bob and cy, who submitted days ago.
func Community(t *testing.T) (*Site, Program) {
	s := New(t, "http://laurel.test")
	s.Time = modelstest.Noon
	handles := map[string]string{"codeforces": "sample", "uva": "sample"}
	ada := modelstest.Member(t, s.DB.DB, "ada", handles, s.Time)
	bob := modelstest.Member(t, s.DB.DB, "bob", handles, s.Time)
	modelstest.Member(t, s.DB.DB, "cy", nil, s.Time)
	s.Submits(t, ada, "codeforces", s.Time.AddDate(0, 0, -40), "1A AC", "1B AC", "1C WA", "1A AC")
	s.Submits(t, ada, "uva", s.Time.AddDate(0, 0, -3), "100 WA", "100 AC")
	s.Submits(t, bob, "codeforces", s.Time.AddDate(0, 0, -6), "1A AC", "1B AC", "2A_ AC", "2B WA")
	return s, Program{T: t, Site: s}
}

// A RetrievalState is what programs read of one.
type RetrievalState struct {
	State string
	Sites []struct{ Outcome, Message string }
}
