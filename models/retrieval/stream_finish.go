package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A StreamPass is how a pass through a feed ended.
type StreamPass struct {
	Requests int
	NewRows  int
	Outcome  string
	Message  string
	RetryAt  time.Time     // The site's own wish, or zero.
	Pause    time.Duration // When to read on, where the pass went well.
}

// FinishStream settles a pass. Where it went well, accounts of which everything was
// known since the feed begins are complete until where it is, and it stands for
// retrievals of them that are due before the next pass, if they have no news;
// FinishStream returns for how many.
func FinishStream(ctx context.Context, db *gorm.DB, f *Stream, p StreamPass, r Rule, now time.Time) (stands int, err error) {
	ok := p.Outcome == pg.OutcomeOK
	due, failures, passed := now.Add(p.Pause), 0, &now
	if !ok {
		failures, passed = f.Failures+1, f.PassedAt
		due = now.Add(time.Duration(float64(retryPauses[min(failures, len(retryPauses))-1]) / r.Rate))
		if p.RetryAt.After(due) {
			due = p.RetryAt
		}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE site_streams SET passed_at = @passed, failures = @failures, outcome = @outcome, message = @message, due_at = @due, lease_id = '', leased_until = NULL
			WHERE site = @site AND kind = @kind AND lease_id = @lease`,
			pg.Named("site", f.Site, "kind", f.Kind, "lease", f.LeaseID, "passed", passed, "failures", failures, "outcome", p.Outcome, "message", pg.CleanText(p.Message), "due", due))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrLeaseLost
		}
		if res.Error != nil {
			return res.Error
		}
		if ok && f.Since != nil && f.Until != nil {
			if stands, err = f.speak(ctx, tx, due, r.Rate, now); err != nil {
				return err
			}
		}
		return bulkAnswer{f.Site, p.Outcome, p.Message, p.Requests, p.NewRows}.finish(ctx, tx, r.Rate, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a pass of the feed of %s: %w", f.Site, err)
	}
	return stands, nil
}

// speak notes what a stream that is fresh says of those whom it covers and who are due before
// it speaks next, and of all others once in a while: that costs the more the more there are.
func (f *Stream) speak(ctx context.Context, tx *gorm.DB, next time.Time, rate float64, now time.Time) (int, error) {
	if !f.Until.After(now.Add(-BulkEvery)) {
		next = now // What it says is true, and nobody waits for it to speak again.
	}
	var ids []int64
	err := tx.WithContext(ctx).Raw(queries.Must("covered_by_stream"),
		pg.Named("site", f.Site, "since", f.Since, "soon", next.Add(grace), "behind", f.Until.Add(-time.Hour), "now", now)).Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("whom the stream covers: %w", err)
	}
	list := make([]Evidence, len(ids))
	for i, id := range ids {
		list[i] = Evidence{AccountID: id, Source: SourceStream, CompleteUntil: f.Until, SeenAt: now}
		if next.After(now) {
			list[i].AgainAt = &next
		}
	}
	return note(ctx, tx, list, rate, now)
}
