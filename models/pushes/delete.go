package pushes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// Brought is how much a member brought to a site.
type Brought struct {
	Site     string
	N        int
	PushedAt *time.Time
}

// BroughtBy returns what a member brought, by site.
func BroughtBy(ctx context.Context, db *gorm.DB, memberID int64) ([]Brought, error) {
	var list []Brought
	err := db.WithContext(ctx).Raw(`
		SELECT a.site, count(*) AS n, a.pushed_at FROM submissions s JOIN accounts a ON a.id = s.account_id
		WHERE a.member_id = @member AND s.source = 'member' GROUP BY a.id ORDER BY a.site`, pg.Named("member", memberID)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("brought by member %d: %w", memberID, err)
	}
	return list, nil
}

// Delete removes what a member brought to a site, all of it or one submission by its id, and
// returns how many went. What the site showed stays.
func Delete(ctx context.Context, db *gorm.DB, memberID int64, site, id string, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, memberID)
		if err != nil {
			return err
		}
		a, err := gorm.G[members.Account](tx).Where("member_id = ? AND site = ?", memberID, pg.CleanText(site)).Take(ctx)
		if errors.Is(err, pg.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		var gone struct {
			N             int
			First         *time.Time
			IDs, Problems string
		}
		err = tx.Raw(`
			SELECT count(*) AS n, min(submitted_at) AS first, coalesce(CAST(json_agg(id) AS text), '[]') AS ids,
				coalesce(CAST(json_agg(DISTINCT problem_id) FILTER (WHERE status = 'AC') AS text), '[]') AS problems
			FROM (
				SELECT id, submitted_at, problem_id, status FROM submissions
				WHERE account_id = @account AND source = 'member' AND (@id = '' OR site_id = @id)
				FOR UPDATE) s`, pg.Named("account", a.ID, "id", pg.CleanText(id))).Scan(&gone).Error
		if n = gone.N; err != nil || n == 0 {
			return err
		}
		if err := submissions.EmitDeleted(ctx, tx, gone.IDs, now); err != nil {
			return err
		}
		err = tx.Exec(`DELETE FROM submissions WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint))`,
			pg.Named("ids", gone.IDs)).Error
		if err != nil {
			return err
		}
		if err := submissions.EmitFirstSolutions(ctx, tx, memberID, gone.Problems, now); err != nil {
			return err
		}
		return count(ctx, tx, &m, &a, gone.First, now)
	})
	if err != nil {
		return 0, fmt.Errorf("delete what member %d brought to %s: %w", memberID, site, err)
	}
	return n, nil
}
