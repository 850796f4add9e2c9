// Package retrieval fetches the accounts of members on judge sites, and watches the sites.
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
	Sites  []sites.Site // Those that are built in; see AllSites.
	Secret pg.Secret    // Opens the tokens of declared sites, and the keys of members.
}

// leaseFor is longer than any page takes; a lease is renewed with every page.
const leaseFor = 5 * time.Minute

func newLease() pg.Lease { return pg.Lease{ID: uuid.NewString(), For: leaseFor} }

// toTheEnd is the context in which finished work is stored, even if the process stops meanwhile.
func toTheEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
}

// RetrieveRequested retrieves every account of a site whose member pressed the button. If the site is
// not asked now, it ends the requests.
func (r *Jobs) RetrieveRequested(ctx context.Context, site sites.Site) error {
	if err := retrieval.EndSuspendedRequests(ctx, r.DB.DB, site.Info().Name, r.Now()); err != nil {
		return err
	}
	return r.retrieveAll(ctx, site, true, func() ([]retrieval.Due, error) {
		return retrieval.ClaimRequested(ctx, r.DB.DB, site.Info().Name, newLease(), 1, r.Now())
	})
}

// RetrieveDue retrieves every account of a site that is due, or the one that is tried while the circuit
// is open.
func (r *Jobs) RetrieveDue(ctx context.Context, site sites.Site) error {
	return r.retrieveAll(ctx, site, false, func() ([]retrieval.Due, error) {
		due, err := retrieval.ClaimDue(ctx, r.DB.DB, site.Info().Name, newLease(), 1, r.Now())
		if err == nil && len(due) == 0 {
			return retrieval.ClaimTrial(ctx, r.DB.DB, site.Info().Name, newLease(), r.Now())
		}
		return due, err
	})
}

// retrieveAll lets two workers claim and retrieve, one account at a time, until there is nothing to
// claim. One stores while the other waits for the site; more would only wait for its slot.
func (r *Jobs) retrieveAll(ctx context.Context, site sites.Site, urgent bool, claim func() ([]retrieval.Due, error)) error {
	var errs [2]error
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			for ctx.Err() == nil {
				due, err := claim()
				if err == nil && len(due) > 0 {
					err = r.Retrieve(ctx, site, &due[0], urgent)
				}
				if err != nil || len(due) == 0 { // After an error the next tick goes on.
					errs[i] = err
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs[:]...)
}

// Retrieve reads one claimed account and stores what it finds. It returns only errors of ours; a
// failure of the site is an outcome.
func (r *Jobs) Retrieve(ctx context.Context, site sites.Site, d *retrieval.Due, urgent bool) error {
	l := &reading{Jobs: r, site: site, due: d, get: r.fetcher(site.Info()), rec: r.recorder(site.Info(), d)}
	l.get.urgent = urgent
	err := l.read(ctx)
	if errors.Is(err, errReplaced) {
		return nil
	}
	if errors.Is(err, pg.ErrLeaseLost) {
		r.Log.WarnContext(ctx, "another worker has taken over", "account", d.String())
		return nil
	}
	if ctx.Err() != nil { // The process stops: another may begin at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseLease(context.WithoutCancel(ctx), r.DB.DB, &d.Account))
	}
	if passes(err) { // The lease runs out, and the rest is read again: see finish.
		return err
	}
	res := l.result(ctx, err)
	res.Fetch, res.Answers = l.rec.fetch, l.get.answers.Take()
	now, err := r.finish(ctx, site, d, res)
	if err != nil {
		if errors.Is(err, pg.ErrLeaseLost) {
			return nil
		}
		return err
	}
	r.Log.InfoContext(ctx, "retrieved", "site", d.Site, "handle", d.Handle, "outcome", res.Outcome, "new", l.rec.inserted,
		"revised", l.rec.revised, "requests", res.Requests, "took", now.Sub(*d.StartedAt).Round(time.Millisecond), "why", res.Message)
	return nil
}

// storeTries is how often storing a page or a result is tried: the database may be slow, or a lock be held.
const storeTries = 4

// finish stores the result. If ratings or pages are such that they cannot be stored, it leaves them
// out, or the account would be retrieved forever. After any other error, repeated, nothing is stored,
// the lease runs out and all is read again: nothing is dropped because the database was slow.
func (r *Jobs) finish(ctx context.Context, site sites.Site, d *retrieval.Due, res retrieval.Result) (now time.Time, err error) {
	for range storeTries {
		now, err = r.finishOnce(ctx, site, d, res)
		if err == nil || errors.Is(err, pg.ErrLeaseLost) || pg.IsDataError(err) && !pg.IsRetry(err) {
			break
		}
	}
	if err == nil || !res.RatingsRead && len(res.Pages) == 0 || !pg.IsDataError(err) {
		return now, err
	}
	r.Log.ErrorContext(ctx, "what was read beside the submissions could not be stored", "account", d.String(), "err", err)
	res.Ratings, res.RatingsRead, res.Pages, res.ProfileRead = nil, false, nil, false
	res.Message = "what was read beside the submissions, such as ratings, could not be stored; the log says why"
	return r.finishOnce(ctx, site, d, res)
}

func (r *Jobs) finishOnce(ctx context.Context, site sites.Site, d *retrieval.Due, res retrieval.Result) (time.Time, error) {
	ctx, cancel := toTheEnd(ctx)
	defer cancel()
	now, rule := r.Now(), r.Rule
	rule.Overlap = site.Info().Overlap
	return now, retrieval.Finish(ctx, r.DB.DB, d, res, rule, now)
}
