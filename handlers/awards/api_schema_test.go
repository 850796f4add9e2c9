package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

type linted struct {
	Mistakes, Warnings []struct{ Path, Text string }
}

// What events came with is offered, and what never came is a warning that hinders nothing.
func TestWhatNobodySendsIsAWarning(t *testing.T) {
	t.Parallel()
	s := handlerstest.NewAwardSite(t, "ada")
	s.Send(t, `{"source":"reviews","id":"1","item":"r1","status":"active","member":"ada","type":"review","at":"2026-09-01T10:00:00Z","facts":{"length":120,"text":"x","tags":["a"],"first":true}}`)
	names := s.Boss.Call("GET", "/admin/awards/names", "").Is(t, http.StatusOK,
		`{"source":"reviews","own":false,"types":["review"],"facts":[{"name":"first","of":"yes or no"},{"name":"length","of":"number"},{"name":"tags","of":"list of texts"},{"name":"text","of":"text"}]}`,
		`"source":"submissions","own":true`, `"codeforces"`)
	if strings.Contains(names.Text, `"photo"`) {
		t.Error("a source is named that sent nothing")
	}
	doc := func(filters, rule string) string {
		return `{"slug":"x","title":"X","objectives":[{"id":"o","filters":[` + filters + `],"rule":` + rule + `}],"strategy":{"objective_id":"o","goal":1}}`
	}
	const count, reviews = `{"name":"CountRule"}`, `{"name":"SourceFilter","config":{"sources":["reviews"]}}`
	for _, tt := range []struct{ doc, path, want string }{
		{doc(reviews, count), "", ""},
		{doc(`{"name":"SourceFilter","config":{"sources":["reviews","revieews"]}}`, count), "objectives[0].filters[0].config.sources[1]",
			`"revieews": nothing of this name in 30 days; did you mean "reviews"?`},
		{doc(reviews+`,{"name":"TypeFilter","config":{"types":["riview"]}}`, count), "objectives[0].filters[1].config.types[0]",
			`"riview": nothing of this name in 30 days; did you mean "review"?`},
		{doc(reviews, `{"name":"SumRule","config":{"fact":"length"}}`), "", ""},
		{doc(reviews, `{"name":"SumRule","config":{"fact":"metres"}}`), "objectives[0].rule.config.fact",
			`"metres": nothing of this name in 30 days`},
		{doc(`{"name":"SourceFilter","config":{"sources":["submissions"]}},{"name":"SiteFilter","config":{"sites":["codeforce"]}}`, count),
			"objectives[0].filters[1].config.sites[0]", `"codeforce": no site has this name; did you mean "codeforces"?`},
		{doc("", `{"name":"SumRule","config":{"fact":"metres"}}`), "", ""}, // Of any source: nobody can tell.
	} {
		out := handlerstest.Read[linted](t, s.Boss.Call("POST", "/admin/awards/lint", tt.doc), http.StatusOK)
		if len(out.Mistakes) > 0 || (tt.want == "") != (len(out.Warnings) == 0) ||
			tt.want != "" && (out.Warnings[0].Path != tt.path || out.Warnings[0].Text != tt.want) {
			t.Errorf("%+v, want %s: %s\nof %s", out, tt.path, tt.want, tt.doc)
		}
	}
	out := handlerstest.Read[linted](t, s.Boss.Call("POST", "/admin/awards/lint", `{"slug":"x"}`), http.StatusOK)
	if len(out.Mistakes) != 3 || len(out.Warnings) != 0 {
		t.Errorf("%+v, want three mistakes", out)
	}
	s.Boss.Call("GET", "/admin/awards/schema", "").Is(t, http.StatusOK, `"$schema"`, `"ConsecutiveDaysRule"`)
}
