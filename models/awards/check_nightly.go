package awards

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// randomPart of the members is checked each night beside those of whom something changed.
const randomPart = 7

// Nightly checks, once in 24 hours for all processes together, the members of whom something changed since
// the night before, and a slice of all that begins anywhere; nil where it was done already.
func Nightly(ctx context.Context, db *gorm.DB, now time.Time) (*CheckResult, error) {
	var was *time.Time
	err := db.WithContext(ctx).Raw(`SELECT CAST((SELECT value FROM settings WHERE key = 'awards checked') AS timestamptz)`).
		Row().Scan(&was)
	if err != nil {
		return nil, fmt.Errorf("last night: %w", err)
	}
	var due bool
	err = db.WithContext(ctx).Raw(`
		INSERT INTO settings (key, value) VALUES ('awards checked', CAST(@today AS text))
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value WHERE settings.value <> EXCLUDED.value RETURNING true`,
		pg.Named("today", now.UTC().Format(time.DateOnly)+"Z")).Scan(&due).Error
	if err != nil || !due {
		return nil, err
	}
	n := &CheckResult{StartedAt: now, Kind: "night", Differences: []Difference{}}
	if was == nil { // Never: the slices will come to all.
		yesterday := now.Add(-24 * time.Hour)
		was = &yesterday
	}
	if err := n.checkNew(ctx, db, *was, now); err != nil {
		return nil, err
	}
	if err := n.checkRandom(ctx, db, now); err != nil {
		return nil, err
	}
	return n, n.store(ctx, db)
}

// checkNew checks the members of whom something changed, each in a transaction of its own.
func (c *CheckResult) checkNew(ctx context.Context, db *gorm.DB, since, now time.Time) error {
	var ids []int64
	err := db.WithContext(ctx).Raw(`
		SELECT member_id FROM award_log WHERE at >= @since
		UNION SELECT g.member_id FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id WHERE l.at >= @since
		ORDER BY 1`, pg.Named("since", since)).Scan(&ids).Error
	if err != nil {
		return fmt.Errorf("members of whom something changed: %w", err)
	}
	for _, id := range ids {
		slice, err := Check(ctx, db, id-1, id, now)
		if err != nil {
			return err
		}
		c.add(&slice)
	}
	return nil
}

// checkRandom checks a seventh of the members, slice by slice.
func (c *CheckResult) checkRandom(ctx context.Context, db *gorm.DB, now time.Time) error {
	var newest int64
	if err := db.WithContext(ctx).Raw(`SELECT coalesce(max(id), 0) FROM members`).Scan(&newest).Error; err != nil {
		return fmt.Errorf("newest member: %w", err)
	}
	length := newest/randomPart + 1
	after := rand.Int64N(newest+length) - length
	for last, until := after, after+length; last < until; {
		var err error
		after = last
		if last, err = sliceEnd(ctx, db, after, until); err != nil {
			return err
		}
		slice, err := Check(ctx, db, after, last, now)
		if err != nil {
			return err
		}
		c.add(&slice)
	}
	return nil
}
