package retrieval

import (
	"context"
	"errors"
	"time"

	"laurel/jobs/sites"
	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// What is read beside the submissions. A failure here does not make the
// submissions incomplete; it is tried again with the next look.

// asideOften is how often ratings are read at most, unless somebody waits for them.
const asideOften = 20 * time.Hour

// ratedWithin is how long after a contest its ratings may still come or change.
const ratedWithin = 3 * 24 * time.Hour

// An account's own page is read once a day while there is news of the account,
// and once a week without: the archive has its numbers, and nobody waits for them.
const (
	profileWithNews = asideOften
	profileWithout  = 7 * 24 * time.Hour
)

// newestKnown is the newest submission known of the account.
func (l *reading) newestKnown() time.Time {
	if l.due.NewestAt != nil && l.due.NewestAt.After(l.newest) {
		return *l.due.NewestAt
	}
	return l.newest
}

// readRatings reads ratings where they can have changed.
func (l *reading) readRatings(ctx context.Context, a sites.Account) error {
	if !l.ratingsDue(l.r.Now()) {
		return nil
	}
	l.fetched = ""
	ratings, err := l.site.Ratings(ctx, l, a)
	if err != nil {
		return l.failedAside(ctx, "ratings", err)
	}
	l.ratings, l.rated, l.ratedFrom = ratings, true, l.fetched
	return nil
}

// ratingsDue says whether ratings may have changed: never read, or last read less
// than ratedWithin after the newest submission; and where nobody waits, not for a day.
func (l *reading) ratingsDue(now time.Time) bool {
	at := l.due.RatingsAt
	return at == nil || !at.After(l.newestKnown().Add(ratedWithin)) && (l.urgent || !at.After(now.Add(-asideOften)))
}

// readProfile reads the account's own page where the site has one.
func (l *reading) readProfile(ctx context.Context, a sites.Account) error {
	site, ok := l.site.(sites.Profiler)
	if !ok || !profileDue(&l.due.Account, l.newestKnown(), l.r.Now()) {
		return nil
	}
	l.fetched = ""
	p, err := site.Profile(ctx, l, a)
	if err != nil {
		return l.failedAside(ctx, "the profile", err)
	}
	l.pages = append(l.pages, archive.Response{Address: l.fetched, Shards: views(l.due.Site, l.due.Handle, p)})
	l.profiled = true
	return nil
}

// profileDue says whether an account's own page is to be read, by the newest submission
// that is known of it.
func profileDue(a *members.Account, newest, now time.Time) bool {
	wait := profileWithout
	if newest.After(now.Add(-ratedWithin)) {
		wait = profileWithNews
	}
	return a.ProfileAt == nil || a.ProfileAt.Before(now.Add(-wait))
}

// failedAside notes what could not be read, with its page where one was asked.
func (l *reading) failedAside(ctx context.Context, what string, err error) error {
	if own, ok := errors.AsType[*ownError](err); ok {
		return own
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.aside = what + " could not be read: " + err.Error()
	res := retrieval.Result{Outcome: pg.OutcomeParseError}
	_ = explain(err, &res) // What it does not know is not understood, like any other page.
	if l.fetched != "" {
		l.pages = append(l.pages, archive.Response{Address: l.fetched, Outcome: res.Outcome, Message: res.Message})
	}
	return nil
}

// views are the groups of a page as rows, by shard. What it does not show is not there.
func views(site, handle string, p sites.Profile) map[string][]archive.Row {
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

// listAddress is how the archive calls the account's list of submissions.
func (l *reading) listAddress() string {
	info := l.site.Info()
	a := sites.Account{Handle: l.due.Handle, Key: l.due.SiteKey}
	_, numbered := l.site.(sites.Resolver)
	switch {
	case info.List != nil && (!numbered || a.Key != ""):
		return info.List(a)
	case info.Profile != nil:
		return info.Profile(a.Handle)
	}
	return info.Home
}
