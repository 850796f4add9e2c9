package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/awards/rules"
)

const explorerAward = `{"slug": "explorer", "title": "Explorer",
	"objectives": [
		{"id": "photo", "filters": [{"name": "SourceFilter", "config": {"sources": ["photo"]}}], "rule": {"name": "CountRule"}},
		{"id": "reviews", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}], "rule": {"name": "CountRule"}},
		{"id": "navi", "filters": [{"name": "SourceFilter", "config": {"sources": ["navi"]}}], "rule": {"name": "SumRule", "config": {"fact": "metres"}}}],
	"strategy": {"goal": 15, "strategy": [
		{"goal": 5, "strategy": [{"objective_id": "photo"}, {"objective_id": "reviews"}]},
		{"goal": 10, "strategy": [{"objective_id": "navi", "normalization_factor": 0.001}]}]},
	"permanence": "permanent", "backfill": "since:2026-09-01",
	"window": {"until": "2030-01-01", "grace": "7d", "zone": "fixed:Europe/Berlin"}}`

// The last strategy of the seed, by the fields and buttons of the form alone and without scripts.
func TestAStrategyIsWrittenByButtons(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	page := ann.Get("/admin/awards/new")
	press := func(do string, typed ...string) {
		t.Helper()
		page = form(t, page, ann).press(do, typed...).Is(t, http.StatusOK)
	}
	press("add-objective")
	press("add-objective", "objectives[0].id", "photo", "objectives[0].filters[0].config.sources", "photo")
	press("add-filter 1", "add-1", "SourceFilter", "objectives[1].id", "reviews")
	press("add-filter 2", "add-2", "SourceFilter", "objectives[2].id", "navi", "objectives[2].rule.name", "SumRule")
	press("apply", "objectives[1].filters[0].config.sources", "reviews", "objectives[2].filters[0].config.sources", "navi",
		"objectives[2].rule.config.fact", "metres")
	press("node-group")
	for _, do := range []string{"node-up 3", "node-up 2", "node-up 1", "node-in 1", "node-in 1", "node-group", "node-up 2", "node-in 2"} {
		press(do)
	}
	press("apply", "slug", "explorer", "title", "Explorer", "strategy.goal", "15", "strategy.strategy[0].goal", "5",
		"strategy.strategy[1].goal", "10", "strategy.strategy[1].strategy[0].normalization_factor", "0.001",
		"permanence", "permanent", "backfill.since", "2026-09-01", "window.until", "2030-01-01", "window.grace", "7d", "window.zone.fixed",
		"Europe/Berlin")
	page.Is(t, http.StatusOK, "nothing of this name in 30 days") // Nobody has sent any of it yet.
	got, wrong := rules.Parse([]byte(form(t, page, ann).fields["document"]))
	want, _ := rules.Parse([]byte(explorerAward))
	if len(wrong) > 0 || string(got.Canonical()) != string(want.Canonical()) {
		t.Fatalf("%v\n%s", wrong, got.Canonical())
	}
	press("node-out 0 1")
	press("node-down 0")
	press("node-remove 2", "permanence", "", "backfill", "none", "window.zone", "")
	if text := form(t, page, ann).fields["document"]; strings.Contains(text, "permanence") || strings.Contains(text, "Berlin") || !strings.Contains(text, `"backfill": "none"`) {
		t.Errorf("choices taken back: %s", text)
	}
	got, _ = rules.Parse([]byte(form(t, page, ann).fields["document"]))
	if s := got.Strategy.Strategy; len(s) != 2 || s[0].Objective != "reviews" || s[1].Strategy[0].Objective != "photo" {
		t.Errorf("moved: %+v", s)
	}
}

// A strategy of one task becomes a group around it.
func TestOneTaskBecomesAGroup(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	f := form(t, ann.Get("/admin/awards/new"), ann)
	doc := `{"slug": "one", "title": "One", "objectives": [{"id": "a", "rule": {"name": "CountRule"}}], "strategy": {"objective_id": "a", "goal": 3}}`
	page := f.press("node-wrap", "document", doc).Is(t, http.StatusOK)
	if text := form(t, page, ann).fields["document"]; !strings.Contains(text, `"strategy": {"goal": 3, "strategy": [{"objective_id": "a"}]}`) {
		t.Error(text)
	}
}
