package firehose

import (
	"fmt"
	"slices"
	"testing"

	"laurel/models/awards/rules"
)

// award has one objective for each list of filters.
func award(t testing.TB, filters ...string) rules.Award {
	t.Helper()
	objectives, leaves := "", ""
	for i, f := range filters {
		objectives += fmt.Sprintf(`,{"id":"o%d","filters":%s,"rule":{"name":"CountRule"}}`, i, f)
		leaves += fmt.Sprintf(`,{"objective_id":"o%d"}`, i)
	}
	a, m := rules.Parse(fmt.Appendf(nil, `{"slug":"f","title":"F","objectives":[%s],"strategy":{"goal":1,"strategy":[%s]}}`, objectives[1:], leaves[1:]))
	if len(m) > 0 {
		t.Fatal(m)
	}
	return a
}

func typesFilter(types string) string {
	return `{"name":"TypeFilter","config":{"types":[` + types + `]}}`
}

func sourcesFilter(sources string) string {
	return `{"name":"SourceFilter","config":{"sources":[` + sources + `]}}`
}

func TestWanted(t *testing.T) {
	navi := rules.Event{Source: "bss", Type: "navi"}
	open := rules.Event{Source: "bss", Type: "open"}
	photo := rules.Event{Source: "photo", Type: "added"}
	gone := rules.Event{Source: "bss", Type: "gone", Status: "deleted"}
	all := []rules.Event{navi, open, photo, gone}
	const status = `"status"`
	for _, tt := range []struct {
		filters []string
		want    []rules.Event
		texts   []string // None where every line must be decoded.
		all     bool
	}{
		{[]string{`[` + typesFilter(`"navi"`) + `]`}, []rules.Event{navi, gone}, []string{`"navi"`, status}, false},
		{[]string{`[` + typesFilter(`"navi","added"`) + `,` + sourcesFilter(`"photo"`) + `]`}, []rules.Event{photo}, []string{`"added"`, `"navi"`, status}, false},
		{[]string{`[` + typesFilter(`"navi"`) + `]`, `[` + sourcesFilter(`"photo"`) + `]`}, []rules.Event{navi, photo, gone}, []string{`"navi"`, `"photo"`, status}, false},
		{[]string{`[` + sourcesFilter(`"bss"`) + `]`}, []rules.Event{navi, open, gone}, nil, true},
		{[]string{`[{"name":"ExpressionFilter","config":{"expression":"type == 'navi'"}}]`}, all, nil, true},
		{[]string{`[` + typesFilter(`"a"`) + `,` + typesFilter(`"b"`) + `]`}, nil, nil, false},
		{[]string{`[` + typesFilter(`"Привет","a b"`) + `]`}, []rules.Event{gone}, []string{status}, false},
	} {
		w, n := wantedBy([]rules.Award{award(t, tt.filters...)}, "bss")
		for _, e := range all {
			if want := slices.ContainsFunc(tt.want, func(o rules.Event) bool { return o.Type == e.Type }); w.takes(&e) != want {
				t.Errorf("%s: %s of %s taken: %t, want %t", tt.filters, e.Type, e.Source, !want, want)
			}
		}
		for _, text := range tt.texts {
			if _, ok := n.texts[text]; !ok {
				t.Errorf("%s: %s is not looked for", tt.filters, text)
			}
		}
		if n.all != tt.all || len(n.texts) != len(tt.texts) {
			t.Errorf("%s: all %t, %q, want %t %q", tt.filters, n.all, n.texts, tt.all, tt.texts)
		}
	}
	if w, n := wantedBy(nil, "bss"); w.takes(&navi) || n.all || len(n.texts) > 0 {
		t.Error("without awards, something is wanted")
	}
}
