package pushes

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
)

// RemoveSite forgets a declared site with its accounts. One that has submissions stays.
func RemoveSite(ctx context.Context, db *gorm.DB, name string, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var known string // Who pushes to it holds the row, too.
		err := tx.Raw(`SELECT name FROM outside_sites WHERE name = @name FOR UPDATE`, pg.Named("name", name)).Scan(&known).Error
		if err == nil && known == "" {
			err = pg.ErrNotFound
		}
		if err != nil {
			return err
		}
		var lost []history.LostHandle
		err = tx.Raw(`
			SELECT a.member_id, m.name AS member, a.site FROM accounts a JOIN members m ON m.id = a.member_id
			WHERE a.site = @name ORDER BY a.member_id FOR UPDATE OF a`, pg.Named("name", name)).Scan(&lost).Error
		if err != nil {
			return err
		}
		var full bool
		err = tx.Raw(`SELECT EXISTS (SELECT FROM submissions s JOIN accounts a ON a.id = s.account_id WHERE a.site = @name)`,
			pg.Named("name", name)).Scan(&full).Error
		if err != nil {
			return err
		}
		if full {
			return &pg.Error{Code: pg.CodeConflict, Message: "this site has submissions; it can be removed when no member has any there"}
		}
		if err := tx.Exec(`DELETE FROM accounts WHERE site = @name`, pg.Named("name", name)).Error; err != nil {
			return err
		}
		if err := forget(tx, name); err != nil {
			return err
		}
		if err := pg.Wake(ctx, tx, members.WakeSites); err != nil {
			return err
		}
		return history.RecordEdit(ctx, tx, []int64{}, lost, now)
	})
	if err != nil {
		return fmt.Errorf("remove site %s: %w", name, err)
	}
	return nil
}

// forget deletes a site and how it did: what takes its name later begins afresh.
func forget(tx *gorm.DB, name string) error {
	for _, stmt := range []string{
		`DELETE FROM site_circuits WHERE site = @name`, `DELETE FROM site_suspects WHERE site = @name`,
		`DELETE FROM site_canaries WHERE site = @name`, `DELETE FROM site_lists WHERE site = @name`,
		`DELETE FROM site_streams WHERE site = @name`, `DELETE FROM site_alarms WHERE site = @name`,
		`DELETE FROM site_terms WHERE site = @name`, `DELETE FROM outside_sites WHERE name = @name`,
	} {
		if err := tx.Exec(stmt, pg.Named("name", name)).Error; err != nil {
			return err
		}
	}
	return nil
}
