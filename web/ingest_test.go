package main

import (
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

func TestIngest(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	doc, mistakes := rules.Parse([]byte(`{"slug":"driver","title":"Driver","objectives":[{"id":"o","filters":[{"name":"TypeFilter","config":{"types":["navi"]}}],"rule":{"name":"SumRule","config":{"fact":"metres"}}}],
		"strategy":{"objective_id":"o","goal":10,"normalization_factor":0.001}}`))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	if _, err := awards.Save(t.Context(), db.DB, doc, awards.Edit{Author: "root", Basis: -1}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := awards.Activate(t.Context(), db.DB, "driver", 0, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	stream := `{"event_type":"navi","user_id":"ada","timestamp":"2026-11-21T12:00:00Z","metres":4000}
{"event":{"type":"navi","metres":2500},"user":{"id":"ADA"},"ts":1795348800}
{"event_type":"card","user_id":"ada","timestamp":"2026-11-21T12:00:00Z"}
{"event_type":"navi","timestamp":"2026-11-21T12:00:00Z"}
{"event_type":"navi","user_id":"grace","timestamp":"2026-11-21T12:00:00Z"}
{"event_type":"navi","user_id":
`
	now := func() time.Time { return modelstest.Noon }
	var out strings.Builder
	if err := ingestFrom(t.Context(), db, strings.NewReader(stream), "bss", &out, now); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"lines: 6; dropped: 1; without a member: 1; invalid: 1", "events: 2 appended, 0 duplicates, 1 of unknown members", "0 wrongly dropped", "line 6:"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("says %q, want %q", out.String(), want)
		}
	}
	out.Reset()
	if err := ingestFrom(t.Context(), db, strings.NewReader(stream), "bss", &out, now); err != nil || !strings.Contains(out.String(), "0 appended, 3 duplicates") { // One of them waits.
		t.Errorf("again: %q, %v", out.String(), err)
	}
}
