package models_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/models"
	"laurel/models/modelstest"
)

// However many reserve at once, their requests together can bring no more posts than the
// month's budget has; what is given back may be reserved again, and what somebody has who
// died, when nobody has asked for an hour.
func TestABudgetIsReservedOnce(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	secret, err := models.NewSecret("a secret of this test alone")
	if err != nil {
		t.Fatal(err)
	}
	budget, pool, now := int64(1250), models.Pool{Network: "x"}, modelstest.Noon
	if _, err := models.SaveCredential(t.Context(), db.DB, models.NewCredential{Network: "x", Name: "one", Token: "t", Quota: 3500, Window: time.Hour, MonthlyPosts: &budget}, secret, now); err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	var mine models.Credential // As one of them got it.
	var wg sync.WaitGroup
	var once sync.Once
	for range 8 {
		wg.Go(func() {
			c, got, err := models.ReserveRequests(t.Context(), db.DB, pool, 5, 100, now)
			if err != nil {
				t.Error(err)
			}
			if requests.Add(int64(got)); got > 0 {
				once.Do(func() { mine = c })
			}
		})
	}
	wg.Wait()
	if requests.Load() != 12 {
		t.Errorf("requests for %d posts are reserved, %d may be paid for", requests.Load()*100, budget)
	}
	reserve := func(want int) {
		t.Helper()
		if _, got, err := models.ReserveRequests(t.Context(), db.DB, pool, 5, 100, now); err != nil || got != want {
			t.Errorf("%d requests are reserved (%v), want %d", got, err, want)
		}
	}
	reserve(0)
	if ok, err := models.ReserveOne(t.Context(), db.DB, mine.ID, 100, now); ok || err != nil {
		t.Errorf("another page is reserved: %t, %v", ok, err)
	}
	if err := models.GiveBack(t.Context(), db.DB, &mine, 2, 200); err != nil {
		t.Fatal(err)
	}
	reserve(2)
	now = now.Add(time.Hour + time.Minute)
	reserve(5)
}
