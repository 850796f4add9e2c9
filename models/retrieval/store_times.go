package retrieval

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// restoreTimes puts the time that is stored into rows whose own is only about right. The first
// guess is the best one, for times like "2 hours ago" get coarser as time goes on; what
// tells the minute, at last, replaces it.
func restoreTimes(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found) error {
	var about []string
	for i := range rows {
		if rows[i].About {
			about = append(about, rows[i].ID)
		}
	}
	if len(about) == 0 {
		return nil
	}
	var stored []submissions.Submission
	err := tx.WithContext(ctx).Raw(`
		SELECT site_id, submitted_at, to_minute FROM submissions WHERE account_id = @account AND site_id = ANY(CAST(@ids AS text[]))`,
		pg.Named("account", a.ID, "ids", &about)).Scan(&stored).Error
	if err != nil {
		return fmt.Errorf("times of submissions: %w", err)
	}
	known := map[string]*submissions.Submission{}
	for i := range stored {
		known[stored[i].SiteID] = &stored[i]
	}
	for i := range rows {
		if s := known[rows[i].ID]; s != nil && rows[i].About {
			rows[i].At, rows[i].ToMinute = s.SubmittedAt, s.ToMinute
		}
	}
	return nil
}
