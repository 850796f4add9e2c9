package retrieval

import (
	"context"
	"errors"
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
)

// RetrieveMember requests the member's accounts (on one site, or on all with site "") and retrieves
// them side by side, except those that other processes are retrieving. It returns the accounts when
// all are done.
func (r *Jobs) RetrieveMember(ctx context.Context, memberID int64, site string, again bool) ([]members.Account, error) {
	asked := r.Now()
	if again {
		if err := retrieval.ReadWhole(ctx, r.DB.DB, memberID, site, asked); err != nil {
			return nil, err
		}
	}
	if err := retrieval.RequestAccounts(ctx, r.DB.DB, memberID, site, asked); err != nil {
		return nil, err
	}
	for {
		due, err := retrieval.ClaimMember(ctx, r.DB.DB, memberID, newLease(), r.Now())
		if err != nil {
			return nil, err
		}
		errs := make(chan error, len(due))
		for i := range due {
			go func() { errs <- r.retrieveClaimed(ctx, &due[i]) }()
		}
		for range due {
			err = errors.Join(err, <-errs)
		}
		if err != nil {
			return nil, err
		}
		accounts, waiting, err := retrieval.RequestedAccounts(ctx, r.DB.DB, memberID, site, asked)
		if err != nil || !waiting {
			return accounts, err
		}
		select { // Another process retrieves the rest.
		case <-ctx.Done():
			return accounts, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (r *Jobs) retrieveClaimed(ctx context.Context, d *retrieval.Due) error {
	site, ok, err := r.SiteNamed(ctx, d.Site)
	if err != nil {
		return err
	}
	if !ok { // Without an outcome the member would wait forever.
		res := retrieval.Result{Outcome: pg.OutcomeParseError, Message: "this release of Laurel cannot read " + d.Site}
		return retrieval.Finish(ctx, r.DB.DB, d, res, r.Rule, r.Now())
	}
	return r.Retrieve(ctx, site, d, true)
}
