package archive_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/models/archive"
	"laurel/models/modelstest"
)

// seenAt tells when the rows of a shard were seen: {0, 5} {15}.
func seenAt(t *testing.T, rows []string) string {
	t.Helper()
	var out []string
	for _, l := range rows {
		out = append(out, strings.TrimSpace(strings.Split(l, "|")[1]))
	}
	return strings.Join(out, " ")
}

func TestThinRetrievals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		windows map[string]time.Duration
		want    string
		removed int64
	}{
		{"off", nil, "{0, 5} {15, 20, 25, 30}", 0},
		{"as the definition has it", map[string]time.Duration{"a": 12 * time.Minute, "b": 12 * time.Minute}, "{0, 5} {15, 25, 30}", 1},
		{"the other shard has none", map[string]time.Duration{"a": 12 * time.Minute}, "{0, 5} {15, 20, 25, 30}", 0},
		{"the smaller window counts", map[string]time.Duration{"a": time.Hour, "b": time.Minute}, "{0, 5} {15, 20, 25, 30}", 0},
		{"a large window", map[string]time.Duration{"a": time.Hour, "b": time.Hour}, "{0, 5} {15, 30}", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			a, b := declare(t, tx, "a", "k integer", "v integer"), declare(t, tx, "b", "k integer", "v integer")
			for _, m := range []int{0, 5, 15, 20, 25, 30} {
				rows := []row{{"k": 1, "v": min(m/15, 1)}}
				store(t, tx, archive.Response{Address: "page", At: minute(m), Shards: map[string][]row{"a": rows, "b": rows}})
			}
			for again := range 2 {
				n, err := archive.ThinRetrievals(t.Context(), tx, tt.windows, time.Time{})
				if err != nil || n != tt.removed*int64(1-again) {
					t.Fatalf("%d retrievals removed, %v; want %d", n, err, tt.removed)
				}
				for _, s := range []*archive.Shard{a, b} {
					if got := seenAt(t, lines(t, tx, s, archive.Query{})); got != tt.want {
						t.Errorf("%s is seen at %s, want %s", s.Name, got, tt.want)
					}
				}
			}
			sound(t, tx)
		})
	}
}

// A late observation splits a row of a run: each part keeps its ends.
func TestThinSplitRows(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	s := declare(t, tx, "s", "k integer", "v integer")
	for m := range 10 {
		at(t, tx, s, "a", 2*m, row{"k": 1, "v": 1})
	}
	at(t, tx, s, "b", 9, row{"k": 1, "v": 2})
	n, err := archive.ThinRetrievals(t.Context(), tx, map[string]time.Duration{"s": time.Hour}, time.Time{})
	if err != nil || n != 6 {
		t.Errorf("%d removed, %v", n, err)
	}
	if got, want := seenAt(t, lines(t, tx, s, archive.Query{})), "{0, 8} {9} {10, 18}"; got != want {
		t.Errorf("seen at %s, want %s", got, want)
	}
	sound(t, tx)
	if _, err := archive.ThinRetrievals(t.Context(), tx, map[string]time.Duration{"nothing": time.Hour}, time.Time{}); err == nil || !strings.Contains(fmt.Sprint(err), `no shard is named "nothing"`) {
		t.Errorf("a window for no shard: %v", err)
	}
}
