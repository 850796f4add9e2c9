package awards

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// MissingStarters returns the awards of the starter set that are not here.
func MissingStarters(ctx context.Context, db *gorm.DB) ([]rules.Award, error) {
	var slugs []string
	if err := db.WithContext(ctx).Raw(`SELECT slug FROM awards`).Scan(&slugs).Error; err != nil {
		return nil, fmt.Errorf("awards there are: %w", err)
	}
	return slices.DeleteFunc(rules.Starter(), func(a rules.Award) bool { return slices.Contains(slugs, a.Slug) }), nil
}

// FreeSlug is this address of an award, or the first one with a number behind it that no award has.
func FreeSlug(ctx context.Context, db *gorm.DB, slug string) (string, error) {
	var taken []string
	if err := db.WithContext(ctx).Raw(`SELECT slug FROM awards WHERE slug = @slug OR slug LIKE @slug || '-%'`, pg.Named("slug", slug)).
		Scan(&taken).Error; err != nil {
		return "", fmt.Errorf("addresses of awards: %w", err)
	}
	free := slug
	for n := 2; slices.Contains(taken, free); n++ {
		free = fmt.Sprintf("%s-%d", slug, n)
	}
	return free, nil
}

// InstallStarters writes the awards of the starter set that are not here, as
// drafts, and returns how many.
func InstallStarters(ctx context.Context, db *gorm.DB, author string, now time.Time) (int, error) {
	missing, err := MissingStarters(ctx, db)
	if err != nil {
		return 0, err
	}
	for i := range missing {
		if _, err := Save(ctx, db, missing[i], Edit{Author: author, Note: "from the starter set"}, now); err != nil {
			return i, err
		}
	}
	return len(missing), nil
}
