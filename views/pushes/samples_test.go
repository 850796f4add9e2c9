package pushes

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

func sampleBring() Bring {
	return Bring{Frame: viewstest.Frame("Bring your history", "/u/ada/bring", "ada"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada <b>Lovelace</b>",
		Brought: []Brought{{Site: "cses", Title: "CSES", N: 1312, At: viewstest.Now.Add(-time.Hour)}, {Site: "leetcode", Title: "LeetCode", N: 1}}}
}

func TestPages(t *testing.T) {
	empty, preview, nothing, report, refused := sampleBring(), sampleBring(), sampleBring(), sampleBring(), sampleBring()
	empty.Brought = nil
	bad := []Unread{{3, `status: "<i>Perfect</i>" is not one of AC WA TLE`}, {4, "this is not JSON"}}
	preview.Preview = &Preview{ID: "ABC", Kind: "CSV", Rows: 1204, New: 1200, Changed: 1, Known: 3, Sites: []Count{{"CSES", 4}, {"LeetCode", 1200}},
		Statuses: []parts.StatusCount{{Status: "AC", Count: 1000}, {Status: "WA", Count: 204}}, First: viewstest.Now.AddDate(-3, 0, 0), Last: viewstest.Now, Timeless: 4, Unread: bad}
	nothing.Preview = &Preview{Kind: "JSON lines", Unread: bad}
	for i := range 300 {
		nothing.Preview.Unread = append(nothing.Preview.Unread, Unread{i + 5, "this is not JSON"})
	}
	report.Report = &Report{Accepted: 1200, Changed: 1, Duplicate: 3, Rejected: bad}
	refused.Form = parts.Form{Values: map[string]string{"handle": `"me"`}, Errors: map[string]string{"file": "The file is empty."}}
	viewstest.CheckPages(t, map[string]templ.Component{"bring": BringPage(empty), "bring-preview": BringPage(preview), "bring-nothing": BringPage(nothing),
		"bring-report": BringPage(report), "bring-refused": BringPage(refused)})
}

func TestPeriod(t *testing.T) {
	at := viewstest.Now.AddDate(0, -1, 0)
	for _, tt := range []struct {
		v    Preview
		want string
	}{
		{Preview{}, ""},
		{Preview{First: at, Last: at}, " of 21 Oct"},
		{Preview{First: at, Last: viewstest.Now}, ", from 21 Oct"},
	} {
		if got := periodText(t.Context(), tt.v, viewstest.Now); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
