package rules

import "testing"

func TestOneStep(t *testing.T) {
	award := mustParse(t, document(seedStrategy))
	levels := mustParse(t, []byte(`{"slug":"l","title":"L","objectives":[{"id":"o","rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":6},"levels":[{"title":"A","goal":2},{"title":"B","goal":6}]}`))
	for _, tt := range []struct {
		name     string
		award    *Award
		counters map[string]Amount
		want     bool
	}{
		{"one photo short", &award, map[string]Amount{"photo": Units(4), "navi": Units(10_000)}, true},
		{"two photos short", &award, map[string]Amount{"photo": Units(3), "navi": Units(10_000)}, false},
		{"a metre is no step", &award, map[string]Amount{"photo": Units(5), "navi": Units(9_999)}, false},
		{"a photo short and a metre", &award, map[string]Amount{"photo": Units(4), "navi": Units(9_999)}, false},
		{"reached", &award, map[string]Amount{"photo": Units(5), "navi": Units(10_000)}, false},
		{"nothing", &award, nil, false},
		{"a level of 2 is too near", &levels, map[string]Amount{"o": Units(1)}, false},
		{"the level after it", &levels, map[string]Amount{"o": Units(5)}, true},
		{"in between", &levels, map[string]Amount{"o": Units(3)}, false},
	} {
		if got := tt.award.OneStep(tt.counters); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
