package rules

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("award.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("award.json") // It checks the schema against draft 2020-12.
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validates(t *testing.T, s *jsonschema.Schema, doc string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	return s.Validate(v)
}

// Others' editors take what Parse takes: as it was written, and with every default written out.
func TestTheSchemaTakesWhatRuns(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	var docs []json.RawMessage
	if err := json.Unmarshal(starter, &docs); err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		a := mustParse(t, doc)
		docs = append(docs, a.Canonical())
	}
	docs = append(docs, json.RawMessage(valid))
	for _, doc := range docs {
		if err := validates(t, s, string(doc)); err != nil {
			t.Errorf("%v\nin %s", err, doc)
		}
	}
}

// valid has every key that a document can have.
const valid = `{"slug": "explorer", "title": "Explorer", "text": "Five, and ten kilometres.",
	"picture": {"icon": "compass", "hue": 200},
	"objectives": [
		{"id": "photo", "filters": [{"name": "SourceFilter", "config": {"sources": ["photo"]}},
			{"name": "TimeOfDayFilter", "config": {"from": "22:00", "until": "06:00"}}], "rule": {"name": "CountRule"}},
		{"id": "navi", "filters": [{"name": "FirstSolveFilter"}, {"name": "DifficultyFilter", "config": {"min": 1}}],
			"rule": {"name": "SumRule", "config": {"fact": "metres", "max_per_day": 100.5}}}],
	"strategy": {"goal": 15, "operation": "sum", "strategy": [{"objective_id": "photo", "goal": 5},
		{"strategy": [{"objective_id": "navi", "normalization_factor": 0.001}]}]},
	"permanence": "permanent", "backfill": "since:2026-09-01",
	"window": {"from": "2026-01-01", "until": "2027-01-01", "every": "month", "grace": "7d", "zone": "fixed:Europe/Berlin"},
	"levels": [{"title": "Some", "goal": 5}, {"title": "All", "goal": 15}]}`

// Each of these is one slip away from a document that is right, and Parse refuses it, too.
func TestTheSchemaNoticesSlips(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	for _, slip := range [][2]string{
		{`"title"`, `"titel"`}, {`"slug": "explorer"`, `"slug": ""`}, {`"SourceFilter"`, `"SourcesFilter"`}, {`"sources"`, `"source"`},
		{`["photo"]`, `[]`}, {`["photo"]`, `"photo"`}, {`"22:00"`, `"10 pm"`}, {`"min": 1`, `"min": "1"`}, {`"CountRule"`, `"CounterRule"`},
		{`"fact": "metres", `, ``}, {`"max_per_day"`, `"max_a_day"`}, {`"operation": "sum"`, `"operation": "plus"`},
		{`"goal": 15, "operation"`, `"operation"`}, {`"goal": 5}`, `"goal": 0}`}, {`"normalization_factor"`, `"factor"`},
		{`"objective_id": "photo",`, `"objective_id": "photo", "operation": "sum",`}, {`"objective_id": "photo", `, ``},
		{`"permanent"`, `"forever"`}, {`since:2026-09-01`, `since: September`}, {`"every": "month"`, `"every": "fortnight"`},
		{`"7d"`, `"a week"`}, {`fixed:Europe`, `Europe`}, {`"2026-01-01"`, `"1 Jan 2026"`}, {`"icon": "compass"`, `"icon": "compas"`},
		{`{"name": "FirstSolveFilter"}`, `{"name": "FirstSolveFilter", "config": {"site": "x"}}`},
		{`"id": "navi", `, ``}, {`{"title": "Some", "goal": 5}`, `{"title": "Some"}`}, {`"levels"`, `"level"`},
	} {
		doc := strings.Replace(valid, slip[0], slip[1], 1)
		if doc == valid {
			t.Fatalf("%s is not in the document", slip[0])
		}
		if validates(t, s, doc) == nil {
			t.Errorf("%s for %s is not noticed by the schema", slip[1], slip[0])
		}
		if _, mistakes := Parse([]byte(doc)); len(mistakes) == 0 {
			t.Errorf("%s for %s is not noticed by Parse", slip[1], slip[0])
		}
	}
}
