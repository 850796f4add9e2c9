package models_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/models"
	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// told finishes a probe that found everybody quiet and showed ratings, and the own
// pages of the first n.
func (p *probing) told(n int, ratings ...*int) {
	p.Helper()
	told := models.ProbeTold{Rated: p.ids, Ratings: ratings, Shown: p.ids[:n], Page: &archive.Response{Address: "https://codeforces.com/api/user.info", Shards: map[string][]archive.Row{}}}
	for i := range n {
		told.Page.Shards["account_rating"] = append(told.Page.Shards["account_rating"], archive.Row{"site": "codeforces", "handle": fmt.Sprint("h", i), "rating": nil, "best": nil})
	}
	_, err := models.FinishProbe(p.Context(), p.db.DB, models.Probe{Site: "codeforces", Began: p.now, Every: 4 * time.Hour, Overlap: 24 * time.Hour, Quiet: p.ids, Requests: 1,
		Outcome: pg.OutcomeOK, Told: told}, models.Rule{Divisor: 5, Rate: 1}, p.now)
	if err != nil {
		p.Fatal(err)
	}
}

// What a probe says of ratings is compared with the newest that is stored: a new one
// makes the next look a real one, once, and no probe stands for that.
func TestFinishProbeTellsRatings(t *testing.T) {
	t.Parallel()
	leased := modelstest.Noon.Add(time.Minute)
	p := newProbing(t, 5, func(i int, a *models.Account) {
		if i == 4 {
			a.LeasedUntil, a.LeaseID = &leased, "somebody"
		}
	})
	for i, rating := range []int{1400, 1500} { // The newer one counts.
		err := p.db.Exec(`INSERT INTO ratings (account_id, contest, name, url, rank, rating, rated_at) SELECT unnest(CAST(? AS bigint[])), ?, 'c', '', 1, ?, ?`,
			&[]int64{p.ids[0], p.ids[1], p.ids[3]}, fmt.Sprint(9-i), rating, modelstest.Noon.AddDate(0, 0, i-9)).Error
		if err != nil {
			t.Fatal(err)
		}
	}
	wanted := func(i int) (wanted bool) {
		t.Helper()
		if err := p.db.Raw(`SELECT look_wanted FROM accounts WHERE id = ?`, p.ids[i]).Row().Scan(&wanted); err != nil {
			t.Fatal(err)
		}
		return wanted
	}
	p.told(2, new(1500), new(1550), nil, nil, new(900))
	for i, want := range []struct{ known, wanted, stood bool }{{true, false, true}, {false, true, false}, {true, false, true}, {false, false, true}, {false, false, false}} {
		a := p.account(i)
		if known := a.RatingsKnownAt != nil && a.RatingsKnownAt.Equal(p.now); known != want.known || wanted(i) != want.wanted || a.LastRetrievedAt.Equal(p.now) != want.stood {
			t.Errorf("account %d: known %v, a look is wanted: %v, read %s; want %+v", i, a.RatingsKnownAt, wanted(i), a.LastRetrievedAt, want)
		}
		if a.ProfileAt != nil != (i < 2) {
			t.Errorf("account %d: its own page is of %v", i, a.ProfileAt)
		}
	}
	var rows, looks int
	if err := p.db.Raw(`SELECT (SELECT count(*) FROM shard_account_rating), (SELECT count(*) FROM archive_retrievals)`).Row().Scan(&rows, &looks); err != nil || rows != 2 || looks != 1 {
		t.Errorf("%d rows of %d pages in the archive, %v", rows, looks, err)
	}
	// A look that was no help is not asked for again for the same rating.
	if err := p.db.Exec(`UPDATE accounts SET look_wanted = false, leased_until = NULL`).Error; err != nil {
		t.Fatal(err)
	}
	p.now = p.now.Add(4 * time.Hour)
	p.told(0, new(1500), new(1550), nil, nil, new(900))
	for i, want := range []bool{false, false, false, false, true} {
		if wanted(i) != want {
			t.Errorf("account %d: a look is wanted: %v", i, wanted(i))
		}
	}
}
