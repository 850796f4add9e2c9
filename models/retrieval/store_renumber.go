package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/submissions"
)

// renumber gives submissions that were stored without the site's number the one
// that it shows now, so that they do not come a second time. An event's item is
// named by the number, so the former one goes.
func renumber(ctx context.Context, tx *gorm.DB, args map[string]any, now time.Time) error {
	const formerly = `found_submissions(CAST(@rows AS jsonb)) f
		WHERE s.account_id = @account AND f.formerly <> '' AND f.formerly <> f.id AND s.site_id = f.formerly
			AND NOT EXISTS (SELECT FROM submissions o WHERE o.account_id = @account AND o.site_id = f.id)`
	var ids string
	err := tx.WithContext(ctx).Raw(`
		SELECT coalesce(CAST(json_agg(s.id) AS text), '') FROM submissions s, `+formerly, args).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("numbers of submissions: %w", err)
	}
	if ids == "" {
		return nil
	}
	if err := submissions.EmitDeleted(ctx, tx, ids, now); err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`UPDATE submissions s SET site_id = f.id FROM `+formerly, args).Error; err != nil {
		return fmt.Errorf("numbers of submissions: %w", err)
	}
	return nil
}
