package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/responses"
)

// A probe says of each field, of those within others too, in how many rows it was read, and prints rows
// that were not read as they came.
func TestProbeText(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	p := retrieval.Probe{RatingsErr: errors.New("status 500"), Page: sites.ListPage{
		Rows: []sites.Submission{
			{ID: "2", At: at, Problem: sites.Problem{Key: "1A"}, Facts: &sites.Facts{Difficulty: new(800), Tags: []string{"math", "dp"}}},
			{ID: "1", At: at, Problem: sites.Problem{Key: "1B"}, Points: new(12.5)},
			{ID: "0", At: at, Problem: sites.Problem{Key: "1C"}, Facts: &sites.Facts{}},
		},
		Unread: []sites.Unread{{Text: "<tr>odd</tr>", Why: "no time"}},
	}}
	got := strings.Join(strings.Fields(probeText(&p)), " ")
	for _, want := range []string{
		"3 submissions on the first page", "ID 3 of 3 2 ", "At 3 of 3 2026-11-20T10:00:00Z", "Problem.Key 3 of 3 1A", "Problem.URL 0 of 3 not read",
		"Facts.Difficulty 1 of 3 800", "Facts.Tags 1 of 3 [math dp]", "Points 1 of 3 12.5", "Contest.Key 0 of 3 not read",
		`1 rows that could not be read without a number: no time "<tr>odd</tr>"`, "0 ratings not read: status 500",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, probeText(&p))
		}
	}
}

// The folder of a probe says what was asked and which cookies came, but not their values.
func TestSavePages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "probe")
	err := savePages(dir, []responses.Answer{
		{Address: "https://site.example/a", Status: 200, Body: []byte("<p>"), Header: map[string][]string{"Set-Cookie": {"csrfToken=private; Path=/", "s=1"}}},
		{Address: "https://site.example/b", Question: `{"q":1}`, Status: 404, Body: []byte("{}")},
	})
	index, err2 := os.ReadFile(filepath.Join(dir, "index.txt"))
	page, err3 := os.ReadFile(filepath.Join(dir, "001.html"))
	want := `001.html: 200 https://site.example/a
    cookie: csrfToken
    cookie: s
002.json: 404 https://site.example/b
    asked: {"q":1}
`
	if err := errors.Join(err, err2, err3); err != nil || string(index) != want || string(page) != "<p>" {
		t.Errorf("%v %q\n%s\nwant\n%s", err, page, index, want)
	}
}

// A retrieval that fails added nothing of what the last one did.
func TestRetrievedLine(t *testing.T) {
	t.Parallel()
	a := members.Account{Site: "spoj", Handle: "ada"}
	a.LastNew, a.NewRows = 735, 2
	a.Outcome, a.Message = pg.OutcomeNotFound, "no such handle"
	if got := retrieved(&a); got != "spoj ada not_found: no such handle, 2 new" {
		t.Error(got)
	}
	a.Outcome, a.Message = pg.OutcomeOK, "fine"
	if got := retrieved(&a); got != "spoj ada ok: fine, 735 new" {
		t.Error(got)
	}
}
