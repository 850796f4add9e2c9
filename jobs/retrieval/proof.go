package retrieval

import (
	"context"
	"errors"
	"time"

	"laurel/jobs/pass"
	"laurel/jobs/sites"
	"laurel/models/accounts"
	"laurel/models/retrieval"
)

// proofLease outlasts a page, also where the site's slot must be waited for.
const proofLease = 2 * time.Minute

// CheckProofs looks for the codes that people wrote into their profiles on a site, one request for the page each.
func (r *Jobs) CheckProofs(ctx context.Context, site sites.Site) error {
	return pass.UntilIdle(ctx, func() (bool, error) {
		p, ok, err := accounts.ClaimProof(ctx, r.DB.DB, site.Info().Name, r.Now().Add(proofLease), r.Now())
		if err != nil || !ok {
			return false, err
		}
		found, message := r.checkProof(ctx, site, &p)
		if ctx.Err() != nil {
			return false, ctx.Err() // No answer: the next process asks when the lease ends.
		}
		if found {
			return true, accounts.Prove(ctx, r.DB.DB, &p, site.Info().Title, r.Now())
		}
		return true, accounts.FailProof(ctx, r.DB.DB, &p, message)
	})
}

// checkProof says whether the code is there, or why that is not known.
func (r *Jobs) checkProof(ctx context.Context, site sites.Site, p *accounts.Proof) (found bool, message string) {
	info := site.Info()
	get := r.fetcher(info)
	get.urgent = true
	found, err := sites.Proves(ctx, get, site, sites.Account{Handle: p.Handle, Now: r.Now}, p.Code)
	switch {
	case errors.Is(err, sites.ErrNoHandle):
		return false, info.Title + " has no " + p.Handle + "."
	case err != nil:
		var res retrieval.Result
		r.apply(ctx, err, &res, "a proof of "+p.Handle)
		r.Log.InfoContext(ctx, "a handle could not be proved", "site", info.Name, "handle", p.Handle, "outcome", res.Outcome,
			"why", res.Message)
		return false, info.Title + " did not answer as it should. Try again in a few minutes."
	case !found:
		return false, "The code is not on the profile of " + p.Handle + " yet. Save it there, and check again."
	}
	return true, ""
}
