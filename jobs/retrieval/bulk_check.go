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

// CheckInBulk asks a site about many accounts at once, while some are to be checked. Those that may
// have something new are retrieved next; for the others it counts as a retrieval.
func (r *Jobs) CheckInBulk(ctx context.Context, site sites.Site, checker sites.BulkChecker) error {
	return pass.UntilIdle(ctx, func() (bool, error) { return r.checkInBulkOnce(ctx, site.Info(), checker) })
}

func (r *Jobs) checkInBulkOnce(ctx context.Context, site sites.Info, checker sites.BulkChecker) (more bool, err error) {
	began := r.Now()
	_, most := checker.Batch()
	accounts, err := retrieval.ClaimBulkCheck(ctx, r.DB.DB, site.Name, 2*most, began)
	if err != nil || len(accounts) == 0 {
		return false, err
	}
	question := make([]sites.BulkAccount, len(accounts))
	for i := range accounts {
		question[i] = sites.BulkAccount{Handle: accounts[i].Handle, Since: accounts[i].KnownUntil()}
		if at := accounts[i].NewestAt; at != nil {
			question[i].Newest = *at
		}
	}
	get := r.fetcher(site)
	found, batch, err := r.findInBulk(ctx, get, checker, question)
	c := retrieval.BulkCheck{Site: site.Name, Batch: batch, Began: began, Requests: get.requests, Outcome: pg.OutcomeOK}
	var unanswered []int64
	for i := range accounts {
		switch id := accounts[i].ID; {
		case ctx.Err() != nil, i >= len(found), found[i] == sites.Unanswered:
			unanswered = append(unanswered, id)
		case found[i] == sites.Quiet:
			c.Quiet = append(c.Quiet, id)
		default:
			c.News = append(c.News, id)
		}
	}
	final, cancel := toTheEnd(ctx)
	defer cancel()
	if err := r.keep(final, get, responses.Bulk, err, r.Now()); err != nil {
		return false, err
	}
	if ctx.Err() != nil { // The process stops: another may ask at once.
		return false, errors.Join(ctx.Err(), retrieval.ResetBulkCheck(final, r.DB.DB, unanswered, began.Add(-retrieval.CheckEvery)))
	}
	if err != nil {
		var res retrieval.Result
		if ours := explain(err, &res); ours != nil {
			return false, ours
		}
		c.Outcome, c.Message = res.Outcome, res.Message
		if err := retrieval.ResetBulkCheck(ctx, r.DB.DB, unanswered, began.Add(3*retrieval.Soonest-retrieval.CheckEvery)); err != nil {
			return false, err
		}
	}
	counted, err := retrieval.FinishBulkCheck(final, r.DB.DB, c, r.Rule, r.Now())
	r.Log.InfoContext(ctx, "checked in bulk", "site", site.Name, "accounts", len(accounts), "quiet", len(c.Quiet), "news", len(c.News),
		"counted as retrievals", counted, "requests", c.Requests, "outcome", c.Outcome, "why", c.Message)
	return err == nil && c.Outcome == pg.OutcomeOK, err
}

// findInBulk asks about all accounts, in batches that the site takes: one that is too large is halved,
// and the size rises again slowly.
func (r *Jobs) findInBulk(ctx context.Context, get *fetcher, checker sites.BulkChecker, accounts []sites.BulkAccount) (
	found []sites.Finding, batch int, err error) {
	first, most := checker.Batch()
	if batch, err = retrieval.BatchOf(ctx, r.DB.DB, get.site.Name); err != nil {
		return nil, 0, &ownError{err}
	}
	if batch == 0 {
		batch = first
	}
	for len(found) < len(accounts) {
		next := accounts[len(found):]
		next = next[:min(len(next), batch)]
		some, err := checker.BulkCheck(ctx, get, next)
		if errors.Is(err, sites.ErrTooMany) && len(next) > 1 {
			batch = len(next) / 2
			continue
		}
		if found = append(found, some...); err != nil {
			return found, batch, err
		}
		if len(next) == batch {
			batch = min(batch+1, most)
		}
	}
	return found, batch, nil
}
