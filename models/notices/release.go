package notices

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Ways are the ways by which this installation can reach people, beside the page.
type Ways struct{ Mail, Webhook bool }

// Release checks notices whose time has come, at most limit: what is still true is
// shown on the page and made ready for the other ways, by what each member chose; the
// rest is dropped. It returns how many it checked.
func Release(ctx context.Context, db *gorm.DB, by Ways, limit int, now time.Time) (n int, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("release"),
		pg.Named("now", now, "limit", limit, "mail", by.Mail, "hook", by.Webhook)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("release notices: %w", err)
	}
	return n, nil
}
