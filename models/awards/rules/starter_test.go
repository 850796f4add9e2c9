package rules

import (
	"testing"
)

func TestStarter(t *testing.T) {
	t.Parallel()
	slugs, icons := map[string]bool{}, map[icon]string{}
	for _, a := range Starter() {
		slugs[a.Slug] = true
		if a.Text == "" {
			t.Errorf("%s does not say what it is for", a.Slug)
		}
		if a.Picture == nil || a.Picture.Icon == "" {
			t.Errorf("%s has no picture of its own", a.Slug)
		} else if other := icons[a.Picture.Icon]; other != "" {
			t.Errorf("%s and %s look alike", a.Slug, other)
		} else {
			icons[a.Picture.Icon] = a.Slug
		}
	}
	if len(slugs) != 15 {
		t.Errorf("%d awards of different names, want 15", len(slugs))
	}
}

// What the expressions of the set mean.
func TestStarterExpressions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slug, objective, fact string
		value                 any
		want                  bool
	}{
		{"podium", "podiums", "rank", Units(3), true},
		{"podium", "podiums", "rank", Units(4), false},
		{"podium", "podiums", "rank", Units(0), false},
		{"polyglot", "java", "language", "Java 21", true},
		{"polyglot", "java", "language", "JavaScript", false},
		{"polyglot", "cpp", "language", "GNU C++20 (64)", true},
		{"polyglot", "python", "language", "PyPy 3", true},
		{"polyglot", "go", "language", "Go 1.22", true},
	} {
		e := Event{Source: "submissions", Facts: Facts{tt.fact: tt.value}, Object: "x", Status: Active}
		if tt.slug == "podium" {
			e.Source = "ratings"
		}
		for _, a := range Starter() {
			for i := range a.Objectives {
				o := &a.Objectives[i]
				if a.Slug == tt.slug && o.ID == tt.objective && (o.Contribution(&e).Amount != 0) != tt.want {
					t.Errorf("%s of %s: %v counts: %v, want %v", tt.objective, tt.slug, tt.value, !tt.want, tt.want)
				}
			}
		}
	}
}
