package submissions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/standings"
)

// RefreshSums brings the sums over one account's submissions, and over its
// member's, up to the rows: the days from the first changed row on, and the
// counts. The member must be locked. from nil means from the beginning.
func RefreshSums(ctx context.Context, tx *gorm.DB, m *members.Member, accountID int64, from *time.Time, now time.Time) error {
	if err := refreshDays(ctx, tx, m, from, now); err != nil {
		return fmt.Errorf("days of member %d: %w", m.ID, err)
	}
	if err := standings.RefreshSolved(ctx, tx, m.ID, from); err != nil {
		return err
	}
	err := tx.WithContext(ctx).Exec(queries.Must("refresh_account"), pg.Named("id", accountID)).Error
	if err != nil {
		return fmt.Errorf("counts of account %d: %w", accountID, err)
	}
	return refreshTotals(ctx, tx, m.ID, now)
}

// refreshDays counts again the member's days from the day before that of from on:
// where clocks are put back over midnight, a later moment may lie in an earlier
// day. For the same reason rows are selected by their day; the moment is for the
// index alone.
func refreshDays(ctx context.Context, tx *gorm.DB, m *members.Member, from *time.Time, now time.Time) error {
	args := pg.Named("member", m.ID, "zone", m.Location().String(), "from", from)
	var was string
	err := tx.WithContext(ctx).Raw(`
		WITH gone AS (
			DELETE FROM days WHERE member_id = @member
				AND (CAST(@from AS timestamptz) IS NULL OR day >= CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1)
			RETURNING day, submissions, accepted)
		SELECT coalesce(CAST(json_agg(gone) AS text), '[]') FROM gone`, args).Scan(&was).Error
	if err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(queries.Must("count_days"), args).Error
	if err != nil {
		return err
	}
	return EmitDays(ctx, tx, m, was, from, now)
}

// RefreshTotals counts the member's totals and streaks again: days in a row with
// a submission, and accepted submissions in a row (a row still being judged
// neither counts nor breaks). The caller sees to the standings.
func RefreshTotals(ctx context.Context, tx *gorm.DB, memberID int64) error {
	err := tx.WithContext(ctx).Exec(queries.Must("refresh_stats"), pg.Named("id", memberID)).Error
	if err != nil {
		return fmt.Errorf("totals of member %d: %w", memberID, err)
	}
	return nil
}

func refreshTotals(ctx context.Context, tx *gorm.DB, memberID int64, now time.Time) error {
	if err := RefreshTotals(ctx, tx, memberID); err != nil {
		return err
	}
	return standings.Refresh(ctx, tx, []int64{memberID}, now)
}

// RefreshMember counts everything about a member again, for when the zone
// changed (the days are other days now) or an account went away.
func RefreshMember(ctx context.Context, tx *gorm.DB, memberID int64, now time.Time) error {
	m, err := members.Lock(ctx, tx, memberID)
	if err != nil {
		return err
	}
	if err := refreshDays(ctx, tx, &m, nil, now); err != nil {
		return fmt.Errorf("days of member %d: %w", memberID, err)
	}
	if err := standings.RefreshSolved(ctx, tx, memberID, nil); err != nil {
		return err
	}
	return refreshTotals(ctx, tx, memberID, now)
}
