package posts_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// However many reserve at once, their requests together can bring no more posts than the
// month's budget has; what is given back may be reserved again, and what somebody has who
// died, when nobody has asked for an hour.
func TestABudgetIsReservedOnce(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	secret, err := pg.NewSecret("a secret of this test alone")
	if err != nil {
		t.Fatal(err)
	}
	budget, pool, now := int64(1250), posts.Pool{Network: "x"}, modelstest.Noon
	if _, err := posts.SaveCredential(t.Context(), db.DB, posts.NewCredential{Network: "x", Name: "one", Token: "t", Quota: 3500, Window: time.Hour, MonthlyPosts: &budget}, secret, now); err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	var mine posts.Credential // As one of them got it.
	var wg sync.WaitGroup
	var once sync.Once
	for range 8 {
		wg.Go(func() {
			c, got, err := posts.ReserveRequests(t.Context(), db.DB, pool, 5, 100, now)
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
		if _, got, err := posts.ReserveRequests(t.Context(), db.DB, pool, 5, 100, now); err != nil || got != want {
			t.Errorf("%d requests are reserved (%v), want %d", got, err, want)
		}
	}
	reserve(0)
	if ok, err := posts.ReserveOne(t.Context(), db.DB, mine.ID, 100, now); ok || err != nil {
		t.Errorf("another page is reserved: %t, %v", ok, err)
	}
	if err := posts.GiveBack(t.Context(), db.DB, &mine, 2, 200); err != nil {
		t.Fatal(err)
	}
	reserve(2)
	now = now.Add(time.Hour + time.Minute)
	reserve(5)
}

// An answer that tells what is known writes nothing; what is news is kept.
func TestAnAnswerWithoutNewsIsNotWritten(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	secret, err := pg.NewSecret("a secret of this test alone")
	if err != nil {
		t.Fatal(err)
	}
	pool, now := posts.Pool{Network: "x"}, modelstest.Noon
	if _, err := posts.SaveCredential(t.Context(), db.DB, posts.NewCredential{Network: "x", Name: "one", Token: "t", Quota: 100, Window: time.Hour}, secret, now); err != nil {
		t.Fatal(err)
	}
	end := now.Add(time.Hour)
	quota := func(remaining int) *posts.ReportedQuota {
		return &posts.ReportedQuota{Limit: 100, Remaining: remaining, Reset: end}
	}
	for _, c := range []struct {
		what      string
		told      posts.Reported
		remaining int
		written   bool
	}{
		{"the window ends a second later", posts.Reported{Quota: quota(90)}, 90, true},
		{"as much is left as was counted", posts.Reported{Quota: quota(80)}, 80, false},
		{"no header", posts.Reported{}, 70, false},
		{"others use it, too", posts.Reported{Quota: quota(50)}, 50, true},
		{"it failed", posts.Reported{Failed: true}, 40, true},
		{"it failed no more", posts.Reported{}, 30, true},
		{"it is to be left alone", posts.Reported{Then: posts.Cooldown, Until: now.Add(time.Second), Reason: "so they say"}, 20, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			mine, got, err := posts.ReserveRequests(t.Context(), db.DB, pool, 10, 100, now)
			if err != nil || got != 10 {
				t.Fatalf("%d requests are reserved: %v", got, err)
			}
			before := rowVersion(t, db)
			if err := posts.LearnCredential(t.Context(), db.DB, mine.ID, c.told, now); err != nil {
				t.Fatal(err)
			}
			if written := rowVersion(t, db) != before; written != c.written {
				t.Errorf("the credential was written: %t", written)
			}
			var remaining int
			if err := db.Raw(`SELECT remaining FROM credentials`).Scan(&remaining).Error; err != nil || remaining != c.remaining {
				t.Errorf("%d requests are left (%v), want %d", remaining, err, c.remaining)
			}
		})
	}
}

// rowVersion says where the one credential's row is now: an update puts it elsewhere.
func rowVersion(t *testing.T, db *pg.DB) (at string) {
	t.Helper()
	if err := db.Raw(`SELECT CAST(ctid AS text) FROM credentials`).Row().Scan(&at); err != nil {
		t.Fatal(err)
	}
	return at
}
