// Package archive adds Laurel's own rankings to the archive, and checks that nothing in it is lost.
package archive

import (
	"context"
	"log/slog"
	"time"

	pg "laurel/models/db"
	"laurel/models/history"
)

// Jobs look after the archive.
type Jobs struct {
	DB  *pg.DB
	Now func() time.Time
	Log *slog.Logger
	// Windows are the sampling windows of shards, by name: of each, the log keeps
	// at most two retrievals that showed the same.
	Windows map[string]time.Duration
}

// StoreRankings stores Laurel's own rankings, as it does those of the sites.
func (j *Jobs) StoreRankings(ctx context.Context) error {
	return history.ArchiveLeaderboards(ctx, j.DB.DB, j.Now())
}

// Check proves once in 24 hours that nothing of what is new in the archive is lost, and nothing
// of a slice of all, but for retrievals that the sampling windows leave out.
func (j *Jobs) Check(ctx context.Context) error {
	c, err := history.Nightly(ctx, j.DB.DB, j.Windows, j.Now())
	if c == nil {
		return err
	}
	level := j.Log.InfoContext
	if c.Total > 0 {
		level = j.Log.ErrorContext
	}
	level(ctx, "archive checked", "rows", c.Rows, "retrievals", c.Retrievals, "seconds", c.Took, "findings", c.Total, "checked", c.Part)
	return err
}
