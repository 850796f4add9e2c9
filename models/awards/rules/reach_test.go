package rules

import (
	"fmt"
	"reflect"
	"testing"
)

func TestReach(t *testing.T) {
	for _, tt := range []struct {
		filters string
		want    Reach
	}{
		{`[]`, Reach{}},
		{`[{"name":"TypeFilter","config":{"types":["navi","open"]}}]`, Reach{Types: []string{"navi", "open"}}},
		{`[{"name":"SourceFilter","config":{"sources":["app"]}},{"name":"StatusFilter","config":{"statuses":["active"]}}]`, Reach{Sources: []string{"app"}}},
		{`[{"name":"TypeFilter","config":{"types":["a","b"]}},{"name":"TypeFilter","config":{"types":["b","c"]}}]`, Reach{Types: []string{"b"}}},
		{`[{"name":"TypeFilter","config":{"types":["a"]}},{"name":"TypeFilter","config":{"types":["b"]}}]`, Reach{Types: []string{}}},
		{`[{"name":"ExpressionFilter","config":{"expression":"type == 'navi'"}}]`, Reach{}},
	} {
		a, m := Parse(fmt.Appendf(nil, `{"slug":"f","title":"F","objectives":[{"id":"o","filters":%s,"rule":{"name":"CountRule"}}],"strategy":{"goal":1,"objective_id":"o"}}`, tt.filters))
		if len(m) > 0 {
			t.Fatal(m)
		}
		if got := a.Objectives[0].Reach(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %#v, want %#v", tt.filters, got, tt.want)
		}
	}
}
