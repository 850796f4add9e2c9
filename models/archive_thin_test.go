package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models"
	"laurel/models/archive"
	"laurel/models/modelstest"
)

// seenAt tells when the rows of a ladder's list were seen: "a {0,5}; b {15}".
func seenAt(t *testing.T, db *gorm.DB, shard string, key archive.Row) string {
	t.Helper()
	s, err := archive.Lookup(t.Context(), db, shard)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := archive.History(t.Context(), db, s, archive.Query{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, r := range rows {
		var at []string
		for _, seen := range r.Retrieved {
			at = append(at, after(&seen))
		}
		parts = append(parts, "{"+strings.Join(at, ",")+"}")
	}
	return strings.Join(parts, ",")
}

func TestThinLooks(t *testing.T) {
	t.Parallel()
	both := map[string]time.Duration{"ladder": 12 * time.Minute, "ladder_list": 12 * time.Minute}
	for _, tt := range []struct {
		name    string
		windows map[string]time.Duration
		want    string
		removed int64
	}{
		{"off", nil, "{0,5},{15,20,25,30}", 0},
		{"as the definition has it", both, "{0,5},{15,25,30}", 1},
		{"the list's shard has none", map[string]time.Duration{"ladder": 12 * time.Minute}, "{0,5},{15,20,25,30}", 0},
		{"the smaller window counts", map[string]time.Duration{"ladder": time.Hour, "ladder_list": time.Minute}, "{0,5},{15,20,25,30}", 0},
		{"a large window", map[string]time.Duration{"ladder": time.Hour, "ladder_list": time.Hour}, "{0,5},{15,30}", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := modelstest.Tx(t)
			for _, minute := range []int{0, 5, 15, 20, 25, 30} {
				player := "a"
				if minute > 10 {
					player = "b"
				}
				storeLadder(t, tx, "l", noon.Add(time.Duration(minute)*time.Minute), 1, player)
			}
			for again := range 2 {
				n, err := models.ThinLooks(t.Context(), tx, tt.windows, time.Time{})
				if err != nil || n != tt.removed*int64(1-again) {
					t.Fatalf("%d looks removed, %v; want %d", n, err, tt.removed)
				}
				if got := seenAt(t, tx, "ladder_list", archive.Row{"ladder": "l"}); got != tt.want {
					t.Errorf("seen at %s, want %s", got, tt.want)
				}
			}
			noFindings(t, tx)
		})
	}
}

// A late observation splits a row of a run: each part keeps its ends.
func TestThinSplitRows(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	store := func(minute float64, address string, rating int) {
		t.Helper()
		at := noon.Add(time.Duration(minute * float64(time.Minute)))
		r := archive.Response{Source: "s", Address: address, At: at, Shards: map[string][]archive.Row{"account_counts": {{"site": "s", "handle": "h", "solved": rating, "submitted": nil}}}}
		if _, err := archive.Store(t.Context(), tx, r, noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for minute := range 10 {
		store(float64(minute), "/a", 1)
	}
	store(4.5, "/b", 2)
	n, err := models.ThinLooks(t.Context(), tx, map[string]time.Duration{"account_counts": time.Hour}, time.Time{})
	if err != nil || n != 6 {
		t.Errorf("%d removed, %v", n, err)
	}
	if got, want := seenAt(t, tx, "account_counts", archive.Row{"handle": "h", "site": "s"}), "{0,4},{4.5},{5,9}"; got != want {
		t.Errorf("seen at %s, want %s", got, want)
	}
	noFindings(t, tx)
	if _, err := models.ThinLooks(t.Context(), tx, map[string]time.Duration{"nothing": time.Hour}, time.Time{}); err == nil || !strings.Contains(fmt.Sprint(err), `no shard is named "nothing"`) {
		t.Errorf("a window for no shard: %v", err)
	}
}
