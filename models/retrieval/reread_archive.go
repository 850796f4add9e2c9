package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/members"
)

// supersede stores what today's reader makes of ratings, each as the response that supersedes the one that
// was archived when they came, and says how many say something else now. What was not archived then is
// not now.
func supersede(ctx context.Context, tx *gorm.DB, m *members.Member, a *members.Account, ratings []Rereading,
	now time.Time) (n int, err error) {
	var pages []archive.Response
	for _, r := range ratings {
		if r.RatingsAddress == "" {
			continue
		}
		then := *a
		then.Handle = r.Handle
		page := ratingsPage(m, &then, Result{Ratings: r.Ratings, RatingsAddress: r.RatingsAddress}, r.At)
		ids, err := archive.Shown(ctx, tx, &page)
		if err != nil {
			return 0, err
		}
		if len(ids) == 1 { // Of more, nobody knows which is read again.
			page.Supersedes = ids[0]
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		return 0, nil
	}
	results, err := archive.StoreAll(ctx, tx, pages, now)
	if err != nil {
		return 0, fmt.Errorf("supersede what was archived: %w", err)
	}
	for _, r := range results {
		if !r.Replayed {
			n++
		}
	}
	return n, nil
}
