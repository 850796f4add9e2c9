package sites

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"laurel/jobs/fakesite"
)

// What people write for a handle stands in testdata/SITE/handles.txt, a line each: "TEXT" -> "HANDLE".
func TestHandleIn(t *testing.T) {
	files, err := filepath.Glob("testdata/*/handles.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		site, ok := siteNamed(name)
		if !ok {
			t.Fatalf("no site is named %s", name)
		}
		for line := range strings.Lines(fakesite.Testdata(t, name+"/handles.txt")) {
			var text, want string
			if _, err := fmt.Sscanf(line, "%q -> %q", &text, &want); err != nil {
				t.Fatalf("%s: %q: %v", file, line, err)
			}
			if got := HandleIn(site.Info(), text); got != want {
				t.Errorf("%s: %q is %q, want %q", name, text, got, want)
			}
		}
	}
	for _, s := range everySite() {
		i := s.Info()
		if !i.Handle.MatchString("Ada_1") { // Timus knows people by numbers.
			if got := HandleIn(i, i.Profile("42")); got != "42" {
				t.Errorf("%s: %q is %q", i.Name, i.Profile("42"), got)
			}
			continue
		}
		if got := HandleIn(i, i.Profile("Ada_1")); got != "Ada_1" {
			t.Errorf("%s: %q is %q", i.Name, i.Profile("Ada_1"), got)
		}
	}
}
