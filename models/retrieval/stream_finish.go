package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A StreamPass is how a pass through a stream ended.
type StreamPass struct {
	Requests int
	NewRows  int
	Outcome  string
	Message  string
	RetryAt  time.Time     // The site's own wish, or zero.
	Pause    time.Duration // When to read on, where the pass went well.
}

// FinishStream settles a pass. Where it went well, accounts of which everything was
// known since the stream begins are complete until where it is, and it stands for
// retrievals of them that are due before the next pass, if they have no news;
// FinishStream returns for how many.
func FinishStream(ctx context.Context, db *gorm.DB, f *Stream, p StreamPass, r Rule, now time.Time) (stands int, err error) {
	ok := p.Outcome == pg.OutcomeOK
	due, passed := now.Add(p.Pause), *f
	passed.PassedAt, passed.Failures, passed.Outcome, passed.Message = &now, 0, p.Outcome, pg.CleanText(p.Message)
	if !ok {
		passed.PassedAt, passed.Failures = f.PassedAt, f.Failures+1
		due = now.Add(scaled(retryPauses[min(passed.Failures, len(retryPauses))-1], r.Rate))
		if p.RetryAt.After(due) {
			due = p.RetryAt
		}
	}
	passed.DueAt = due
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := passed.store(ctx, tx, nil, "passed_at", "failures", "outcome", "message", "due_at"); err != nil {
			return err
		}
		if ok && f.Since != nil && f.Until != nil {
			if stands, err = f.speak(ctx, tx, due, r.Rate, now); err != nil {
				return err
			}
		}
		return bulkAnswer{f.Site, p.Outcome, p.Message, p.Requests, p.NewRows}.finish(ctx, tx, r.Rate, now)
	})
	if err != nil {
		return 0, fmt.Errorf("finish a pass of the stream of %s: %w", f.Site, err)
	}
	return stands, nil
}

// speak notes what a stream that is fresh says of those whom it covers and who are due before
// it speaks next, and of all others once in a while: that costs the more the more there are.
func (f *Stream) speak(ctx context.Context, tx *gorm.DB, next time.Time, rate float64, now time.Time) (int, error) {
	if !f.Until.After(now.Add(-CheckEvery)) {
		next = now // What it says is true, and nobody waits for it to speak again.
	}
	var ids []int64
	err := tx.WithContext(ctx).Raw(queries.Must("covered_by_stream"),
		pg.Named("site", f.Site, "since", f.Since, "soon", next.Add(gracePeriod), "behind", f.Until.Add(-time.Hour), "now", now)).Scan(&ids).Error
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
