package profiles

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// SitemapNames is how many profiles a sitemap has at most: the format's own limit.
const SitemapNames = 50_000

// Sitemaps is how many sitemaps the public profiles fill, at least 1.
func Sitemaps(ctx context.Context, db *gorm.DB) (n int, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT greatest(1, ceil(count(*) / CAST(@most AS numeric))) FROM members
		WHERE visible_to(@asking, id, audience)`,
		pg.Named("most", SitemapNames, "asking", members.Asking(ctx))).Row().Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("sitemaps: %w", err)
	}
	return n, nil
}

// SitemapPage is the names of the public profiles in a sitemap, counted from 1.
func SitemapPage(ctx context.Context, db *gorm.DB, page int) (names []string, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT name FROM members WHERE visible_to(@asking, id, audience) ORDER BY id LIMIT @most OFFSET @before`,
		pg.Named("most", SitemapNames, "before", (page-1)*SitemapNames, "asking", members.Asking(ctx))).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("sitemap %d: %w", page, err)
	}
	return names, nil
}
