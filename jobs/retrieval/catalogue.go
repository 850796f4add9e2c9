package retrieval

import (
	"context"
	"errors"
	"fmt"

	"laurel/jobs/sites"
	"laurel/models/submissions"
)

// NameProblems reads the catalogue of each site that has problems without a name, at most once an
// hour.
func (r *Jobs) NameProblems(ctx context.Context) error {
	all, err := r.AllSites(ctx)
	errs := []error{err}
	for _, site := range all {
		if c, ok := site.(sites.Catalogue); ok {
			errs = append(errs, r.nameProblems(ctx, site.Info(), c))
		}
	}
	return errors.Join(errs...)
}

func (r *Jobs) nameProblems(ctx context.Context, info sites.Info, c sites.Catalogue) error {
	claimed, err := submissions.ClaimCatalogue(ctx, r.DB.DB, info.Name, r.Now())
	if err != nil || !claimed {
		return err
	}
	problems, err := c.Problems(ctx, r.fetcher(info))
	if err != nil {
		return fmt.Errorf("catalogue of %s: %w", info.Name, err)
	}
	found := make([]submissions.ProblemFound, len(problems))
	for i, p := range problems {
		found[i] = submissions.ProblemFound(p)
	}
	n, err := submissions.NameProblems(ctx, r.DB.DB, info.Name, found)
	if err != nil {
		return err
	}
	r.Log.InfoContext(ctx, "problems named", "site", info.Name, "new", n)
	return nil
}
