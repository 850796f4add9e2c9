package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// objectiveWith has one filter.
func objectiveWith(t testing.TB, name, config string) (*Objective, Mistakes) {
	t.Helper()
	a, m := Parse(fmt.Appendf(nil, `{"slug":"f","title":"F","objectives":[{"id":"o","filters":[{"name":%q,"config":%s}],
		"rule":{"name":"CountRule"}}],"strategy":{"goal":1,"objective_id":"o"}}`, name, config))
	return &a.Objectives[0], m
}

func TestFilters(t *testing.T) {
	solved := Event{Source: "submissions", Type: "judged", Object: "p1", Status: "active", At: time.Date(2026, 11, 1, 23, 30, 0, 0, time.UTC), Facts: Facts{
		"site": "codeforces", "language": "C++20", "rating": Units(1900), "difficulty": Units(3) / 2, "tags": []string{"dp", "graphs"},
		"contest": "2050", "first_solve": true, "text": " Привет "}}
	tapped := Event{Source: "app", Type: "tap", At: time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC), Zone: time.FixedZone("", 9*3600)}
	for _, tt := range []struct {
		name, config   string
		solved, tapped bool
	}{
		{"SourceFilter", `{"sources":["submissions","photo"]}`, true, false},
		{"TypeFilter", `{"types":["tap"]}`, false, true},
		{"StatusFilter", `{"statuses":["active"]}`, true, true},
		{"StatusFilter", `{"statuses":["blocked"]}`, false, false},
		{"SiteFilter", `{"sites":["codeforces"]}`, true, false},
		{"ObjectFilter", `{"objects":["p1"]}`, true, false},
		{"LanguageFilter", `{"languages":["c++20"]}`, true, false},
		{"RatingFilter", `{"min":1900}`, true, false},
		{"RatingFilter", `{"min":1900.000001}`, false, false},
		{"RatingFilter", `{"max":1900}`, true, false},
		{"DifficultyFilter", `{"min":1,"max":1.5}`, true, false},
		{"TagFilter", `{"tags":["strings","graphs"]}`, true, false},
		{"TagFilter", `{"tags":["strings"]}`, false, false},
		{"ContestFilter", `{}`, true, false},
		{"ContestFilter", `{"contests":["1"]}`, false, false},
		{"ContestFilter", `{"contests":["2050"],"participations":["contest"]}`, true, false},
		{"ContestFilter", `{"participations":["virtual","practice"]}`, false, false},
		{"FirstSolveFilter", `{}`, true, false},
		{"TextLengthFilter", `{"min":6,"max":6}`, true, false},
		{"ReviewsLengthFilter", `{"allowed_length":5}`, true, false},
		{"ReviewsLengthFilter", `{"allowed_length":6}`, false, false},
		{"TimeOfDayFilter", `{"from":"22:00","until":"06:00"}`, true, false},
		{"TimeOfDayFilter", `{"from":"15:00","until":"15:01"}`, false, true},
		{"TimeOfDayFilter", `{"from":"14:00","until":"15:00"}`, false, false},
		{"TimeOfDayFilter", `{"from":"23:30","until":"24:00"}`, true, false},
		{"DayOfWeekFilter", `{"days":["sat","sun"]}`, true, false},
		{"DayOfWeekFilter", `{"days":["mon"]}`, false, true},
		{"ExpressionFilter", `{"expression":"facts.rating >= 1900 and 'dp' in facts.tags"}`, true, false},
		{"ExpressionFilter", `{"expression":"facts.difficulty == 1.5 && len(trim(facts.text)) > 0"}`, true, false},
		{"ExpressionFilter", `{"expression":"hour == 15 and weekday == 'mon' and source startsWith 'ap'"}`, false, true},
		{"ExpressionFilter", `{"expression":"facts.missing > 3"}`, false, false},
		{"NumberFilter", `{"fact":"rating","min":1900,"max":1900}`, true, false},
		{"NumberFilter", `{"fact":"rating","max":1899.5}`, false, false},
		{"NumberFilter", `{"fact":"language","min":0}`, false, false},
		{"TextFilter", `{"fact":"language","contains":["java","c++"]}`, true, false},
		{"TextFilter", `{"fact":"language","contains":["c++"],"without":["20"]}`, false, false},
		{"TextFilter", `{"fact":"rating","contains":["1"]}`, false, false},
		{"ExpressionFilter", `{"expression":"status == 'active'"}`, true, true},
	} {
		o, m := objectiveWith(t, tt.name, tt.config)
		if len(m) > 0 {
			t.Errorf("%s %s: %s", tt.name, tt.config, m)
			continue
		}
		for _, e := range []struct {
			event *Event
			want  bool
		}{{&solved, tt.solved}, {&tapped, tt.tapped}} {
			v := o.Verdicts(e.event)
			if v[0].Pass != e.want || v[0].Wants.Text == "" || (o.Contribution(e.event).Amount > 0) != e.want {
				t.Errorf("%s %s: %+v on an event of %s, want %t", tt.name, tt.config, v[0], e.event.Source, e.want)
			}
		}
	}
}

func TestMistakesInConfigurations(t *testing.T) {
	const at = "objectives[0].filters[0].config"
	for _, tt := range []struct{ name, config, want string }{
		{"RatingFilter", `{}`, at + ": needs min, max or both"},
		{"RatingFilter", `{"min":2,"max":1}`, at + ".min: is 2, more than max 1: nothing would pass"},
		{"RatingFilter", `{"min":0.0000001}`, at + ".min: must have at most 6 decimals, not 0.0000001"},
		{"TimeOfDayFilter", `{"from":"6:00","until":"25:00"}`, at + ".from: must be a time of day such as 06:30"},
		{"TimeOfDayFilter", `{"from":"06:00","until":"06:00"}`, at + ".until: is the same as from, so nothing would pass"},
		{"DayOfWeekFilter", `{"days":["mon","someday"]}`, at + `.days[1]: no day is named "someday" (known: sun, mon, tue, wed, thu, fri, sat)`},
		{"ReviewsLengthFilter", `{"allowed_length":-1}`, at + ".allowed_length: must be between 0 and 9000000000000, not -1"},
		{"ExpressionFilter", `{"expression":"facts.a >"}`, at + ".expression: line 1, column 9: unexpected token EOF"},
		{"ExpressionFilter", `{"expression":"true and\nmember == 'ada'"}`, at + ".expression: line 2, column 1: unknown name member"},
		{"ExpressionFilter", `{"expression":"len(1..100000000) > 3"}`, at + ".expression: line 1, column 6: ranges, variables, loops and further calls are not allowed"},
		{"ExpressionFilter", `{"expression":"let a = source + source; a == a + a"}`, at + ".expression: line 1, column 5: ranges, variables, loops and further calls are not allowed"},
		{"ExpressionFilter", `{"expression":"any(facts.tags, # == 'dp')"}`, at + ".expression: line 1, column "},
		{"ExpressionFilter", `{"expression":"now().Year() > 2000"}`, at + ".expression: line 1, column 1: "},
		{"ExpressionFilter", `{"expression":"facts.a()"}`, at + ".expression: "},
		{"ExpressionFilter", `{"expression":"1 + 1"}`, at + ".expression: expected bool, but got int"},
		{"ExpressionFilter", `{"expression":"` + strings.Repeat("!", 1001) + `true"}`, at + ".expression: has 1005 bytes; the limit is 1000"},
		{"ExpressionFilter", `{"expression":"` + strings.Repeat("(", 990) + `"}`, at + ".expression: "},
	} {
		_, m := objectiveWith(t, tt.name, tt.config)
		if len(m) == 0 || !strings.HasPrefix(m[0].String(), tt.want) {
			t.Errorf("%s %.60s: %q, want %q", tt.name, tt.config, m, tt.want)
		}
	}
}

// What was done in a contest is not what was practised on its problems later.
func TestContestFilterTakesWhatWasDoneInIt(t *testing.T) {
	for _, tt := range []struct {
		participation, config string
		want                  bool
	}{
		{"contest", `{}`, true}, {"virtual", `{}`, false}, {"practice", `{}`, false}, {"unknown", `{}`, false},
		{"virtual", `{"participations":["virtual"]}`, true}, {"contest", `{"participations":["virtual"]}`, false},
		{"practice", `{"contests":["2050"],"participations":["contest","practice"]}`, true},
		{"practice", `{"contests":["1"],"participations":["contest","practice"]}`, false},
	} {
		o, m := objectiveWith(t, "ContestFilter", tt.config)
		e := Event{Facts: Facts{"contest": "2050", "participation": tt.participation}}
		if got := o.Filters[0].Config.Pass(&e); len(m) > 0 || got != tt.want {
			t.Errorf("%s %s: %t, want %t (%s)", tt.participation, tt.config, got, tt.want, m)
		}
	}
}
