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

// MoveDue gives posts that are leased their true names, to be looked at under
// them at once. The old ones lead to them from then on. One whose true name is
// followed already is finished: the other one goes on, and is the member's if it
// was nobody's.
func MoveDue(ctx context.Context, db *gorm.DB, lease Lease, moves []Move, now time.Time) error {
	if len(moves) == 0 {
		return nil
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var all, held []int64
		for _, m := range moves {
			all = append(all, m.ID)
		}
		if err := tx.Raw(`SELECT id FROM posts WHERE id = ANY(CAST(@ids AS bigint[])) AND lease_id = @lease ORDER BY id FOR UPDATE`,
			pg.Named("ids", &all, "lease", lease.ID)).Scan(&held).Error; err != nil {
			return err
		}
		return movePosts(tx, slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return !slices.Contains(held, m.ID) }), now)
	})
	if err != nil {
		return fmt.Errorf("give posts their names: %w", err)
	}
	return nil
}

func movePosts(tx *gorm.DB, moves []Move, now time.Time) error {
	var ids []int64
	var networks, hosts, names []string
	for _, m := range moves {
		ids, networks, hosts, names = append(ids, m.ID), append(networks, m.To.Network), append(hosts, m.To.Host), append(names,
			m.To.ExternalID)
	}
	args := pg.Named("ids", &ids, "networks", &networks, "hosts", &hosts, "names", &names, "now", now)
	const given = `(SELECT DISTINCT ON (network, host, name) * FROM unnest(CAST(@ids AS bigint[]), CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@names AS text[])) AS g(id, network, host, name) ORDER BY network, host, name, id)`
	for _, stmt := range []string{
		`INSERT INTO post_pools (network, host) SELECT DISTINCT network, host FROM ` + given + ` g ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
		`UPDATE posts o SET member_id = p.member_id FROM ` + given + ` g JOIN posts p ON p.id = g.id
				WHERE o.network = g.network AND o.host = g.host AND o.external_id = g.name AND o.id <> p.id AND o.member_id IS NULL AND p.member_id IS NOT NULL`,
		`INSERT INTO post_names AS n (network, host, name, post_id)
				SELECT p.network, p.host, p.external_id, coalesce(o.id, min(p.id) OVER (PARTITION BY g.network, g.host, g.name))
				FROM unnest(CAST(@ids AS bigint[]), CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@names AS text[])) AS g(id, network, host, name)
				JOIN posts p ON p.id = g.id AND (p.network, p.host, p.external_id) <> (g.network, g.host, g.name)
				LEFT JOIN posts o ON o.network = g.network AND o.host = g.host AND o.external_id = g.name
				ON CONFLICT (network, host, name) DO UPDATE SET post_id = EXCLUDED.post_id`,
		`UPDATE posts p SET network = g.network, host = g.host, external_id = g.name, next_update_at = @now, state = 'active', leased_until = NULL, lease_id = NULL FROM ` + given + ` g
				WHERE p.id = g.id AND NOT EXISTS (SELECT FROM posts o WHERE o.network = g.network AND o.host = g.host AND o.external_id = g.name)`,
		`UPDATE posts p SET state = 'finished', next_update_at = NULL, leased_until = NULL, lease_id = NULL, repost_of = g.name, last_error = ''
				FROM unnest(CAST(@ids AS bigint[]), CAST(@networks AS text[]), CAST(@hosts AS text[]), CAST(@names AS text[])) AS g(id, network, host, name)
				WHERE p.id = g.id AND (p.network, p.host, p.external_id) <> (g.network, g.host, g.name)`,
	} {
		if err := tx.Exec(stmt, args).Error; err != nil {
			return err
		}
	}
	return nil
}
