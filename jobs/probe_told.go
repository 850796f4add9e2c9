package jobs

import (
	"time"

	"laurel/jobs/sites"
	"laurel/models"
	"laurel/models/archive"
)

// takeTold is what the answer to a question about many showed of the accounts: the
// ratings of all, and their own pages where those would be read by now. Who may have
// something new has news: the look that comes next need not ask for the page.
func takeTold(info sites.Info, accounts []models.Account, found []sites.Finding, told []*sites.Profile, now time.Time) models.ProbeTold {
	t, shards, shown := models.ProbeTold{}, map[string][]archive.Row{}, map[string]bool{}
	for i, p := range told {
		if p == nil {
			continue
		}
		a := &accounts[i]
		if p.Rating != nil && a.RatingsAt != nil {
			t.Rated, t.Ratings = append(t.Rated, a.ID), append(t.Ratings, p.Rating.Rating)
		}
		var newest time.Time
		if a.NewestAt != nil {
			newest = *a.NewestAt
		}
		if i < len(found) && found[i] == sites.News {
			newest = now
		}
		if !profileDue(a, newest, now) {
			continue
		}
		t.Shown = append(t.Shown, a.ID)
		if shown[a.Handle] {
			continue // Two members follow it.
		}
		shown[a.Handle] = true
		for shard, rows := range views(info.Name, a.Handle, *p) {
			shards[shard] = append(shards[shard], rows...)
		}
	}
	if len(t.Shown) > 0 {
		t.Page = &archive.Response{Address: info.ManyPage, Shards: shards}
	}
	return t
}
