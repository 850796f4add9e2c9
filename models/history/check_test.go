package history_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/modelstest"
)

func TestCheckArchive(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	if _, err := history.LastCheck(t.Context(), tx); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("before any check: %v", err)
	}
	storeRanking(t, tx, "l", modelstest.Noon, 2, "a", "b")
	c, err := history.Check(t.Context(), tx, modelstest.Noon)
	if err != nil || c.Rows != 3 || c.Retrievals != 1 || c.Shards != len(archive.BuiltIn()) || len(c.Findings) != 0 || c.Took <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	storeRanking(t, tx, "l", modelstest.Noon.Add(time.Minute), 2, "b", "a")
	if err := tx.Exec(`UPDATE shard__past_ladder SET _reason = 'whim' WHERE player = 'a'`).Error; err != nil {
		t.Fatal(err)
	}
	if _, err = history.Check(t.Context(), tx, modelstest.Noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	last, err := history.LastCheck(t.Context(), tx)
	if err != nil || !last.StartedAt.Equal(modelstest.Noon.Add(time.Hour)) || len(last.Findings) != 1 || last.Findings[0].Kind != "reason" || last.Findings[0].Shard != "ladder" {
		t.Errorf("the last check: %+v, %v", last, err)
	}
}

// Of many processes that ask at once, one checks; and none before a day is over.
func TestNightly(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	ask := func(now time.Time) int {
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for range 4 {
			wg.Go(func() {
				c, err := history.Nightly(t.Context(), db, nil, now)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if c != nil {
					n++
				}
			})
		}
		wg.Wait()
		return n
	}
	for _, tt := range []struct {
		now  time.Time
		want int
	}{{modelstest.Noon, 1}, {modelstest.Noon.Add(23 * time.Hour), 0}, {modelstest.Noon.Add(24 * time.Hour), 1}} {
		if n := ask(tt.now); n != tt.want {
			t.Errorf("at %s %d processes checked, want %d", tt.now, n, tt.want)
		}
	}
}

func TestRefusedFetches(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	for i, at := range []time.Time{modelstest.Noon.AddDate(0, 0, -8), modelstest.Noon.AddDate(0, 0, -1)} {
		places := players("a", "b")
		places[1].Rank = places[0].Rank
		res, err := history.StoreRanking(t.Context(), tx, history.RankingPage{Name: "l", Source: "game", At: at, Places: places, Size: 2}, at)
		if err != nil || res.Contradiction == "" {
			t.Fatalf("response %d: %+v, %v", i, res, err)
		}
	}
	if n, err := history.RefusedFetches(t.Context(), tx, modelstest.Noon.AddDate(0, 0, -7)); n != 1 || err != nil {
		t.Errorf("%d refused, %v; want 1", n, err)
	}
}
