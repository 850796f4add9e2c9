package retrieval

import (
	"context"
	"errors"

	"laurel/jobs/sites"
	"laurel/models/responses"
)

// A Probe is what one fetch of an account brought, for people who want to see what is read.
type Probe struct {
	Page       sites.ListPage // The first of the account's list.
	Ratings    []sites.Rating
	RatingsErr error
	Answers    []responses.Answer // All raw ones.
}

// Probe fetches the first page of an account's list and its ratings, and stores nothing. The
// error is the list's; what came before it is in the Probe.
func (r *Jobs) Probe(ctx context.Context, site sites.Site, handle string) (p Probe, err error) {
	f := r.fetcher(site.Info())
	f.urgent = true
	defer func() { p.Answers = f.answers.Take() }()
	a := sites.Account{Handle: handle, Now: r.Now}
	if resolver, ok := site.(sites.Resolver); ok {
		if a.Key, err = resolver.Resolve(ctx, f, handle); err != nil {
			return p, err
		}
	}
	for page, err := range site.Submissions(ctx, f, a) {
		if err != nil {
			return p, err
		}
		if p.Page = page; len(page.Rows)+len(page.Unread) > 0 {
			break
		}
	}
	p.Ratings, p.RatingsErr = site.Ratings(ctx, f, a)
	if p.RatingsErr != nil && ctx.Err() != nil {
		return p, errors.Join(ctx.Err(), p.RatingsErr)
	}
	return p, nil
}
