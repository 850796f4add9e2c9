package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// EndSuspendedRequests takes back the asks for accounts of a site that is not asked now:
// nobody waits at the button for a site to heal. The accounts are due, so they
// are looked at as soon as it is.
func EndSuspendedRequests(ctx context.Context, db *gorm.DB, site string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(queries.Must("end_suspended_requests"), pg.Named("site", site, "now", now, "progress", pg.ChannelProgress)).Scan(&ids).Error
		if err != nil {
			return err
		}
		return dueNow(ctx, tx, ids, SourceRequest, now)
	})
	if err != nil {
		return fmt.Errorf("answer who asked for %s: %w", site, err)
	}
	return nil
}

// Circuits are the circuits of all sites that were ever amiss or have accounts, by site.
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
