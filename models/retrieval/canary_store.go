package retrieval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// SetCanary declares a handle of a site as a canary that has at least so many submissions. If it is
// one already, it forgets what it knew. It is read at once.
func SetCanary(ctx context.Context, db *gorm.DB, site members.Site, handle string, least int, now time.Time) (c Canary, err error) {
	handle = members.HandleIn([]members.Site{site}, site.Name, handle)
	switch {
	case !site.Handle.MatchString(handle):
		return c, &pg.InputError{Field: "handle", Message: "this cannot be a handle on " + site.Title + ": want " + site.Hint}
	case least < 1 || least > 1_000_000:
		return c, &pg.InputError{Field: "least", Message: "say how many submissions the handle has at least: a number from 1 to 1,000,000"}
	}
	err = db.WithContext(ctx).Raw(`
		INSERT INTO site_canaries (site, handle, least, created_at, due_at) VALUES (@site, @handle, @least, @now, @now)
		ON CONFLICT (site, handle) DO UPDATE SET least = EXCLUDED.least, earliest_at = NULL, known = '[]', due_at = EXCLUDED.due_at,
			lease_id = '', leased_until = NULL, checked_at = NULL, outcome = '', message = '', seen = 0
		RETURNING `+pg.Columns[Canary]("site_canaries"),
		pg.Named("site", site.Name, "handle", handle, "least", least, "now", now)).Scan(&c).Error
	if err != nil {
		return c, fmt.Errorf("canary of %s: %w", site.Name, err)
	}
	return c, nil
}

// RemoveCanary deletes a canary and its failures, and closes its alarm.
func RemoveCanary(ctx context.Context, db *gorm.DB, site, handle string, now time.Time) error {
	site, handle = pg.CleanText(site), pg.CleanText(handle)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`DELETE FROM site_canaries WHERE site = @site AND handle = @handle`, pg.Named("site", site, "handle", handle))
		if err := pg.Touched(res, pg.ErrNotFound); err != nil {
			return err
		}
		err := tx.Exec(`DELETE FROM site_suspects WHERE site = @site AND account_id = 0 AND handle = @handle`,
			pg.Named("site", site, "handle", handle)).Error
		if err != nil {
			return err
		}
		return closeAlarm(ctx, tx, site, AlarmCanary, handle, now)
	})
	if err != nil {
		return fmt.Errorf("canary of %s: %w", site, err)
	}
	return nil
}

// Canaries returns all canaries, by site and handle.
func Canaries(ctx context.Context, db *gorm.DB) (list []Canary, err error) {
	err = db.WithContext(ctx).Raw(`SELECT ` + pg.Columns[Canary]("c") + ` FROM site_canaries c ORDER BY site, handle`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("canaries: %w", err)
	}
	return list, nil
}

// ClaimCanary leases a canary of a site that is due, if the site may be asked.
func ClaimCanary(ctx context.Context, db *gorm.DB, site string, lease pg.Lease, now time.Time) (list []Canary, err error) {
	err = db.WithContext(ctx).Raw(`
		UPDATE site_canaries c SET lease_id = @lease, leased_until = @until
		WHERE site = @site AND handle = (
			SELECT handle FROM site_canaries
			WHERE site = @site AND due_at <= @now AND (leased_until IS NULL OR leased_until <= @now) AND may_ask(@site, @now)
			ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING `+pg.Columns[Canary]("c"),
		pg.Named("site", site, "now", now, "until", now.Add(lease.For), "lease", lease.ID)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("claim a canary of %s: %w", site, err)
	}
	return list, nil
}

// RenewCanary renews the lease of a canary that is being read. ErrLeaseLost means that it was
// removed, declared anew or taken over.
func RenewCanary(ctx context.Context, db *gorm.DB, c *Canary, until time.Time) error {
	if err := c.store(ctx, db, &until); err != nil {
		return fmt.Errorf("renew the lease of canary %s on %s: %w", c.Handle, c.Site, err)
	}
	return nil
}

// ReleaseCanary gives a canary back as it was, because the process stops.
func ReleaseCanary(ctx context.Context, db *gorm.DB, c *Canary) error {
	if err := c.store(ctx, db, nil); err != nil && !errors.Is(err, pg.ErrLeaseLost) {
		return fmt.Errorf("release canary %s on %s: %w", c.Handle, c.Site, err)
	}
	return nil
}

// store writes columns of the canary and the end of its lease; nil gives it back.
func (c Canary) store(ctx context.Context, db *gorm.DB, until *time.Time, columns ...string) error {
	row := db.WithContext(ctx).Table("site_canaries").Where("site = ? AND handle = ? AND lease_id = ?", c.Site, c.Handle, c.LeaseID)
	if c.LeasedUntil = until; until == nil {
		c.LeaseID = ""
	}
	return pg.Touched(row.Select(append(columns, "lease_id", "leased_until")).Updates(c), pg.ErrLeaseLost)
}

// A CanaryRead is how reading a canary ended, and the list that it gave.
type CanaryRead struct {
	Result
	List CanaryList
}

// FinishCanary stores how reading a canary ended. A list that differs, a page that could not be read
// and a handle that is gone are an alarm until the list is as known again. They count against the
// site like failures of an account, as do all other failures. rate divides pauses.
func FinishCanary(ctx context.Context, db *gorm.DB, c *Canary, res CanaryRead, rate float64, now time.Time) error {
	known := c.Seen > 0
	differs, err := c.apply(&res.Result, res.List, rate, now)
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		err := c.store(ctx, tx, nil, "least", "earliest_at", "known", "due_at", "checked_at", "outcome", "message", "seen")
		if errors.Is(err, pg.ErrLeaseLost) { // Removed or declared anew meanwhile.
			return nil
		}
		if err != nil || res.Requests == 0 {
			return err
		}
		message := c.publicMessage(differs)
		switch c.Outcome { // Of a site that cannot be reached, the circuit is the alarm.
		case pg.OutcomeOK:
			err = closeAlarm(ctx, tx, c.Site, AlarmCanary, c.Handle, now)
		case pg.OutcomeParseError, pg.OutcomeNotFound:
			err = openAlarm(ctx, tx, Alarm{Site: c.Site, Kind: AlarmCanary, Subject: c.Handle, Message: message}, now)
		}
		if err != nil {
			return err
		}
		return Answer{Site: c.Site, Handle: c.Handle, Outcome: c.Outcome, Message: message, Requests: res.Requests, Known: known,
			Emptied: differs != "" && c.Seen == 0, RetryAt: res.RetryAt}.report(ctx, tx, rate, now)
	})
	if err != nil {
		return fmt.Errorf("canary %s on %s: %w", c.Handle, c.Site, err)
	}
	return nil
}
