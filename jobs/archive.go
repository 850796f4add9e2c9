package jobs

import (
	"context"

	"laurel/models"
)

// ArchiveLeaderboards looks at Laurel's own ladders, as it does at those of others.
func (r *Runner) ArchiveLeaderboards(ctx context.Context) error {
	return models.ArchiveLeaderboards(ctx, r.DB.DB, r.Now())
}

// CheckArchive proves once in 24 hours that nothing in the archive is lost, but
// for looks that the sampling windows leave out.
func (r *Runner) CheckArchive(ctx context.Context) error {
	c, err := models.Nightly(ctx, r.DB.DB, r.Windows, r.Now())
	if c == nil {
		return err
	}
	level := r.Log.InfoContext
	if len(c.Findings) > 0 {
		level = r.Log.ErrorContext
	}
	level(ctx, "archive checked", "rows", c.Rows, "retrievals", c.Retrievals, "seconds", c.Took, "findings", len(c.Findings))
	return err
}
