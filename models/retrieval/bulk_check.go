package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A BulkCheck is what a site reported of many accounts at once.
type BulkCheck struct {
	Site     string
	Began    time.Time
	Quiet    []int64 // Accounts that have nothing new,
	News     []int64 // and those that may have.
	Requests int
	Batch    int // How many accounts the last question was about; 0 if that does not matter.
	Outcome  string
	Message  string
}

// ClaimBulkCheck returns up to limit accounts of a site that were fetched completely, once one of
// them was not checked for CheckEvery. Those whose last check is half as old come along, so that
// questions are full. Other processes pass the accounts over from then on: one that dies before
// FinishBulkCheck costs them a round.
func ClaimBulkCheck(ctx context.Context, db *gorm.DB, site string, limit int, now time.Time) (accounts []Due, err error) {
	var ids []int64
	err = db.WithContext(ctx).Raw(queries.Must("claim_bulk_check"), pg.Named("site", site, "now", now,
		"due", now.Add(-CheckEvery), "soon", now.Add(-CheckEvery/2), "limit", limit)).Scan(&ids).Error
	if err == nil && len(ids) > 0 {
		accounts, err = accountsOf(ctx, db, ids)
	}
	if err != nil {
		return nil, fmt.Errorf("claim a bulk check of %s: %w", site, err)
	}
	return accounts, nil
}

// ResetBulkCheck makes claimed accounts count as last checked at a moment, because their question
// failed or was not asked.
func ResetBulkCheck(ctx context.Context, db *gorm.DB, ids []int64, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (
			SELECT account_id FROM account_schedule WHERE account_id = ANY(CAST(@ids AS bigint[])) ORDER BY account_id FOR NO KEY UPDATE)
		UPDATE account_schedule s SET checked_at = @at FROM mine WHERE s.account_id = mine.account_id`,
		pg.Named("ids", &ids, "at", at)).Error
	if err != nil {
		return fmt.Errorf("reset a bulk check: %w", err)
	}
	return nil
}

// BatchOf returns how many accounts the last question to a site was about; 0 before the first.
func BatchOf(ctx context.Context, db *gorm.DB, site string) (batch int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT batch FROM site_streams WHERE site = @site AND kind = @kind`,
		pg.Named("site", site, "kind", KindBulk)).Scan(&batch).Error
	if err != nil {
		return 0, fmt.Errorf("batch of %s: %w", site, err)
	}
	return batch, nil
}

// FinishBulkCheck stores what a site reported as evidence, and returns for how many accounts that
// counts as an empty retrieval.
func FinishBulkCheck(ctx context.Context, db *gorm.DB, b BulkCheck, r Rule, now time.Time) (counted int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if counted, err = b.note(ctx, tx, r.Rate, now); err != nil {
			return err
		}
		if b.Batch > 0 {
			err := tx.Exec(`
				INSERT INTO site_streams AS f (site, kind, batch) VALUES (@site, @kind, @batch)
				ON CONFLICT (site, kind) DO UPDATE SET batch = EXCLUDED.batch WHERE f.batch <> EXCLUDED.batch`,
				pg.Named("site", b.Site, "kind", KindBulk, "batch", b.Batch)).Error
			if err != nil {
				return err
			}
		}
		return Answer{Site: b.Site, Outcome: b.Outcome, Message: b.Message, Requests: b.Requests}.report(ctx, tx, r.Rate, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a bulk check of %s: %w", b.Site, err)
	}
	return counted, nil
}

// note stores the evidence.
func (b *BulkCheck) note(ctx context.Context, tx *gorm.DB, rate float64, now time.Time) (int, error) {
	var list []Evidence
	for _, id := range b.Quiet {
		list = append(list, Evidence{AccountID: id, Source: SourceBulk, CompleteUntil: &b.Began, SeenAt: b.Began})
	}
	for _, id := range b.News {
		list = append(list, Evidence{AccountID: id, Source: SourceBulk, HasNews: true, SeenAt: b.Began})
	}
	return note(ctx, tx, list, rate, now)
}
