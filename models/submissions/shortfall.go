package submissions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Shortfall is what a site has counted of an account by day, beside what is stored of it.
type Shortfall struct {
	Stored      int
	Short       int        // Counted on days that have fewer rows.
	First, Last *time.Time // Such days, if any.
}

// MeasureShortfall reads the shortfall of an account. Without shown, none of its days is held to be short.
func MeasureShortfall(ctx context.Context, tx *gorm.DB, accountID int64, shown bool) (s Shortfall, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("shortfall"), pg.Named("shown", shown, "id", accountID)).Scan(&s).Error
	if err != nil {
		err = fmt.Errorf("shortfall: %w", err)
	}
	return s, err
}

// Remeasure counts again what an account lacks, once its member has brought rows. It can only become less: that a site
// counts more is for a fetch to say.
func Remeasure(ctx context.Context, tx *gorm.DB, a *members.Account) error {
	if a.Missing == 0 {
		return nil
	}
	s, err := MeasureShortfall(ctx, tx, a.ID, true)
	if err != nil {
		return err
	}
	total := 0
	if a.ReportedSubmissions != nil {
		total = *a.ReportedSubmissions
	}
	a.Missing = min(a.Missing, max(s.Short, total-s.Stored, 0))
	if a.MissingFrom != nil || a.Missing == 0 {
		a.MissingFrom, a.MissingUntil = s.First, s.Last
	}
	_, err = gorm.G[members.Coverage](tx).Table("account_coverage").Where("account_id = ?", a.ID).
		Select("missing", "missing_from", "missing_until").Updates(ctx, a.Coverage)
	return err
}
