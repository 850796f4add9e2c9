package models

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gorm.io/gorm"
)

const itemColumns = `source, key, member_id, seq, at, status, event_id, zone, arrived_at, body, CAST(contributions AS text) AS contributions, rev`

// readItems returns of the ledger's rows of a source, by key, what an event that
// takes their place needs; there is none for keys that are new.
func readItems(ctx context.Context, tx *gorm.DB, source string, keys []string) (map[string]*ledgerItem, error) {
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT key, member_id, seq, at, status, event_id, CAST(contributions AS text), rev FROM items WHERE source = @source AND key = ANY(CAST(@keys AS text[]))`,
		named("source", source, "keys", &keys)).Rows()
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	defer func() { _ = rows.Close() }()
	items := make(map[string]*ledgerItem, len(keys))
	for rows.Next() {
		i := ledgerItem{Source: source}
		if err := rows.Scan(&i.Key, &i.MemberID, &i.Seq, &i.At, &i.Status, &i.EventID, &i.Contributions, &i.Rev); err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		if i.counted, err = readCounted(i.Contributions); err != nil {
			return nil, fmt.Errorf("item %s of %s: %w", i.Key, source, err)
		}
		items[i.Key] = &i
	}
	return items, rows.Err()
}

// writeItems stores what changed. A row that is not as it was read any more, or
// that came into being meanwhile, was written by somebody else: errRetry.
func writeItems(ctx context.Context, tx *gorm.DB, items map[string]*ledgerItem) error {
	var c struct {
		sources, keys, statuses, events, zones, bodies, counted []string
		members, seqs, revs                                     []int64
		ats, arrived                                            []time.Time
	}
	for _, i := range items {
		if !i.changed {
			continue
		}
		c.sources, c.keys, c.statuses, c.events, c.zones = append(c.sources, i.Source), append(c.keys, i.Key), append(c.statuses, i.Status), append(c.events, i.EventID), append(c.zones, i.Zone)
		c.bodies, c.counted = append(c.bodies, i.Body), append(c.counted, writeCounted(i.counted))
		c.members, c.seqs, c.revs = append(c.members, i.MemberID), append(c.seqs, i.Seq), append(c.revs, int64(i.Rev))
		c.ats, c.arrived = append(c.ats, i.At), append(c.arrived, i.ArrivedAt)
	}
	if len(c.keys) == 0 {
		return nil
	}
	res := tx.WithContext(ctx).Exec(`
		WITH given AS MATERIALIZED (
			SELECT * FROM unnest(CAST(@sources AS text[]), CAST(@keys AS text[]), CAST(@members AS bigint[]), CAST(@seqs AS bigint[]), CAST(@ats AS timestamptz[]), CAST(@statuses AS text[]),
				CAST(@events AS text[]), CAST(@zones AS text[]), CAST(@arrived AS timestamptz[]), CAST(@bodies AS text[]), CAST(@counted AS text[]), CAST(@revs AS bigint[]))
				AS g(source, key, member_id, seq, at, status, event_id, zone, arrived_at, body, contributions, rev)),
		known AS (
			UPDATE items i SET member_id = g.member_id, seq = g.seq, at = g.at, status = g.status, event_id = g.event_id, zone = g.zone, arrived_at = g.arrived_at,
				body = g.body, contributions = CAST(g.contributions AS json), rev = i.rev + 1
			FROM given g WHERE g.rev > 0 AND i.source = g.source AND i.key = g.key AND i.rev = g.rev
			RETURNING 1),
		fresh AS (
			INSERT INTO items (source, key, member_id, seq, at, status, event_id, zone, arrived_at, body, contributions)
			SELECT source, key, member_id, seq, at, status, event_id, zone, arrived_at, body, CAST(contributions AS json) FROM given WHERE rev = 0 ORDER BY source, key
			ON CONFLICT DO NOTHING RETURNING 1)
		SELECT 1 FROM known UNION ALL SELECT 1 FROM fresh`,
		named("sources", &c.sources, "keys", &c.keys, "members", &c.members, "seqs", &c.seqs, "ats", &c.ats, "statuses", &c.statuses,
			"events", &c.events, "zones", &c.zones, "arrived", &c.arrived, "bodies", &c.bodies, "counted", &c.counted, "revs", &c.revs))
	if res.Error != nil {
		return fmt.Errorf("write the ledger: %w", res.Error)
	}
	if res.RowsAffected != int64(len(c.keys)) {
		return errRetry
	}
	return nil
}

var zones sync.Map // Name to *time.Location: reading one from the disk takes longer than an event.

// zoneOf is a zone by its name; UTC where the name is of no zone (any more).
func zoneOf(name string) *time.Location {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		z = time.UTC
	}
	zones.Store(name, z)
	return z
}
