package retrieval

import (
	"context"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
)

// observe archives what a fetch found.
func observe(ctx context.Context, tx *gorm.DB, m *members.Member, a *members.Account, res Result, now time.Time) error {
	pages := sitePages(m, a, res, now)
	ok := res.Outcome == pg.OutcomeOK
	if ok || res.Requests > 0 { // A failure without a request says nothing about the site.
		list := archive.Response{Source: a.Site, Address: res.Address, Viewer: m.Name, At: now, Own: true}
		if ok {
			if err := history.AddCounts(ctx, tx, m, a.ID, &list); err != nil {
				return err
			}
		} else {
			list.Outcome, list.Message = res.Outcome, a.Message
		}
		pages = append(pages, list)
	}
	if res.changed && !ok { // It failed after some pages, whose rows are stored and counted.
		part := archive.Response{Source: history.OwnSource, Address: history.MemberAddress(m.Name) + "?site=" + a.Site,
			Viewer: m.Name, At: now, Own: true}
		if err := history.AddCounts(ctx, tx, m, a.ID, &part); err != nil {
			return err
		}
		pages = append(pages, part)
	}
	if res.changed || ok {
		own, err := history.MemberPages(ctx, tx, []int64{m.ID}, now)
		if err != nil {
			return err
		}
		pages = append(pages, own...)
	}
	if len(pages) == 0 {
		return nil
	}
	_, err := archive.StoreAll(ctx, tx, pages, now)
	return err
}

// sitePages are the site's pages beside the list.
func sitePages(m *members.Member, a *members.Account, res Result, now time.Time) (pages []archive.Response) {
	for _, p := range res.Pages {
		p.Source, p.Viewer, p.At, p.Message = a.Site, m.Name, now, pg.CleanText(p.Message)
		pages = append(pages, p)
	}
	if !res.RatingsRead || res.RatingsAddress == "" {
		return pages
	}
	ratings := ratingsPage(m, a, res, now)
	for i := range pages { // One address that shows both says itself what the rating is.
		if pages[i].Address == ratings.Address && pages[i].Shards["account_rating"] != nil {
			delete(ratings.Shards, "account_rating")
		}
	}
	return append(pages, ratings)
}

// ratingsPage is the page of rated contests, which shows all of them.
func ratingsPage(m *members.Member, a *members.Account, res Result, now time.Time) archive.Response {
	p := archive.Response{Source: a.Site, Address: res.RatingsAddress, Viewer: m.Name, At: now, Shards: map[string][]shards.Row{},
		Complete: map[string][]shards.Row{"account_contest": {{"site": a.Site, "handle": a.Handle}}}}
	best := 0
	for _, r := range res.Ratings {
		best = max(best, r.Rating)
	}
	byContest := map[string]shards.Row{}
	for _, r := range res.Ratings {
		if byContest[r.Contest] != nil {
			continue // A site's mistake; ratings stores the first, too.
		}
		row := shards.Row{"site": a.Site, "handle": a.Handle, "contest": pg.CleanText(r.Contest), "name": pg.CleanText(r.Name),
			"url": pg.CleanText(r.URL), "rank": r.Rank, "rating": r.Rating, "rated_at": r.At}
		byContest[r.Contest] = row
		p.Shards["account_contest"] = append(p.Shards["account_contest"], row)
	}
	if n := len(res.Ratings); n > 0 {
		p.Shards["account_rating"] = []shards.Row{{"site": a.Site, "handle": a.Handle, "rating": res.Ratings[n-1].Rating, "best": best}}
	}
	return p
}
