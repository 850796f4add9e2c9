package models

import (
	"context"
	"fmt"

	"gorm.io/gorm"
)

// write stores all that a batch changes: the ledger, the cells, the counters,
// the log, and whose awards must be reckoned anew.
func (t *tally) write(ctx context.Context, tx *gorm.DB, items map[string]*ledgerItem) error {
	if t.full {
		return errFull
	}
	if err := writeItems(ctx, tx, items); err != nil {
		return err
	}
	if err := t.lockWhole(ctx, tx); err != nil {
		return err
	}
	counters, whole, err := t.writeCells(ctx, tx)
	if err != nil {
		return err
	}
	if err := t.addWhole(ctx, tx, counters, whole); err != nil {
		return err
	}
	if err := writeCounters(ctx, tx, counters); err != nil {
		return err
	}
	if err := t.writeLog(ctx, tx); err != nil {
		return err
	}
	return t.writeDirty(ctx, tx)
}

// writeLog stores how each change changed an objective.
func (t *tally) writeLog(ctx context.Context, tx *gorm.DB) error {
	if len(t.log) == 0 {
		return nil
	}
	var members, objectives []int64
	var sources, keys, events, reasons []string
	var was, became []*string
	for _, l := range t.log {
		members, objectives = append(members, l.Member), append(objectives, l.Objective)
		sources, keys, events, reasons = append(sources, l.Source), append(keys, l.Key), append(events, l.EventID), append(reasons, l.Reason)
		was, became = append(was, l.Was.text()), append(became, l.Became.text())
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO award_log (at, member_id, objective_id, source, key, event_id, reason, was, became)
		SELECT @now, member_id, objective_id, source, key, event_id, reason, was, became
		FROM unnest(CAST(@members AS bigint[]), CAST(@objectives AS bigint[]), CAST(@sources AS text[]), CAST(@keys AS text[]), CAST(@events AS text[]), CAST(@reasons AS text[]),
			CAST(@was AS text[]), CAST(@became AS text[])) AS l(member_id, objective_id, source, key, event_id, reason, was, became)`,
		named("now", t.now, "members", &members, "objectives", &objectives, "sources", &sources, "keys", &keys, "events", &events, "reasons", &reasons, "was", &was, "became", &became)).Error
	if err != nil {
		return fmt.Errorf("log of awards: %w", err)
	}
	return nil
}

// writeDirty appends to the queue of awards to reckon. It is never looked at
// here whether one is in it already: who takes it out may be at it right now.
func (t *tally) writeDirty(ctx context.Context, tx *gorm.DB) error {
	if len(t.dirty) == 0 {
		return nil
	}
	var ids, members []int64
	var periods []string
	for d := range t.dirty {
		ids, members, periods = append(ids, d.Award), append(members, d.Member), append(periods, d.Period)
	}
	err := tx.WithContext(ctx).Exec(`
		WITH marked AS (
			INSERT INTO award_dirty (award_id, member_id, period)
			SELECT * FROM unnest(CAST(@awards AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[])) RETURNING 1)
		SELECT pg_notify(@channel, @whom) WHERE EXISTS (SELECT FROM marked)`,
		named("awards", &ids, "members", &members, "periods", &periods, "channel", ChannelAsked, "whom", WakeAwards)).Error
	if err != nil {
		return fmt.Errorf("awards to reckon: %w", err)
	}
	return nil
}
