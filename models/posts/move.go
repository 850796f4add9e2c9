package posts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Move gives a post its true name: that of its home, where it was followed
// by a copy of it, by its author's handle, or as a repost.
type Move struct {
	ID int64
	To Key
}

// MoveDue gives posts that are leased their true names, to be fetched under
// them at once. The old ones lead to them from then on. One whose true name is
// followed already is finished: the other one goes on, and is the member's if it
// was nobody's.
func MoveDue(ctx context.Context, db *gorm.DB, lease Lease, moves []Move, now time.Time) error {
	if len(moves) == 0 {
		return nil
	}
	idOf := func(m *Move) int64 { return m.ID }
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var leased []int64
		if err := tx.Raw(`SELECT id FROM posts WHERE id = ANY(CAST(@ids AS bigint[])) AND lease_id = @lease ORDER BY id FOR UPDATE`,
			pg.Named("ids", pg.Column(moves, idOf), "lease", lease.ID)).Scan(&leased).Error; err != nil {
			return err
		}
		ours := slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return !slices.Contains(leased, m.ID) })
		ids, networks := pg.Column(ours, idOf), pg.Column(ours, func(m *Move) string { return m.To.Network })
		hosts := pg.Column(ours, func(m *Move) string { return m.To.Host })
		names := pg.Column(ours, func(m *Move) string { return m.To.ExternalID })
		if err := emitPosts(ctx, tx, *ids, now); err != nil { // By the names that they had.
			return err
		}
		if err := tx.Exec(queries.Must("move_owners"),
			pg.Named("ids", ids, "networks", networks, "hosts", hosts, "names", names)).Error; err != nil {
			return err
		}
		err := tx.Exec(queries.Must("move_posts"),
			pg.Named("ids", ids, "networks", networks, "hosts", hosts, "names", names, "now", now)).Error
		if err != nil {
			return err
		}
		return emitNamed(ctx, tx, *pg.Column(ours, func(m *Move) Key { return m.To }), now)
	})
	if err != nil {
		return fmt.Errorf("give posts their names: %w", err)
	}
	return nil
}
