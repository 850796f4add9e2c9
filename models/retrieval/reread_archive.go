package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/members"
)

// better adds to pages what today's reader makes of the ratings, as the response that supersedes the one that
// was archived when they came. What was not archived then is not now.
func better(ctx context.Context, tx *gorm.DB, pages []archive.Response, m *members.Member, a *members.Account, r *Rereading) (
	[]archive.Response, error) {
	if r.RatingsAddress == "" {
		return pages, nil
	}
	then := *a
	then.Handle = r.Handle
	page := ratingsPage(m, &then, Result{Ratings: r.Ratings, RatingsAddress: r.RatingsAddress}, r.At)
	ids, err := archive.Shown(ctx, tx, &page)
	if err != nil || len(ids) != 1 { // Of more, nobody knows which is read again.
		return pages, err
	}
	page.Supersedes = ids[0]
	return append(pages, page), nil
}

// supersede stores the responses that are better than those that they supersede.
func supersede(ctx context.Context, tx *gorm.DB, pages []archive.Response, c *Changes, now time.Time) error {
	if len(pages) == 0 {
		return nil
	}
	results, err := archive.StoreAll(ctx, tx, pages, now)
	if err != nil {
		return fmt.Errorf("supersede what was archived: %w", err)
	}
	for _, r := range results {
		if !r.Replayed {
			c.Superseded++
		}
	}
	return nil
}
