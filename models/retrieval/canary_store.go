package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// SetCanary declares a handle of a site whose history is known: it has at least
// so many submissions. Declared once more it forgets what it knew. It is read at once.
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

// RemoveCanary forgets a canary, with what it spoke against the site, and ends its alarm.
func RemoveCanary(ctx context.Context, db *gorm.DB, site, handle string, now time.Time) error {
	site, handle = pg.CleanText(site), pg.CleanText(handle)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`DELETE FROM site_canaries WHERE site = @site AND handle = @handle`, pg.Named("site", site, "handle", handle))
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrNotFound
		}
		if res.Error != nil {
			return res.Error
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

// ClaimCanary leases a canary of a site that is due, unless the site is not asked
// now or wants to be left alone.
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

// RenewCanary renews the lease of a canary that is being read, until then.
// ErrLeaseLost means that it was removed, declared anew or taken over.
func RenewCanary(ctx context.Context, db *gorm.DB, c *Canary, until time.Time) error {
	if err := c.store(ctx, db, &until); err != nil {
		return fmt.Errorf("hold canary %s on %s: %w", c.Handle, c.Site, err)
	}
	return nil
}

// store writes columns of the canary, and the end of its lease; nil: it is given back.
func (c Canary) store(ctx context.Context, db *gorm.DB, until *time.Time, columns ...string) error {
	row := db.WithContext(ctx).Table("site_canaries").Where("site = ? AND handle = ? AND lease_id = ?", c.Site, c.Handle, c.LeaseID)
	if c.LeasedUntil = until; until == nil {
		c.LeaseID = ""
	}
	return storeLeased(row.Select(append(columns, "lease_id", "leased_until")).Updates(c))
}
