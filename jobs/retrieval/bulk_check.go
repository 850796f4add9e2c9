package retrieval

import (
	"context"
	"errors"
	"time"

	"laurel/jobs/pass"
	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

const (
	// BulkCheckEvery is how often accounts are looked for whose site should be asked
	// about them, all at once.
	BulkCheckEvery = time.Minute
	// probeAgain is when accounts are asked about again after a question that failed.
	probeAgain = 30 * time.Minute
)

// CheckInBulk asks a site about many accounts at once, as long as there are some of which
// it was not asked for a while. Those that may have something new are looked at
// next; for those that have nothing, that stands for a look.
func (r *Jobs) CheckInBulk(ctx context.Context, site sites.Site, prober sites.BulkChecker) error {
	return pass.UntilIdle(ctx, func() (bool, error) { return r.checkInBulkOnce(ctx, site, prober) })
}

func (r *Jobs) checkInBulkOnce(ctx context.Context, site sites.Site, prober sites.BulkChecker) (more bool, err error) {
	info, began, limit := site.Info(), r.Now(), sites.BulkAtMost
	if b, ok := prober.(sites.Batcher); ok {
		_, most := b.Batch()
		limit = 2 * most
	}
	accounts, err := retrieval.ClaimBulkCheck(ctx, r.DB.DB, info.Name, limit, began)
	if err != nil || len(accounts) == 0 {
		return false, err
	}
	probed := make([]sites.BulkAccount, len(accounts))
	for i := range accounts {
		probed[i] = sites.BulkAccount{Handle: accounts[i].Handle, Since: accounts[i].KnownUntil()}
		if at := accounts[i].NewestAt; at != nil {
			probed[i].Newest = *at
		}
	}
	get := r.fetcher(info)
	found, batch, err := r.checkAllInBulk(ctx, get, prober, probed)
	p := retrieval.BulkCheck{Batch: batch, Site: info.Name, Began: began, Overlap: info.Overlap, Requests: get.requests, Outcome: pg.OutcomeOK}
	for i, f := range found {
		switch f {
		case sites.Quiet:
			p.Quiet = append(p.Quiet, accounts[i].ID)
		case sites.News, sites.Unknown:
			p.News = append(p.News, accounts[i].ID)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return false, errors.Join(ctx.Err(), retrieval.AskAgain(context.WithoutCancel(ctx), r.DB.DB, unsaid(accounts, nil), began.Add(-retrieval.BulkEvery)))
		}
		res := retrieval.Result{}
		if ours := explain(err, &res); ours != nil {
			return false, ours
		}
		p.Outcome, p.Message = res.Outcome, res.Message
		if err := retrieval.AskAgain(ctx, r.DB.DB, unsaid(accounts, found), began.Add(probeAgain-retrieval.BulkEvery)); err != nil {
			return false, err
		}
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	stands, err := retrieval.FinishBulkCheck(final, r.DB.DB, p, r.Rule, r.Now())
	r.Log.InfoContext(ctx, "probed", "site", info.Name, "accounts", len(accounts), "quiet", len(p.Quiet), "news", len(p.News), "instead of looks", stands, "requests", p.Requests, "outcome", p.Outcome, "why", p.Message)
	return err == nil && p.Outcome == pg.OutcomeOK, err
}

// unsaid are the accounts of which nothing was found.
func unsaid(accounts []members.Account, found []sites.Finding) (ids []int64) {
	for i := range accounts {
		if i >= len(found) || found[i] == sites.Unsaid {
			ids = append(ids, accounts[i].ID)
		}
	}
	return ids
}

// checkAllInBulk asks about all, where the site is a Batcher in questions that it takes: one
// that is too large is halved, and the size rises again slowly. The size is kept.
func (r *Jobs) checkAllInBulk(ctx context.Context, get *fetcher, prober sites.BulkChecker, probed []sites.BulkAccount) (found []sites.Finding, batch int, err error) {
	batcher, ok := prober.(sites.Batcher)
	if !ok {
		found, err = prober.BulkCheck(ctx, get, probed)
		return found, 0, err
	}
	first, most := batcher.Batch()
	if batch, err = retrieval.BatchOf(ctx, r.DB.DB, get.site.Name); err != nil {
		return nil, 0, &ownError{err}
	}
	if batch == 0 {
		batch = first
	}
	for len(found) < len(probed) {
		next := probed[len(found):]
		next = next[:min(len(next), batch)]
		some, err := prober.BulkCheck(ctx, get, next)
		switch {
		case errors.Is(err, sites.ErrTooMany) && len(next) > 1:
			batch = len(next) / 2
			continue
		case err != nil:
			return found, batch, err
		case len(next) == batch:
			batch = min(batch+1, most)
		}
		found = append(found, some...)
	}
	return found, batch, nil
}
