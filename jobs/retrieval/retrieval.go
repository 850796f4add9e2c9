// Package retrieval fetches the accounts of members on judge sites, and checks and
// follows the sites.
package retrieval

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"laurel/jobs/polite"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/retrieval"
)

// Jobs retrieve accounts.
type Jobs struct {
	DB     *pg.DB
	Now    func() time.Time
	Log    *slog.Logger
	Client *polite.Client
	Rule   retrieval.Rule
	Sites  []sites.Site
}

const (
	// leaseFor outlasts any one page; StorePage renews it with every page.
	leaseFor = 5 * time.Minute
	// Workers of a process for one site. A site is asked one request at a time
	// anyway, so more would only wait in line; a second one stores while the
	// first one waits. The asked-for have their own, so that they never wait for
	// a free one.
	dueWorkers, askedWorkers = 2, 3
)

// RetrieveAsked looks at every account of a site whose member pressed the
// button, or tells them at once that the site is not asked now.
func (r *Jobs) RetrieveAsked(ctx context.Context, site sites.Site) error {
	if err := retrieval.AnswerSuspended(ctx, r.DB.DB, site.Info().Name, r.Now()); err != nil {
		return err
	}
	return r.retrieveAll(ctx, site, askedWorkers, true, func(lease pg.Lease) ([]retrieval.Due, error) {
		return retrieval.ClaimAsked(ctx, r.DB.DB, site.Info().Name, lease, 1, r.Now())
	})
}

// RetrieveDue looks at every account of a site that is due, or at the one that is
// tried from time to time while the site's answers cannot be used.
func (r *Jobs) RetrieveDue(ctx context.Context, site sites.Site) error {
	return r.retrieveAll(ctx, site, dueWorkers, false, func(lease pg.Lease) ([]retrieval.Due, error) {
		due, err := retrieval.ClaimDue(ctx, r.DB.DB, site.Info().Name, lease, 1, r.Now())
		if err == nil && len(due) == 0 {
			return retrieval.ClaimTrial(ctx, r.DB.DB, site.Info().Name, lease, r.Now())
		}
		return due, err
	})
}

// retrieveAll lets workers claim and look until there is nothing to claim. One
// account is claimed at a time: what is claimed is being looked at.
func (r *Jobs) retrieveAll(ctx context.Context, site sites.Site, workers int, urgent bool, claim func(pg.Lease) ([]retrieval.Due, error)) error {
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				due, err := claim(pg.Lease{ID: uuid.NewString(), For: leaseFor})
				if err != nil || len(due) == 0 {
					errs[i] = err
					return
				}
				if err := r.Retrieve(ctx, site, &due[0], urgent); err != nil {
					errs[i] = err // The database does not answer: try with the next tick, not in a tight loop.
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Retrieve looks at one claimed account and stores what it finds: claim, fetch,
// store. An error is one of ours; what the site does wrong is an outcome.
func (r *Jobs) Retrieve(ctx context.Context, site sites.Site, d *retrieval.Due, urgent bool) error {
	l := &reading{r: r, site: site, due: d, urgent: urgent}
	err := l.read(ctx)
	if errors.Is(err, pg.ErrLeaseLost) {
		r.Log.WarnContext(ctx, "another worker has taken over", "account", d.String())
		return nil
	}
	if ctx.Err() != nil { // We are told to stop: somebody else may begin at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseLease(context.WithoutCancel(ctx), r.DB.DB, &d.Account))
	}
	res, ours := l.result(err)
	if ours != nil { // It settles as a failure, too, or the account would stand first in line for ever.
		r.Log.ErrorContext(ctx, "retrieval could not be stored", "account", d.String(), "err", ours)
		res.Outcome, res.Message = pg.OutcomeParseError, "what the site sent could not be stored; the log says why"
	}
	now, err := r.finish(ctx, site, d, res)
	if errors.Is(err, pg.ErrLeaseLost) {
		return nil
	}
	if err != nil {
		return err
	}
	r.Log.InfoContext(ctx, "looked", "site", d.Site, "handle", d.Handle, "outcome", res.Outcome, "new", l.inserted,
		"revised", l.revised, "requests", l.requests, "took", now.Sub(*d.StartedAt).Round(time.Millisecond), "why", res.Message)
	return nil
}

// finish settles the look, also when we are told to stop meanwhile: the work is
// done. What was read beside the submissions and cannot be stored is left out, or
// the account would be looked at for ever.
func (r *Jobs) finish(ctx context.Context, site sites.Site, d *retrieval.Due, res retrieval.Result) (time.Time, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	now, overlap := r.Now(), site.Info().Overlap
	err := retrieval.Finish(ctx, r.DB.DB, d, res, r.Rule, overlap, now)
	if err == nil || !res.RatingsRead && len(res.Pages) == 0 || errors.Is(err, pg.ErrLeaseLost) {
		return now, err
	}
	r.Log.ErrorContext(ctx, "what was read beside the submissions could not be stored", "account", d.String(), "err", err)
	res.Ratings, res.RatingsRead, res.Pages, res.ProfileRead = nil, false, nil, false
	res.Message = "what was read beside the submissions, such as ratings, could not be stored; the log says why"
	return now, retrieval.Finish(ctx, r.DB.DB, d, res, r.Rule, overlap, now)
}
