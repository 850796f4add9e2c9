package retrieval

import (
	"context"
	"errors"

	"laurel/jobs/pass"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/responses"
	"laurel/models/retrieval"
)

// ReadCanaries reads every canary of a site that is due completely, and compares it with what is
// known of it.
func (r *Jobs) ReadCanaries(ctx context.Context, site sites.Site) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		due, err := retrieval.ClaimCanary(ctx, r.DB.DB, site.Info().Name, newLease(), r.Now())
		if err != nil || len(due) == 0 {
			return false, err
		}
		return true, r.readCanary(ctx, site, &due[0])
	})
}

func (r *Jobs) readCanary(ctx context.Context, site sites.Site, c *retrieval.Canary) error {
	get := r.fetcher(site.Info())
	list, err := r.canaryList(ctx, site, get, c)
	res := retrieval.Result{Outcome: pg.OutcomeOK, Requests: get.requests}
	switch _, own := errors.AsType[*ownError](err); {
	case errors.Is(err, pg.ErrLeaseLost): // It was removed, or another process reads it.
		return nil
	case ctx.Err() != nil: // The process stops: another may begin at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseCanary(context.WithoutCancel(ctx), r.DB.DB, c))
	case own: // It is read again when its lease has ended.
		return err
	case err != nil:
		r.apply(ctx, err, &res, "canary "+c.Handle+" on "+c.Site)
	}
	final, cancel := toTheEnd(ctx)
	defer cancel()
	if err := r.keep(final, get, responses.Canary, err, r.Now()); err != nil {
		return err
	}
	err = retrieval.FinishCanary(final, r.DB.DB, c, retrieval.CanaryRead{Result: res, List: list}, r.Rule.Rate, r.Now())
	r.Log.InfoContext(ctx, "canary read", "site", c.Site, "handle", c.Handle, "outcome", c.Outcome,
		"rows", len(list.Rows), "requests", res.Requests, "why", c.Message)
	return err
}

// canaryList reads all that the site lists of the handle, and renews the lease with every page. It
// stores nothing: the handle is no member's.
func (r *Jobs) canaryList(ctx context.Context, site sites.Site, get *fetcher, c *retrieval.Canary) (list retrieval.CanaryList, err error) {
	a := sites.Account{Handle: c.Handle, Now: r.Now}
	if resolver, ok := site.(sites.Resolver); ok {
		if a.Key, err = resolver.Resolve(ctx, get, a.Handle); err != nil {
			return list, err
		}
	}
	for p, err := range site.Submissions(ctx, get, a) {
		if err != nil {
			return list, err
		}
		if p.Reported != nil {
			list.Total, list.Oldest = p.Reported.Total, p.Reported.Oldest
		}
		for i := range p.Rows {
			s := &p.Rows[i]
			list.Rows = append(list.Rows, retrieval.KnownRow{ID: s.ID, Formerly: s.Formerly, At: s.At, Status: s.Status})
		}
		if err := r.keep(ctx, get, responses.Canary, nil, r.Now()); err != nil {
			return list, &ownError{err}
		}
		if err := retrieval.RenewCanary(ctx, r.DB.DB, c, r.Now().Add(leaseFor)); err != nil {
			return list, &ownError{err}
		}
	}
	return list, nil
}
