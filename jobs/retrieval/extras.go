package retrieval

import (
	"context"
	"time"

	"laurel/jobs/sites"
	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// daily is how often is read what a site shows beside the submissions, at whatever hour
// the account is retrieved. It still changes for about three days after the newest one.
const daily = 20 * time.Hour

// readExtras reads the ratings and the account's own page, where they are due. A failure
// there does not make the submissions incomplete; it is tried again with the next
// retrieval, and a site that has just failed is not asked for more.
func (l *reading) readExtras(ctx context.Context, a sites.Account) error {
	if ratingsDue(&l.due.Account, l.rec.newest, l.Now(), l.get.urgent) {
		if err := l.readRatings(ctx, a); err != nil || l.rec.result.Message != "" {
			return err
		}
	}
	site, ok := l.site.(sites.Profiler)
	if !ok || !profileDue(&l.due.Account, l.rec.newest, l.Now()) {
		return nil
	}
	if err := l.store(ctx, sites.ListPage{Resume: l.due.Place}); err != nil { // Renews the lease.
		return err
	}
	l.get.page = ""
	p, err := site.Profile(ctx, l.get, a)
	if err != nil {
		return l.failed(ctx, "the profile", err)
	}
	l.rec.addPage(archive.Response{Address: l.get.page, Shards: profileRows(l.due.Site, l.due.Handle, p)})
	l.rec.result.ProfileRead = true
	return nil
}

// ratingsDue says whether ratings may have changed since they were read, and where nobody
// waits, whether that is a day ago.
func ratingsDue(a *members.Account, newest, now time.Time, urgent bool) bool {
	at := a.RatingsAt
	return at == nil || !at.After(newest.Add(3*daily)) && (urgent || !at.After(now.Add(-daily)))
}

// profileDue says whether the account's own page is to be read: once a day while there is
// news of the account, and once a week without. The archive has its numbers, and nobody
// waits for them.
func profileDue(a *members.Account, newest, now time.Time) bool {
	wait := 8 * daily
	if newest.After(now.Add(-3 * daily)) {
		wait = daily
	}
	return a.ProfileAt == nil || a.ProfileAt.Before(now.Add(-wait))
}

func (l *reading) readRatings(ctx context.Context, a sites.Account) error {
	l.get.page = ""
	ratings, err := l.site.Ratings(ctx, l.get, a)
	if err != nil {
		return l.failed(ctx, "ratings", err)
	}
	res := &l.rec.result
	for _, r := range ratings {
		res.Ratings = append(res.Ratings, submissions.RatingFound{Contest: r.Contest, Name: r.Name, URL: r.URL, Rank: r.Rank, Rating: r.Rating, At: r.At})
	}
	res.RatingsRead, res.RatingsAddress = true, l.get.page
	return nil
}

// failed notes what could not be read, with its page where one was asked.
func (l *reading) failed(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.rec.result.Message = what + " could not be read: " + err.Error()
	res := retrieval.Result{Outcome: pg.OutcomeParseError}
	_ = explain(err, &res) // What it does not know is not understood, like any other page.
	if l.get.page != "" {
		l.rec.addPage(archive.Response{Address: l.get.page, Outcome: res.Outcome, Message: res.Message})
	}
	return nil
}

func (c *recorder) addPage(p archive.Response) { c.result.Pages = append(c.result.Pages, p) }

// profileRows are the groups of a page as rows, by shard. What it does not show is not there.
func profileRows(site, handle string, p sites.Profile) map[string][]archive.Row {
	out := map[string][]archive.Row{}
	add := func(shard string, fields archive.Row) {
		fields["site"], fields["handle"] = site, handle
		out[shard] = []archive.Row{fields}
	}
	if v := p.Rating; v != nil {
		add("account_rating", archive.Row{"rating": orNull(v.Rating), "best": orNull(v.Best)})
	}
	if v := p.Rank; v != nil {
		add("account_rank", archive.Row{"rank": orNull(v.Rank)})
	}
	if v := p.Counts; v != nil {
		add("account_counts", archive.Row{"solved": orNull(v.Solved), "submitted": orNull(v.Submitted)})
	}
	if v := p.Name; v != nil {
		add("account_name", archive.Row{"name": orNull(v.Name)})
	}
	if v := p.Place; v != nil {
		add("account_place", archive.Row{"country": orNull(v.Country), "organisation": orNull(v.Organisation)})
	}
	if v := p.Title; v != nil {
		add("account_title", archive.Row{"title": orNull(v.Title)})
	}
	return out
}

// orNull is what a page shows in a field, or that it shows the field empty.
func orNull[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}
