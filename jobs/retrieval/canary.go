package retrieval

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"laurel/jobs/pass"
	"laurel/jobs/polite"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/retrieval"
)

// CanaryEvery is how often canaries are looked for that are due.
const CanaryEvery = time.Minute

// ReadCanaries reads every canary of a site that is due, whole, and compares it
// with what is known of it.
func (r *Jobs) ReadCanaries(ctx context.Context, site sites.Site) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		due, err := retrieval.ClaimCanary(ctx, r.DB.DB, site.Info().Name, pg.Lease{ID: uuid.NewString(), For: leaseFor}, r.Now())
		if err != nil || len(due) == 0 {
			return false, err
		}
		return true, r.readCanary(ctx, site, &due[0])
	})
}

func (r *Jobs) readCanary(ctx context.Context, site sites.Site, c *retrieval.Canary) error {
	res := retrieval.Result{Outcome: pg.OutcomeOK}
	get := &canaryGetter{r: r, info: site.Info(), canary: c, requests: &res.Requests}
	list, err := canaryList(ctx, site, get)
	switch {
	case errors.Is(err, pg.ErrLeaseLost): // It was removed, or is read by another.
		return nil
	case ctx.Err() != nil: // We are told to stop: somebody else may begin at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseCanary(context.WithoutCancel(ctx), r.DB.DB, c))
	case err != nil:
		if ours := explain(err, &res); ours != nil {
			if _, own := errors.AsType[*ownError](ours); own { // It is read again when its lease has ended.
				return ours
			}
			r.Log.ErrorContext(ctx, "canary could not be read", "site", c.Site, "handle", c.Handle, "err", ours)
			res.Outcome, res.Message = pg.OutcomeParseError, "what the site sent could not be used; the log says why"
		}
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	err = retrieval.FinishCanary(final, r.DB.DB, c, res, list, r.Rule.Rate, r.Now())
	r.Log.InfoContext(ctx, "canary read", "site", c.Site, "handle", c.Handle, "outcome", c.Outcome, "rows", len(list.Rows), "requests", res.Requests, "why", c.Message)
	return err
}

// canaryList reads all that the site lists of the handle. Nothing of it is stored:
// nobody here is meant.
func canaryList(ctx context.Context, site sites.Site, get *canaryGetter) (list retrieval.CanaryList, err error) {
	a := sites.Account{Handle: get.canary.Handle, Now: get.r.Now, Report: func(told sites.Reported) { list.Total, list.Oldest = told.Total, told.Oldest }}
	if resolver, ok := site.(sites.Resolver); ok {
		if a.Key, err = resolver.Resolve(ctx, get, a.Handle); err != nil {
			return list, err
		}
	}
	for s, err := range site.Submissions(ctx, get, a) {
		if err != nil {
			return list, err
		}
		list.Rows = append(list.Rows, retrieval.KnownRow{ID: s.ID, Formerly: s.Formerly, At: s.At, Status: s.Status})
	}
	return list, nil
}

// A canaryGetter is the Getter of a look at a canary: it keeps the lease while
// pages come, and counts what was asked.
type canaryGetter struct {
	r        *Jobs
	info     sites.Info
	canary   *retrieval.Canary
	requests *int
	landed   string
}

// Get implements sites.Getter.
func (g *canaryGetter) Get(ctx context.Context, address string) (sites.Page, error) {
	page, _, err := g.Ask(ctx, sites.Request{Address: address})
	return page, err
}

// Ask implements sites.Asker.
func (g *canaryGetter) Ask(ctx context.Context, r sites.Request) (sites.Page, sites.Header, error) {
	if err := retrieval.HoldCanary(ctx, g.r.DB.DB, g.canary, g.r.Now().Add(leaseFor)); err != nil {
		return sites.Page{}, nil, &ownError{err}
	}
	*g.requests++
	page, err := g.r.Client.Get(ctx, polite.Request{Address: r.Address, Source: g.info.Name, Gap: g.info.Gap, Header: r.Header, Body: r.Body})
	if e, ok := errors.AsType[*polite.Error](err); ok && e.NotSent {
		*g.requests--
	}
	g.landed = page.Address
	return sites.Page{Status: page.Status, Body: page.Body}, sites.Header(page.Header), err
}

// Landed implements sites.Follower.
func (g *canaryGetter) Landed() string { return g.landed }
