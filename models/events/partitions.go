package events

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	pg "laurel/models/db"
)

// eventDays is how long events stay on the bus after they came. The ledger keeps
// the newest of each item for as long as there is its member.
const eventDays = 7

// Roll makes the partitions of today and of the days to come and drops those that are
// over, if all that is in them was handled: what waits is never lost.
func Roll(ctx context.Context, db *gorm.DB, now time.Time) error {
	today := now.UTC().Truncate(24 * time.Hour)
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		// Who appends must not wait long; the next hour will do.
		if err := tx.Exec(`SET LOCAL lock_timeout = '2s'`).Error; err != nil {
			return err
		}
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(@class, 0)`, pg.Named("class", LockRoll)).Error; err != nil {
			return err
		}
		if err := afterRestore(ctx, tx); err != nil {
			return err
		}
		for ahead := range 3 {
			if err := makeDay(tx, today.AddDate(0, 0, ahead)); err != nil {
				return err
			}
		}
		return dropDays(tx, today.AddDate(0, 0, -eventDays))
	})
	if err != nil {
		return fmt.Errorf("roll the days of events: %w", err)
	}
	return nil
}

// makeDay makes the partition of a day that has none, and of which nothing has
// gone into the last partition yet.
func makeDay(tx *gorm.DB, day time.Time) error {
	name, next := "events_"+day.Format("20060102"), day.AddDate(0, 0, 1)
	var needed bool
	err := tx.Raw(`SELECT to_regclass(@name) IS NULL AND NOT EXISTS (SELECT FROM events_other
		WHERE stored_at >= @day AND stored_at < @next)`,
		pg.Named("name", name, "day", day, "next", next)).Scan(&needed).Error
	if err != nil || !needed {
		return err
	}
	return orLater(tx, fmt.Sprintf(`CREATE TABLE %s PARTITION OF events FOR VALUES FROM ('%s') TO ('%s')`, name, day.Format(time.RFC3339),
		next.Format(time.RFC3339)))
}

// orLater runs a statement that needs the table for itself. Where somebody is at
// it, or has just put the first event of the day into the last partition, the next
// hour will do, or what is there does.
func orLater(tx *gorm.DB, stmt string) error {
	err := tx.Transaction(func(inner *gorm.DB) error { return inner.Exec(stmt).Error })
	// lock_not_available, check_violation
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && (pg.Code == "55P03" || pg.Code == "23514") {
		return nil
	}
	return err
}

// unhandled are the events of a table that wait for their worker.
const unhandled = `
	SELECT FROM %s e JOIN event_positions p ON p.source = e.source AND p.part = e.part WHERE (e.txid, e.id) > (p.txid, p.id)`

func dropDays(tx *gorm.DB, before time.Time) error {
	var names []string
	err := tx.Raw(`
		SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = CAST('events' AS regclass) AND c.relname ~ '^events_[0-9]{8}$' AND c.relname < @first ORDER BY c.relname`,
		pg.Named("first", "events_"+before.Format("20060102"))).Scan(&names).Error
	if err != nil {
		return err
	}
	for _, name := range names {
		var waiting bool
		if err := tx.Raw(`SELECT EXISTS (` + fmt.Sprintf(unhandled, name) + `)`).Scan(&waiting).Error; err != nil {
			return err
		}
		if waiting {
			continue
		}
		if err := orLater(tx, `DROP TABLE `+name); err != nil {
			return err
		}
	}
	return tx.Exec(`
		DELETE FROM events_other e USING event_positions p
		WHERE e.stored_at < @before AND p.source = e.source AND p.part = e.part AND (e.txid, e.id) <= (p.txid, p.id)`,
		pg.Named("before", before)).Error
}
