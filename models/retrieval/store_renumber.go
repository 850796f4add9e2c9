package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/submissions"
)

// renumber gives submissions that were stored without the site's number the one
// that it shows now, so that they do not come a second time. An event's item is
// named by the number, so the former one goes.
func renumber(ctx context.Context, tx *gorm.DB, account int64, rows string, now time.Time) error {
	var found struct{ IDs, Numbers string }
	err := tx.WithContext(ctx).Raw(queries.Must("numbered"), pg.Named("rows", rows, "account", account)).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("numbers of submissions: %w", err)
	}
	if found.IDs == "" {
		return nil
	}
	if err := submissions.EmitDeleted(ctx, tx, found.IDs, now); err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(`
		UPDATE submissions s SET site_id = n.number FROM jsonb_to_recordset(CAST(@numbers AS jsonb)) AS n(id bigint, number text)
		WHERE s.account_id = @account AND s.id = n.id`, pg.Named("numbers", found.Numbers, "account", account)).Error
	if err != nil {
		return fmt.Errorf("numbers of submissions: %w", err)
	}
	return nil
}
