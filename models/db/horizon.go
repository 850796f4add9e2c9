package db

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// Horizon returns a transaction number that all transactions before it have
// ended, so that a statement that begins later sees all that they wrote.
// What is at or behind it waits: a smaller number may still come to be seen.
//
// PostgreSQL's own answer, the xmin of a snapshot, is held back by a transaction
// in any database of the server. Only those of this database matter; where some
// of them are hidden from us, its answer is taken. The end is read first: what
// began before it is among those that are open, or has ended.
func Horizon(ctx context.Context, tx *gorm.DB) (int64, error) {
	var end, all int64
	err := tx.WithContext(ctx).Raw(`
		SELECT CAST(CAST(pg_snapshot_xmax(s) AS text) AS bigint), CAST(CAST(pg_snapshot_xmin(s) AS text) AS bigint)
			FROM pg_current_snapshot() s`).Row().Scan(&end, &all)
	if err != nil {
		return 0, fmt.Errorf("horizon of transactions: %w", err)
	}
	var others []struct {
		Xid    int64
		Hidden bool
	}
	err = tx.WithContext(ctx).Raw(`
		SELECT coalesce(CAST(CAST(backend_xid AS text) AS bigint), 0) AS xid, query = '<insufficient privilege>' AS hidden
		FROM pg_stat_activity WHERE datname = current_database() AND (backend_xid IS NOT NULL OR query = '<insufficient privilege>')
		UNION ALL SELECT CAST(CAST(transaction AS text) AS bigint), false FROM pg_prepared_xacts WHERE database = current_database()`).Scan(
		&others).Error
	if err != nil {
		return 0, fmt.Errorf("horizon of transactions: %w", err)
	}
	safe := end
	for _, o := range others {
		if o.Hidden {
			return all, nil
		}
		safe = min(safe, wholeXid(o.Xid, end))
	}
	return safe, nil
}

// wholeXid is a transaction number of which only the lower 32 bits are known. It
// is at most half of them away from another one.
func wholeXid(xid, near int64) int64 {
	xid |= near &^ 0xffffffff
	switch {
	case xid > near+1<<31:
		return xid - 1<<32
	case xid < near-1<<31:
		return xid + 1<<32
	}
	return xid
}
