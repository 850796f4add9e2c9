package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// write stores all that a batch changes: the ledger, the cells, the counters,
// the log, and whose awards are pending.
func (t *batch) write(ctx context.Context, tx *gorm.DB, items map[string]*ledgerItem) error {
	if t.full {
		return errFull
	}
	if err := writeItems(ctx, tx, items); err != nil {
		return err
	}
	whole, keys := t.wholeCounters()
	if len(whole) > 0 {
		if err := lockCounters(ctx, tx, keys); err != nil {
			return err
		}
	}
	counters, err := t.writeCells(ctx, tx)
	if err != nil {
		return err
	}
	if len(whole) > 0 {
		if err := t.sumCells(ctx, tx, whole, keys, counters); err != nil {
			return err
		}
	}
	if err := writeCounters(ctx, tx, counters); err != nil {
		return err
	}
	if err := t.writeLog(ctx, tx); err != nil {
		return err
	}
	return t.writePending(ctx, tx)
}

// writeLog stores how each event changed each award.
func (t *batch) writeLog(ctx context.Context, tx *gorm.DB) error {
	if len(t.log) == 0 {
		return nil
	}
	var members, ids []int64
	var sources, keys, events, reasons, changes []string
	for i := range t.log {
		l := &t.log[i]
		members, ids, changes = append(members, l.Member), append(ids, l.Award), append(changes, writeChanges(l.changes))
		sources, keys, events, reasons = append(sources, l.Source), append(keys, l.Key), append(events, l.EventID), append(reasons,
			l.Reason)
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO award_log (at, member_id, award_id, source, key, event_id, reason, changes)
		SELECT @now, unnest(CAST(@members AS bigint[])), unnest(CAST(@awards AS bigint[])), unnest(CAST(@sources AS text[])),
			unnest(CAST(@keys AS text[])), unnest(CAST(@events AS text[])),
			unnest(CAST(@reasons AS text[])), unnest(CAST(@changes AS text[]))`,
		pg.Named("now", t.now, "members", &members, "awards", &ids, "sources", &sources, "keys", &keys, "events", &events, "reasons",
			&reasons, "changes", &changes)).Error
	if err != nil {
		return fmt.Errorf("log of awards: %w", err)
	}
	return nil
}

// writePending appends to the queue, also what is in it already: who takes that out
// may be at it right now.
func (t *batch) writePending(ctx context.Context, tx *gorm.DB) error {
	if len(t.pending) == 0 {
		return nil
	}
	var ids, members []int64
	var periods []string
	var changed []time.Time
	for d, at := range t.pending {
		ids, members, periods, changed = append(ids, d.Award), append(members, d.Member), append(periods, d.Period), append(changed, at)
	}
	err := tx.WithContext(ctx).Exec(`
		WITH marked AS (
			INSERT INTO award_pending (award_id, member_id, period, changed_at)
			SELECT unnest(CAST(@awards AS bigint[])), unnest(CAST(@members AS bigint[])), unnest(CAST(@periods AS text[])),
				unnest(CAST(@changed AS timestamptz[])) RETURNING 1)
		SELECT pg_notify(@channel, @whom) WHERE EXISTS (SELECT FROM marked)`,
		pg.Named("awards", &ids, "members", &members, "periods", &periods, "changed", &changed, "channel", pg.ChannelAsked,
			"whom", events.WakeAwards)).Error
	if err != nil {
		return fmt.Errorf("pending members: %w", err)
	}
	return nil
}
