package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
	"laurel/models/submissions"
)

// TellOld tells awards of what one account had before there were awards: its
// submissions and ratings, and the days of its member. It reports whether there
// was one. Told twice, it changes nothing.
func TellOld(ctx context.Context, db *gorm.DB, now time.Time) (worked bool, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var memberID int64
		if err := tx.Raw(`SELECT member_id FROM accounts WHERE NOT told ORDER BY id LIMIT 1`).Scan(&memberID).Error; err != nil || memberID == 0 {
			return err
		}
		m, err := members.Lock(ctx, tx, memberID) // As who stores a look does: nothing is stored meanwhile that would be told before.
		if err != nil {
			return err
		}
		var accounts []int64
		if err := tx.Raw(`UPDATE accounts SET told = true WHERE member_id = @member AND NOT told RETURNING id`, pg.Named("member", memberID)).Scan(&accounts).Error; err != nil {
			return err
		}
		worked = true
		return tellAll(ctx, tx, &m, accounts, now)
	})
	if err != nil {
		return false, fmt.Errorf("tell awards of what there was: %w", err)
	}
	return worked, nil
}

func tellAll(ctx context.Context, tx *gorm.DB, m *members.Member, accounts []int64, now time.Time) error {
	err := events.Emit(ctx, tx, "submissions", submissions.EventsOfSubmissions+` WHERE s.account_id = ANY(CAST(@accounts AS bigint[])) ORDER BY s.submitted_at, s.id`,
		pg.Named("accounts", &accounts, "gone", false), now)
	if err != nil {
		return err
	}
	err = events.Emit(ctx, tx, "ratings", `SELECT * FROM (`+submissions.EventsOfRatings+`) r WHERE account_id = ANY(CAST(@accounts AS bigint[])) ORDER BY at`,
		pg.Named("accounts", &accounts, "gone", false), now)
	if err != nil {
		return err
	}
	return submissions.EmitDays(ctx, tx, m, "[]", nil, now)
}
