package retrieval

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// EndSuspendedRequests ends the requests for accounts of a site that is not asked now: nobody waits
// at the button until the site works again. The accounts are due, so they are fetched as soon as
// it does.
func EndSuspendedRequests(ctx context.Context, db *gorm.DB, site string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(queries.Must("end_suspended_requests"),
			pg.Named("site", site, "now", now, "progress", pg.ChannelProgress)).Scan(&ids).Error
		if err != nil {
			return err
		}
		return dueNow(ctx, tx, ids, SourceRequest, now)
	})
	if err != nil {
		return fmt.Errorf("end the requests for %s: %w", site, err)
	}
	return nil
}

// Circuits returns the circuits of all sites that were ever asked, by site.
func Circuits(ctx context.Context, db *gorm.DB) (list []Circuit, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT site, coalesce(c.state, 'closed') AS state, opened_at, paused_at
		FROM site_circuits c FULL JOIN (SELECT DISTINCT site FROM site_hours) h USING (site) ORDER BY site`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("circuits: %w", err)
	}
	return list, nil
}

// SuspendedCircuits are the sites that are not asked now, by name.
func SuspendedCircuits(ctx context.Context, db *gorm.DB) (map[string]Circuit, error) {
	var list []Circuit
	err := db.WithContext(ctx).Raw(`
		SELECT ` + pg.Columns[Circuit]("c") + ` FROM site_circuits c JOIN suspended_sites USING (site)`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("suspended circuits: %w", err)
	}
	suspended := map[string]Circuit{}
	for _, c := range list {
		suspended[c.Site] = c
	}
	return suspended, nil
}

const reasonAtMost = 200 // Characters.

// A SitePause is an admin's order to stop asking a site, or the end of it.
type SitePause struct {
	Paused     bool
	Reason, By string
}

// PauseSite pauses a site, or ends its pause. Everybody may read the reason. A fetch that is under
// way ends.
func PauseSite(ctx context.Context, db *gorm.DB, site string, p SitePause, now time.Time) error {
	reason := pg.CleanText(p.Reason)
	switch {
	case p.Paused && reason == "":
		return &pg.InputError{Field: "reason", Message: "say why the site is paused: everybody reads it"}
	case utf8.RuneCountInString(reason) > reasonAtMost:
		return &pg.InputError{Field: "reason", Message: fmt.Sprintf("the reason is longer than %d characters", reasonAtMost)}
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if _, err := lockCircuit(ctx, tx, site); err != nil {
			return err
		}
		if !p.Paused { // An open circuit tries an account at once: the pause may have been the cure.
			return tx.Exec(`
				UPDATE site_circuits SET paused_at = NULL, paused_by = '', paused_reason = '',
					next_try_at = least(next_try_at, CAST(@now AS timestamptz))
				WHERE site = @site`, pg.Named("site", site, "now", now)).Error
		}
		return tx.Exec(`
			UPDATE site_circuits SET paused_at = coalesce(paused_at, @now), paused_by = @by, paused_reason = @reason WHERE site = @site`,
			pg.Named("site", site, "now", now, "by", p.By, "reason", reason)).Error
	})
	if err != nil {
		return fmt.Errorf("pause %s: %w", site, err)
	}
	return nil
}

// Pause ends all fetches of an account; one that is under way stores nothing more. ErrNotFound
// means that the member has no handle there.
func Pause(ctx context.Context, db *gorm.DB, memberID int64, site string) error {
	a, err := accountOn(ctx, db, memberID, site)
	if err != nil {
		return err
	}
	return db.WithContext(ctx).Exec(`
		UPDATE account_schedule SET state = 'paused', requested_at = NULL, lease_id = '', leased_until = NULL WHERE account_id = @id`,
		pg.Named("id", a.ID)).Error
}

// Resume has a paused account fetched again, at once. Those on outside sites stay as they are.
func Resume(ctx context.Context, db *gorm.DB, memberID int64, site string, now time.Time) error {
	a, err := accountOn(ctx, db, memberID, site)
	if err != nil {
		return err
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		res := tx.Exec(`
			UPDATE account_schedule SET state = CASE WHEN last_retrieved_at IS NULL THEN 'new' ELSE 'active' END, failures = 0,
				failing_since = NULL, not_found = 0
			WHERE account_id = @id AND state = 'paused' AND site NOT IN (
				SELECT name FROM outside_sites WHERE kind = '')`, pg.Named("id", a.ID))
		if res.Error != nil || res.RowsAffected == 0 {
			return res.Error
		}
		return dueNow(ctx, tx, []int64{a.ID}, SourceRequest, now)
	})
}

func accountOn(ctx context.Context, db *gorm.DB, memberID int64, site string) (members.Account, error) {
	site = pg.CleanText(site)
	a, err := gorm.G[members.Account](db).Where("member_id = ? AND site = ?", memberID, site).Take(ctx)
	if err != nil {
		return a, fmt.Errorf("account of member %d on %s: %w", memberID, site, err)
	}
	return a, nil
}
