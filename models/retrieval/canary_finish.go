package retrieval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A CanaryRead is how reading a canary ended, and the list that it gave.
type CanaryRead struct {
	Result
	List CanaryList
}

// FinishCanary applies how reading a canary ended. A list that is other than known, a
// page that was not understood and a handle that is gone are an alarm until the
// list is as known again; all of them, and any other failure, speak against the
// site like that of an account. rate divides pauses, as Rule.Rate does.
func FinishCanary(ctx context.Context, db *gorm.DB, c *Canary, res CanaryRead, rate float64, now time.Time) error {
	known := c.Seen > 0
	amiss, err := c.apply(&res.Result, res.List, rate, now)
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := c.store(ctx, tx, nil, "least", "earliest_at", "known", "due_at", "checked_at", "outcome", "message", "seen")
		if errors.Is(err, pg.ErrLeaseLost) { // Removed or declared anew meanwhile.
			return nil
		}
		if err != nil {
			return err
		}
		if res.Requests == 0 {
			return nil
		}
		said := c.publicly(amiss)
		if err := c.report(ctx, tx, said, now); err != nil {
			return err
		}
		answer := Answer{Site: c.Site, Handle: c.Handle, Outcome: c.Outcome, Message: said, Known: known,
			Emptied: amiss != "" && c.Seen == 0, RetryAt: res.RetryAt}
		if _, err := judge(ctx, tx, answer, suspect{}, rate, now); err != nil {
			return err
		}
		return requestCount{site: c.Site, outcome: c.Outcome, message: said, requests: res.Requests}.store(ctx, tx, now)
	})
	if err != nil {
		return fmt.Errorf("canary %s on %s: %w", c.Handle, c.Site, err)
	}
	return nil
}

// apply takes in how a fetch ended: what it found, what it learned, and when the
// next one is. amiss is what is other than known.
func (c *Canary) apply(res *Result, l CanaryList, rate float64, now time.Time) (amiss string, err error) {
	message, example := pg.CleanText(res.Message), ""
	if res.Outcome == pg.OutcomeOK {
		if amiss, example, err = c.Compare(l); err != nil {
			return "", err
		}
		if amiss == "" {
			err = c.learn(l, now)
		} else {
			res.Outcome, message = pg.OutcomeParseError, amiss
		}
		if example != "" {
			message += " (" + pg.CleanText(example) + ")"
		}
		c.Seen = max(len(l.Rows), l.Total)
	}
	due := c.nextCheck(res.Outcome == pg.OutcomeOK, rate, now)
	if due.Before(res.RetryAt) {
		due = res.RetryAt
	}
	c.DueAt, c.CheckedAt, c.Outcome, c.Message = due, &now, res.Outcome, message
	return amiss, err
}

// publicly is what everybody reads of a fetch that failed: whose history is known
// is for admins, and errors may name the handle.
func (c *Canary) publicly(amiss string) string {
	switch {
	case c.Outcome == pg.OutcomeOK:
		return ""
	case amiss != "":
		return "a known history is not what it was: " + amiss
	case c.Outcome == pg.OutcomeNotFound:
		return "the site says that there is no handle whose history is known"
	case c.Outcome == pg.OutcomeParseError:
		return "a page of a known history could not be read"
	}
	return "a known history could not be asked for"
}

// report opens and closes the canary's alarm. A site that cannot be reached says
// nothing of the history: that is its circuit's matter.
func (c *Canary) report(ctx context.Context, tx *gorm.DB, said string, now time.Time) error {
	switch c.Outcome {
	case pg.OutcomeOK:
		return closeAlarm(ctx, tx, c.Site, AlarmCanary, c.Handle, now)
	case pg.OutcomeParseError, pg.OutcomeNotFound:
		return openAlarm(ctx, tx, Alarm{Site: c.Site, Kind: AlarmCanary, Subject: c.Handle, Message: said}, now)
	}
	return nil
}

// ReleaseCanary gives a canary back as it was, for a worker that is to stop.
func ReleaseCanary(ctx context.Context, db *gorm.DB, c *Canary) error {
	if err := c.store(ctx, db, nil); err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		return fmt.Errorf("release canary %s on %s: %w", c.Handle, c.Site, err)
	}
	return nil
}
