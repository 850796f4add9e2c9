package retrieval

import (
	"context"

	"laurel/models/retrieval"
)

// WatchSites opens and closes the alarms that follow from what was counted.
func (r *Jobs) WatchSites(ctx context.Context) error {
	return retrieval.WatchSites(ctx, r.DB.DB, r.Now())
}
