package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
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
