package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A BulkCheck is what a site said of many accounts at once.
type BulkCheck struct {
	Site     string
	Began    time.Time
	Quiet    []int64 // Accounts that have nothing new,
	News     []int64 // and those that may have.
	Requests int
	Batch    int // How many accounts a question had at last; 0 where that does not matter.
	Outcome  string
	Message  string
}

// BatchOf returns how many accounts a question to a site had at last; 0: nobody asked.
func BatchOf(ctx context.Context, db *gorm.DB, site string) (batch int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT batch FROM site_streams WHERE site = @site AND kind = @kind`,
		pg.Named("site", site, "kind", KindBulk)).Scan(&batch).Error
	if err != nil {
		return 0, fmt.Errorf("batch of %s: %w", site, err)
	}
	return batch, nil
}

// keepBatch keeps the size of questions to the site.
func (p *BulkCheck) keepBatch(ctx context.Context, tx *gorm.DB) error {
	if p.Batch == 0 {
		return nil
	}
	return tx.WithContext(ctx).Exec(`
		INSERT INTO site_streams AS f (site, kind, batch) VALUES (@site, @kind, @batch)
		ON CONFLICT (site, kind) DO UPDATE SET batch = EXCLUDED.batch WHERE f.batch <> EXCLUDED.batch`,
		pg.Named("site", p.Site, "kind", KindBulk, "batch", p.Batch)).Error
}

// FinishBulkCheck takes in what a site said, as evidence, and returns for how many accounts it
// counts as an empty retrieval.
func FinishBulkCheck(ctx context.Context, db *gorm.DB, p BulkCheck, r Rule, now time.Time) (stands int, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if stands, err = p.speak(ctx, tx, r.Rate, now); err != nil {
			return err
		}
		if err := p.keepBatch(ctx, tx); err != nil {
			return err
		}
		return bulkAnswer{p.Site, p.Outcome, p.Message, p.Requests, 0}.finish(ctx, tx, r.Rate, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a bulk check of %s: %w", p.Site, err)
	}
	return stands, nil
}

// speak notes what the site said of each. Those that have nothing new are asked about again
// as bulkEvery says: checked_at is that long ago then.
func (p *BulkCheck) speak(ctx context.Context, tx *gorm.DB, rate float64, now time.Time) (int, error) {
	err := tx.WithContext(ctx).Exec(queries.Must("put_off_bulk_check"), pg.Named("all", new(slices.Concat(p.Quiet, p.News)),
		"quiet", &p.Quiet, "now", now, "dormant", now.Add(-finalAfter), "later", interval(Day-CheckEvery))).Error
	if err != nil {
		return 0, fmt.Errorf("when accounts are asked about again: %w", err)
	}
	var list []Evidence
	for _, id := range p.Quiet {
		list = append(list, Evidence{AccountID: id, Source: SourceBulk, CompleteUntil: &p.Began, SeenAt: p.Began})
	}
	for _, id := range p.News {
		list = append(list, Evidence{AccountID: id, Source: SourceBulk, HasNews: true, SeenAt: p.Began})
	}
	return note(ctx, tx, list, rate, now)
}
