package awards

import (
	"context"
	"fmt"
	"sync"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

const itemColumns = `source, key, member_id, seq, at, coalesce(first_at, at) AS first_at, status, event_id, zone, arrived_at, body,
	contributions, rev`

// readItems returns of the ledger's rows of a source, by key, what an event that
// takes their place needs; there is none for keys that are new.
func readItems(ctx context.Context, tx *gorm.DB, source string, keys []string) (map[string]*ledgerItem, error) {
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT key, member_id, seq, at, coalesce(first_at, at), status, event_id, contributions, rev FROM items
			WHERE source = @source AND key = ANY(CAST(@keys AS text[]))`,
		pg.Named("source", source, "keys", &keys)).Rows()
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	defer func() { _ = rows.Close() }()
	items := make(map[string]*ledgerItem, len(keys))
	for rows.Next() {
		i := ledgerItem{Source: source}
		if err := rows.Scan(&i.Key, &i.MemberID, &i.Seq, &i.At, &i.FirstAt, &i.Status, &i.EventID, &i.Contributions, &i.Rev); err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		if i.counted, err = readCounted(i.Contributions); err != nil {
			return nil, fmt.Errorf("item %s of %s: %w", i.Key, source, err)
		}
		items[i.Key] = &i
	}
	return items, rows.Err()
}

// itemRows are rows of the ledger as columns.
type itemRows struct {
	sources, keys, statuses, events, zones, bodies, counted []string
	members, seqs, revs                                     []int64
	ats, firsts, arrived                                    []time.Time
}

func (c *itemRows) add(i *ledgerItem) {
	event, zone, body := i.EventID, i.Zone, i.Body
	if i.own() {
		event, zone, body = "", "", ""
	}
	c.sources, c.keys, c.statuses, c.events, c.zones = append(c.sources, i.Source), append(c.keys, i.Key), append(c.statuses,
		i.Status), append(c.events, event), append(c.zones, zone)
	c.bodies, c.counted = append(c.bodies, body), append(c.counted, writeCounted(i.counted))
	c.members, c.seqs, c.revs = append(c.members, i.MemberID), append(c.seqs, i.Seq), append(c.revs, int64(i.Rev))
	c.ats, c.firsts, c.arrived = append(c.ats, i.At), append(c.firsts, i.FirstAt), append(c.arrived, i.ArrivedAt)
}

// write stores the rows: new ones, or those that are as they were read. All of them must be.
func (c *itemRows) write(ctx context.Context, tx *gorm.DB, fresh bool) (err error) {
	if len(c.keys) == 0 {
		return nil
	}
	var res *gorm.DB
	if tx = tx.WithContext(ctx); fresh {
		res = tx.Exec(queries.Must("insert_items"), pg.Named("sources", &c.sources, "keys", &c.keys, "members", &c.members,
			"seqs", &c.seqs, "ats", &c.ats, "firsts", &c.firsts, "statuses", &c.statuses, "events", &c.events, "zones", &c.zones,
			"arrived", &c.arrived,
			"bodies", &c.bodies, "counted", &c.counted))
	} else {
		res = tx.Exec(queries.Must("update_items"), pg.Named("sources", &c.sources, "keys", &c.keys, "members", &c.members,
			"seqs", &c.seqs, "ats", &c.ats, "firsts", &c.firsts, "statuses", &c.statuses, "events", &c.events, "zones", &c.zones,
			"arrived", &c.arrived,
			"bodies", &c.bodies, "counted", &c.counted, "revs", &c.revs))
	}
	if res.Error != nil {
		return fmt.Errorf("write the ledger: %w", res.Error)
	}
	if res.RowsAffected != int64(len(c.keys)) {
		return pg.ErrRetry
	}
	return nil
}

// remove deletes the rows that are as they were read. All of them must be.
func (c *itemRows) remove(ctx context.Context, tx *gorm.DB) error {
	if len(c.keys) == 0 {
		return nil
	}
	res := tx.WithContext(ctx).Exec(queries.Must("delete_items"), pg.Named("sources", &c.sources, "keys", &c.keys, "revs", &c.revs))
	if res.Error != nil {
		return fmt.Errorf("write the ledger: %w", res.Error)
	}
	if res.RowsAffected != int64(len(c.keys)) {
		return pg.ErrRetry
	}
	return nil
}

// writeItems stores what changed. Of own rows only those stay that contribute something. A row that is not as it was read any more was
// written by somebody else: ErrRetry. One that came into being meanwhile is a
// unique_violation, which is as good.
func writeItems(ctx context.Context, tx *gorm.DB, items map[string]*ledgerItem) error {
	var fresh, known, gone itemRows
	for _, i := range items {
		switch {
		case !i.changed:
		case i.own() && len(i.counted) == 0:
			if i.Rev > 0 {
				gone.add(i)
			}
		case i.Rev == 0:
			fresh.add(i)
		default:
			known.add(i)
		}
	}
	if err := gone.remove(ctx, tx); err != nil {
		return err
	}
	if err := known.write(ctx, tx, false); err != nil {
		return err
	}
	return fresh.write(ctx, tx, true)
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
