package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// ContestEnded makes due the accounts of a site that were rated in a contest within 30 days, one
// after the other by gap, unless they are complete beyond its end. It returns how many.
func ContestEnded(ctx context.Context, db *gorm.DB, site string, ended time.Time, gap time.Duration, now time.Time) (int, error) {
	var list []Evidence
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(`
			SELECT s.account_id FROM account_schedule s JOIN account_coverage c ON c.account_id = s.account_id
			WHERE s.site = @site AND s.state = 'active' AND s.failures = 0 AND c.complete_until < @ended
				AND EXISTS (SELECT FROM ratings r WHERE r.account_id = s.account_id AND r.rated_at > @since)
			ORDER BY s.account_id FOR NO KEY UPDATE OF s`,
			pg.Named("site", site, "ended", ended, "since", ended.Add(-finalAfter))).Scan(&ids).Error
		if err != nil {
			return err
		}
		for i, id := range ids {
			due := now.Add(time.Duration(i+1) * gap)
			list = append(list, Evidence{AccountID: id, Source: SourceContest, HasNews: true, DueBy: &due, SeenAt: ended})
		}
		_, err = note(ctx, tx, list, 1, now)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("make accounts due after a contest of %s: %w", site, err)
	}
	return len(list), nil
}

// SignedIn makes due the quiet accounts of a member who signed in: whoever is back here may be back
// on the sites.
func SignedIn(ctx context.Context, db *gorm.DB, memberID int64, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return returned(ctx, tx, memberID, SourceSignIn, now)
	})
	if err != nil {
		return fmt.Errorf("note that member %d signed in: %w", memberID, err)
	}
	return nil
}

// wasQuiet says whether an account, as it was claimed, had nothing new for days. Its delay does not
// show that: a bulk check with news has set it to 0 by then.
func wasQuiet(a *members.Account, now time.Time) bool {
	return a.LastRetrievedAt != nil && (a.NewestAt == nil || a.NewestAt.Before(now.AddDate(0, 0, -delayDivisor)))
}

// returned makes due the member's quiet accounts. One that was fetched within the last day is left
// alone, so that signing in often costs nothing, and so is one that is being fetched or planned.
func returned(ctx context.Context, tx *gorm.DB, memberID int64, source Source, now time.Time) error {
	var quiet []int64
	err := tx.WithContext(ctx).Raw(`
		SELECT account_id FROM account_schedule
		WHERE account_id IN (SELECT id FROM accounts WHERE member_id = @member) AND state = 'active' AND failures = 0 AND delay >= @delay
			AND last_attempt_at < @recent AND due_at > @now AND (leased_until IS NULL OR leased_until <= @now)
		ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED`,
		pg.Named("member", memberID, "delay", delayDivisor, "recent", now.Add(-Day), "now", now)).Scan(&quiet).Error
	if err != nil {
		return fmt.Errorf("quiet accounts of member %d: %w", memberID, err)
	}
	return dueNow(ctx, tx, quiet, source, now)
}
