package submissions

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Problem is one that some member met.
type Problem struct {
	ID        int64
	Site, Key string
	Name      string // "" until the site's catalogue was read.
	URL       string
}

// ProblemsAfter returns at most limit problems by site and key, those behind
// cursor, and the cursor to go on with: "" at the end. site filters where it is
// not "", and part by any part of name or key.
func ProblemsAfter(ctx context.Context, db *gorm.DB, site, part, cursor string, limit int) (problems []Problem, next string, err error) {
	after, err := pg.ParseListCursor(cursor, "problems", 2)
	if err != nil {
		return nil, "", err
	}
	q := gorm.G[Problem](db).Where("(site, key) > (?, ?)", after[0], after[1])
	if site != "" {
		q = q.Where("site = ?", pg.CleanText(site))
	}
	if part != "" {
		q = q.Where("(name ILIKE @part OR key ILIKE @part)", pg.Named("part", pg.Containing(part)))
	}
	problems, err = q.Order("site, key").Limit(limit + 1).Find(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("problems: %w", err)
	}
	if len(problems) > limit {
		problems = problems[:limit]
		next = pg.ListCursor("problems", problems[limit-1].Site, problems[limit-1].Key)
	}
	return problems, next, nil
}
