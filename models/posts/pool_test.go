package posts_test

import (
	"fmt"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/posts"
)

// The pace follows what the tiers ask for and what the credentials allow.
func TestAPoolsPace(t *testing.T) {
	tx, now := modelstest.Tx(t), modelstest.Noon
	secret, err := pg.NewSecret("a secret of this test alone")
	if err != nil {
		t.Fatal(err)
	}
	add := func(n int, age time.Duration) {
		t.Helper()
		var list []posts.New
		created := now.Add(-age)
		for i := range n {
			list = append(list, posts.New{Key: posts.Key{Network: "x", ExternalID: fmt.Sprint(int(age), i)}, CreatedAt: &created})
		}
		if _, err := posts.Add(t.Context(), tx, list, now); err != nil {
			t.Fatal(err)
		}
	}
	measure := func() (pool struct {
		Slowdown, EveryDays, Demand, Supply float64
		Tiers                               string
	}) {
		t.Helper()
		now = now.Add(10 * time.Minute)
		if err := posts.MeasurePools(t.Context(), tx, tiers(t), map[string]int{"x": 100}, now); err != nil {
			t.Fatal(err)
		}
		if err := tx.Raw(`SELECT slowdown, every_days, demand, supply, tiers FROM post_pools WHERE network = 'x'`).Scan(&pool).Error; err != nil {
			t.Fatal(err)
		}
		return pool
	}
	add(1000, 2*time.Hour)    // 10 requests an hour.
	add(600, 3*24*time.Hour)  // One.
	add(100, 40*24*time.Hour) // Too old: one check, counted as of the last tier.
	if p := measure(); p.Slowdown != 1 || p.Supply != 0 || p.Demand < 11 || p.Demand > 11.1 || p.Tiers != "[0,0,1000,600,100]" {
		t.Errorf("without a credential the pool is %+v", p)
	}
	save := func(quota int, month *int64) {
		t.Helper()
		_, err := posts.SaveCredential(t.Context(), tx, posts.NewCredential{Network: "x", Name: "one", Token: "t", Quota: quota, Window: time.Hour, MonthlyPosts: month}, secret, now)
		if err != nil {
			t.Fatal(err)
		}
	}
	save(100, nil)
	if p := measure(); p.Slowdown != 1 || p.Supply != 100 {
		t.Errorf("with many requests the pool is %+v", p)
	}
	save(5, nil)
	if p := measure(); p.Slowdown < 2.1 || p.Slowdown > 2.3 {
		t.Errorf("with five requests an hour for eleven the pool is %+v", p)
	}
	month := int64(13_000) // Noon is the 21st of a month of 30 days: some 1,370 a day are left.
	save(100, &month)
	p := measure()
	days := float64(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC).Sub(now)) / float64(24*time.Hour)
	want := 700 / (float64(month)/days - 1000)
	if p.EveryDays < want*0.99 || p.EveryDays > want*1.01 {
		t.Errorf("with %d posts for %.1f days older posts are looked at every %.2f days, want %.2f", month, days, p.EveryDays, want)
	}
}
