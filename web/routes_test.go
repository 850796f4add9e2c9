package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/routes.golden")

// No address and no role changes unseen.
func TestRoutes(t *testing.T) {
	t.Parallel()
	const golden = "testdata/routes.golden"
	var got strings.Builder
	if err := writeRoutes(&got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the addresses differ from %s (go test ./web -run TestRoutes -update writes it):\n%s", golden, diff)
	}
}
