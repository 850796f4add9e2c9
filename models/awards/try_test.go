package awards_test

import (
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/members"
	"laurel/models/modelstest"
)

// What an event would do by a document that nobody saved is what it does once
// that runs.
func TestTryEvent(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada")
	doc, mistakes := rules.Parse([]byte(`{"slug": "writer", "title": "Writer", "objectives": [
		{"id": "long", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}, {"name": "ReviewsLengthFilter", "config": {"allowed_length": 3}}], "rule": {"name": "CountRule"}}],
		"strategy": {"goal": 2, "strategy": [{"objective_id": "long"}]}}`))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	ada, err := members.ByName(t.Context(), w.DB, "ada")
	if err != nil {
		t.Fatal(err)
	}
	review := func(item string, seq int64, status, text string) rules.Event {
		return rules.Event{Source: "reviews", ID: item + status, Item: item, Seq: seq, Member: "ada", Type: "review", Status: status, At: w.Now.Add(time.Duration(seq) * time.Second), Facts: rules.Facts{"text": text}}
	}
	w.Sends(review("a", 1, "active", "long enough"))
	for _, tt := range []struct {
		name    string
		event   rules.Event
		passes  []bool
		outside bool
		after   string
	}{
		{"counts", review("b", 2, "active", "long enough"), []bool{true, true}, false, "2"},
		{"too short", review("b", 2, "active", "abc"), []bool{true, false}, false, "1"},
		{"takes back", review("a", 2, "blocked", "long enough"), []bool{true, true}, false, "0"},
		{"stale", review("a", 0, "blocked", "long enough"), []bool{true, true}, true, "1"},
		{"another source", rules.Event{Source: "photo", ID: "x", Type: "photo", At: w.Now}, []bool{false, false}, false, "1"},
	} {
		got, err := awards.Try(t.Context(), w.DB, &doc, &ada, tt.event, w.Now)
		if err != nil {
			t.Fatal(err)
		}
		o := got.Objectives[0]
		for i, v := range o.Verdicts {
			if v.Pass != tt.passes[i] {
				t.Errorf("%s: %s passes: %t", tt.name, v.Filter, v.Pass)
			}
		}
		if got.Before.Shown() != "1" || got.After.Shown() != tt.after || (got.Outside != "") != tt.outside {
			t.Errorf("%s: from %s to %s, %q", tt.name, got.Before.Shown(), got.After.Shown(), got.Outside)
		}
	}
	last, err := awards.LastEvents(t.Context(), w.DB, 5)
	if err != nil || len(last) != 1 || last[0].Member != "ada" || last[0].Type != "review" {
		t.Errorf("the last events are %+v, %v", last, err)
	}
}
