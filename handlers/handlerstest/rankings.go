package handlerstest

import (
	"net/url"
	"testing"
	"time"

	modelhistory "laurel/models/history"
)

// StoreRanking stores a check of the ranking "a/b c" on the day of November.
func (s *Site) StoreRanking(t *testing.T, day, size int, names ...string) {
	t.Helper()
	at := time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)
	l := modelhistory.RankingPage{Name: "a/b c", Source: "game", Address: "/board", At: at, Size: size}
	for i, n := range names {
		l.Places = append(l.Places, modelhistory.Place{Player: n, Rank: new(int64(i + 1)), Score: new(1000.5 - float64(i))})
	}
	if _, err := modelhistory.StoreRanking(t.Context(), s.DB.DB, l, at); err != nil {
		t.Fatal(err)
	}
}

// November is an hour as addresses have it.
func November(day, hour int) string {
	return url.QueryEscape(time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC).Format(time.RFC3339))
}
