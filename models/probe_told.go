package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	pg "laurel/models/db"
)

// What a site shows of the accounts themselves when it is asked about many, as far
// as it does: it stands for their own pages, and tells whose ratings changed.
type ProbeTold struct {
	Rated   []int64 // Accounts whose ratings the answer showed,
	Ratings []*int  // and what they are now; nil: none.
	Shown   []int64 // Accounts that Page is about.
	Page    *archive.Response
}

// keepRatings keeps what was told of ratings. Where it is the newest rating that is
// stored, the list of ratings is known to be as it is; where it is another one, and
// was not told before, the next look is a real one, and comes within so long, with that for the
// verdicts of the round. Who is looked at is left alone.
func (t *ProbeTold) keepRatings(ctx context.Context, tx *gorm.DB, began time.Time, within time.Duration, now time.Time) error {
	if len(t.Rated) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		WITH told AS MATERIALIZED (
			SELECT g.id, g.rating, g.rating IS NOT DISTINCT FROM r.rating AS known, g.rating IS DISTINCT FROM r.rating AND g.rating IS DISTINCT FROM o.rating_told AS news
			FROM unnest(CAST(@ids AS bigint[]), CAST(@ratings AS integer[])) AS g(id, rating) JOIN accounts o ON o.id = g.id
			LEFT JOIN LATERAL (SELECT rating FROM ratings WHERE account_id = g.id ORDER BY rated_at DESC, contest DESC LIMIT 1) r ON true)
		UPDATE accounts a SET rating_told = t.rating, ratings_known_at = CASE WHEN t.known THEN CAST(@began AS timestamptz) END,
			look_wanted = a.look_wanted OR t.news, due_at = CASE WHEN t.news THEN least(a.due_at, CAST(@soon AS timestamptz)) ELSE a.due_at END
		FROM told t WHERE a.id = t.id AND (a.leased_until IS NULL OR a.leased_until <= @now)`,
		pg.Named("ids", &t.Rated, "ratings", &t.Ratings, "began", began, "now", now, "soon", now.Add(within))).Error
	if err != nil {
		return fmt.Errorf("ratings told: %w", err)
	}
	return nil
}

// keepPage archives what the accounts' own pages would have shown, as one page.
func (t *ProbeTold) keepPage(ctx context.Context, tx *gorm.DB, site string, now time.Time) error {
	if t.Page == nil || len(t.Shown) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`UPDATE accounts SET profile_at = greatest(profile_at, CAST(@now AS timestamptz)) WHERE id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &t.Shown, "now", now)).Error
	if err != nil {
		return fmt.Errorf("own pages: %w", err)
	}
	page := *t.Page
	page.Source, page.At = site, now
	_, err = archive.Store(ctx, tx, page, now)
	return err
}
