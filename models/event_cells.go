package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"laurel/models/awards"
)

// A delta is by how much a counter moves, or what it is from now on.
type delta struct {
	amount int64
	is     bool
}

// A cell is a row of objective_cells.
type cell struct {
	ObjectiveID, MemberID int64
	Period, Status, Cell  string
	Amount                int64
}

func (c *cell) counter() counterKey {
	return counterKey{c.ObjectiveID, c.MemberID, c.Period, c.Status}
}

// writeCells moves the cells and tells how far that moves the counters; those in
// whole must be reckoned from all their cells. What has only the one cell, without
// a name, is a counter alone.
func (t *tally) writeCells(ctx context.Context, tx *gorm.DB) (counters map[counterKey]delta, whole map[counterKey]bool, err error) {
	counters, whole = map[counterKey]delta{}, map[counterKey]bool{}
	keys := make([]cellKey, 0, len(t.cells))
	for k, by := range t.cells {
		if k.Cell == "" {
			counters[k.counterKey] = delta{amount: by}
			continue
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return counters, whole, nil
	}
	slices.SortFunc(keys, compareCells)
	rows, err := moveCells(ctx, tx, keys, t.cells)
	if err != nil {
		return nil, nil, err
	}
	for i := range rows {
		r := &rows[i]
		k := r.counter()
		o := t.scheme.objectives[r.ObjectiveID].objective
		if !o.PerCell() {
			whole[k] = true
			continue
		}
		by := t.cells[cellKey{k, r.Cell}]
		d := counters[k]
		d.amount += int64(o.Moved(awards.Amount(r.Amount-by), awards.Amount(r.Amount)))
		counters[k] = d
	}
	return counters, whole, nil
}

func compareCells(a, b cellKey) int {
	return cmp.Or(compareCounters(a.counterKey, b.counterKey), cmp.Compare(a.Cell, b.Cell))
}

func compareCounters(a, b counterKey) int {
	return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.Objective, b.Objective), cmp.Compare(a.Period, b.Period), cmp.Compare(a.Status, b.Status))
}

// counterColumns are keys as the lists that a statement unnests.
type counterColumns struct {
	objectives, members, amounts []int64
	periods, statuses, cells     []string
}

func (c *counterColumns) add(k counterKey, cell string, amount int64) {
	c.objectives, c.members, c.amounts = append(c.objectives, k.Objective), append(c.members, k.Member), append(c.amounts, amount)
	c.periods, c.statuses, c.cells = append(c.periods, k.Period), append(c.statuses, k.Status), append(c.cells, cell)
}

func (c *counterColumns) args() map[string]any {
	return named("objectives", &c.objectives, "members", &c.members, "periods", &c.periods, "statuses", &c.statuses, "cells", &c.cells, "amounts", &c.amounts)
}

const givenCells = `unnest(CAST(@objectives AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@statuses AS text[]), CAST(@cells AS text[]), CAST(@amounts AS bigint[]))
	AS g(objective_id, member_id, period, status, cell, amount)`

// errBelow means that something was taken back that never was there.
var errBelow = errors.New("a counter would fall below 0")

// moveCells adds to the cells, and makes those that are new. What only takes back
// must be there already; a sum below 0 is refused by the table.
func moveCells(ctx context.Context, tx *gorm.DB, keys []cellKey, by map[cellKey]int64) (rows []cell, err error) {
	var c counterColumns
	for _, k := range keys {
		c.add(k.counterKey, k.Cell, by[k])
	}
	found, err := tx.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (SELECT * FROM `+givenCells+`),
		less AS (
			UPDATE objective_cells c SET amount = c.amount + g.amount FROM given g
			WHERE g.amount < 0 AND c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status AND c.cell = g.cell
			RETURNING c.objective_id, c.member_id, c.period, c.status, c.cell, c.amount),
		more AS (
			INSERT INTO objective_cells AS c (objective_id, member_id, period, status, cell, amount) SELECT * FROM given WHERE amount > 0
			ON CONFLICT (member_id, objective_id, period, status, cell) DO UPDATE SET amount = c.amount + EXCLUDED.amount
			RETURNING c.objective_id, c.member_id, c.period, c.status, c.cell, c.amount)
		SELECT * FROM less UNION ALL SELECT * FROM more`, c.args()).Rows()
	if err != nil {
		return nil, fmt.Errorf("move cells: %w", err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var r cell
		if err := found.Scan(&r.ObjectiveID, &r.MemberID, &r.Period, &r.Status, &r.Cell, &r.Amount); err != nil {
			return nil, fmt.Errorf("move cells: %w", err)
		}
		rows = append(rows, r)
	}
	if found.Err() == nil && len(rows) != len(keys) {
		return nil, errBelow
	}
	return rows, found.Err()
}

// lockWhole takes the counters whose rule needs all their cells, before any of
// those move: an item that goes over from a member of another part moves cells
// that a worker there may be adding up.
func (t *tally) lockWhole(ctx context.Context, tx *gorm.DB) error {
	whole := map[counterKey]bool{}
	for k := range t.cells {
		if o := t.scheme.objectives[k.Objective]; k.Cell != "" && !o.objective.PerCell() {
			whole[k.counterKey] = true
		}
	}
	if len(whole) == 0 {
		return nil
	}
	var c counterColumns
	for _, k := range slices.SortedFunc(maps.Keys(whole), compareCounters) {
		c.add(k, "", 0)
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO objective_counters (objective_id, member_id, period, status, amount)
		SELECT objective_id, member_id, period, status, 0 FROM `+givenCells+` ON CONFLICT DO NOTHING`, c.args()).Error
	if err == nil {
		err = tx.WithContext(ctx).Exec(`
			SELECT 1 FROM `+givenCells+` JOIN objective_counters c ON c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status
			ORDER BY c.member_id, c.objective_id, c.period, c.status FOR UPDATE OF c`, c.args()).Error
	}
	if err != nil {
		return fmt.Errorf("lock counters: %w", err)
	}
	return nil
}

// addWhole reckons counters whose rule needs all their cells.
func (t *tally) addWhole(ctx context.Context, tx *gorm.DB, counters map[counterKey]delta, whole map[counterKey]bool) error {
	if len(whole) == 0 {
		return nil
	}
	var c counterColumns
	for _, k := range slices.SortedFunc(maps.Keys(whole), compareCounters) {
		c.add(k, "", 0)
	}
	var rows []cell
	err := tx.WithContext(ctx).Raw(`
		SELECT c.* FROM `+givenCells+` JOIN objective_cells c
			ON c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status
		WHERE c.amount > 0`, c.args()).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("all cells of counters: %w", err)
	}
	cells := map[counterKey]map[string]awards.Amount{}
	for k := range whole {
		cells[k] = map[string]awards.Amount{}
	}
	for i := range rows {
		cells[rows[i].counter()][rows[i].Cell] = awards.Amount(rows[i].Amount)
	}
	for k, all := range cells {
		counters[k] = delta{int64(t.scheme.objectives[k.Objective].objective.Rule.Config.Value(all)), true}
	}
	return nil
}

// writeCounters moves the counters. Those that move get a version that is greater
// than all before them, one for all of a batch.
func writeCounters(ctx context.Context, tx *gorm.DB, counters map[counterKey]delta) error {
	var c counterColumns
	var is []bool
	for _, k := range slices.SortedFunc(maps.Keys(counters), compareCounters) {
		if d := counters[k]; d.is || d.amount != 0 {
			c.add(k, "", d.amount)
			is = append(is, d.is)
		}
	}
	if len(is) == 0 {
		return nil
	}
	args := c.args()
	args["is"] = &is
	var moved int
	err := tx.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (
			SELECT * FROM unnest(CAST(@objectives AS bigint[]), CAST(@members AS bigint[]), CAST(@periods AS text[]), CAST(@statuses AS text[]), CAST(@amounts AS bigint[]), CAST(@is AS boolean[]))
				AS g(objective_id, member_id, period, status, amount, whole)),
		clock AS MATERIALIZED (SELECT nextval('award_clock') AS n),
		less AS (
			UPDATE objective_counters c SET amount = c.amount + g.amount, version = (SELECT n FROM clock) FROM given g
			WHERE NOT g.whole AND g.amount < 0 AND c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status
			RETURNING 1),
		more AS (
			INSERT INTO objective_counters AS c (objective_id, member_id, period, status, amount, version)
			SELECT objective_id, member_id, period, status, amount, n FROM given, clock WHERE NOT whole AND amount > 0
			ON CONFLICT (member_id, objective_id, period, status) DO UPDATE SET amount = c.amount + EXCLUDED.amount, version = EXCLUDED.version
			RETURNING 1),
		whole AS (
			INSERT INTO objective_counters AS c (objective_id, member_id, period, status, amount, version)
			SELECT objective_id, member_id, period, status, amount, n FROM given, clock WHERE whole
			ON CONFLICT (member_id, objective_id, period, status) DO UPDATE SET amount = EXCLUDED.amount, version = EXCLUDED.version
			RETURNING 1)
		SELECT (SELECT count(*) FROM less) + (SELECT count(*) FROM more) + (SELECT count(*) FROM whole)`, args).Scan(&moved).Error
	if err != nil {
		return fmt.Errorf("move counters: %w", err)
	}
	if moved != len(is) {
		return errBelow
	}
	return nil
}
