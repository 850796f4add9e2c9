package catalogue_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// Contests are read every five minutes from an hour before a start or an end until a quarter of an
// hour after it, when both may be put off; and else once a day.
func TestContestsNearAStart(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	body := fmt.Sprintf(`{"status":"OK","result":[{"id":1,"name":"Round 1","type":"CF","phase":"BEFORE","startTimeSeconds":%d,"durationSeconds":10800}]}`, start.Unix())
	begin := start.Add(-3 * time.Hour)
	w := newWorld(t, begin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/contest.list" {
			_, _ = w.Write([]byte(body))
			return
		}
		_, _ = w.Write([]byte(`{"status":"OK","result":{"problems":[]}}`))
	}))
	w.member("ada", "codeforces")
	var got, want []int // Minutes after the start.
	for at := -180; at <= 12*60; at += 5 {
		w.now = start.Add(time.Duration(at)*time.Minute + 10*time.Second) // What the reading itself takes may not matter.
		if strings.Contains(w.reads("codeforces"), "contest.list") {
			got = append(got, at)
		}
		if at == -180 || at >= -60 && at <= 15 || at >= 120 && at <= 195 {
			want = append(want, at)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("read at %v, want %v", got, want)
	}
}
