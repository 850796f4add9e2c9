package registry_test

import (
	"slices"
	"strings"
	"testing"

	"laurel/jobs/registry"
)

type planet struct{ name string }

func planets(names ...string) *registry.Registry[planet] {
	r := registry.New("planet", func(p planet) string { return p.name })
	for _, name := range names {
		r.Add(planet{name})
	}
	return r
}

func TestAllIsSortedByName(t *testing.T) {
	if got, want := planets("venus", "earth", "mars").All(), []planet{{"earth"}, {"mars"}, {"venus"}}; !slices.Equal(got, want) {
		t.Errorf("All() = %v, want %v", got, want)
	}
}

func TestByName(t *testing.T) {
	r := planets("mars")
	if got, ok := r.ByName("mars"); !ok || got.name != "mars" {
		t.Errorf("ByName(mars) = %v, %t", got, ok)
	}
	if got, ok := r.ByName("pluto"); ok {
		t.Errorf("ByName(pluto) = %v, want none", got)
	}
}

func TestASecondOneOfANamePanics(t *testing.T) {
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, `second planet is named "mars"`) {
			t.Errorf("panic says %q", p)
		}
	}()
	planets("mars", "mars")
}
