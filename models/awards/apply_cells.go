package awards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// A delta is by how much a counter moves, or what it is from now on.
type delta struct {
	amount int64
	whole  bool
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

// writeCells moves the cells and returns how far that moves the counters of rules that
// go by single cells. What has only the one cell, without a name, is a counter alone.
func (t *batch) writeCells(ctx context.Context, tx *gorm.DB) (map[counterKey]delta, error) {
	counters := map[counterKey]delta{}
	keys := make([]cellKey, 0, len(t.cells))
	for k, by := range t.cells {
		if k.Cell == "" {
			counters[k.counterKey] = delta{amount: by}
			continue
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return counters, nil
	}
	slices.SortFunc(keys, compareCells)
	rows, err := moveCells(ctx, tx, keys, t.cells)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		r := &rows[i]
		k := r.counter()
		if o := t.ruleset.objectives[r.ObjectiveID].objective; o.PerCell() {
			d := counters[k]
			d.amount += int64(o.Moved(rules.Amount(r.Amount-t.cells[cellKey{k, r.Cell}]), rules.Amount(r.Amount)))
			counters[k] = d
		}
	}
	return counters, nil
}

func compareCells(a, b cellKey) int {
	if c := compareCounters(a.counterKey, b.counterKey); c != 0 {
		return c
	}
	return cmp.Compare(a.Cell, b.Cell)
}

// compareCounters compares no texts where numbers will do: there are many to sort.
func compareCounters(a, b counterKey) int {
	if c := cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.Objective, b.Objective)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Period, b.Period), cmp.Compare(a.Status, b.Status))
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

// errBelow means that something was taken back that never was there.
var errBelow = errors.New("a counter would fall below 0")

// moveCells adds to the cells and returns them, in the order of the keys. It makes
// those that are new; where somebody else makes one meanwhile, the batch is done
// again. What only takes back must be there already; a sum below 0 is refused by the
// table.
func moveCells(ctx context.Context, tx *gorm.DB, keys []cellKey, by map[cellKey]int64) ([]cell, error) {
	var c counterColumns
	rows := make([]cell, len(keys))
	for i, k := range keys {
		c.add(k.counterKey, k.Cell, by[k])
		rows[i] = cell{k.Objective, k.Member, k.Period, k.Status, k.Cell, by[k]}
	}
	found, err := tx.WithContext(ctx).Raw(queries.Must("move_cells"), pg.Named("objectives", &c.objectives, "members", &c.members,
		"periods", &c.periods, "statuses", &c.statuses, "cells", &c.cells, "amounts", &c.amounts)).Rows()
	if err != nil {
		return nil, fmt.Errorf("move cells: %w", err)
	}
	defer func() { _ = found.Close() }()
	done := 0
	for found.Next() {
		var n, amount int64
		if err := found.Scan(&n, &amount); err != nil {
			return nil, fmt.Errorf("move cells: %w", err)
		}
		if n == 0 {
			done += int(amount)
			continue
		}
		rows[n-1].Amount = amount
		done++
	}
	if found.Err() == nil && done != len(keys) {
		return nil, errBelow
	}
	return rows, found.Err()
}

// wholeCounters are the counters of a batch whose rule needs all their cells.
func (t *batch) wholeCounters() (list []counterKey, keys map[string]any) {
	whole := map[counterKey]bool{}
	for k := range t.cells {
		if k.Cell != "" && !t.ruleset.objectives[k.Objective].objective.PerCell() {
			whole[k.counterKey] = true
		}
	}
	list = slices.SortedFunc(maps.Keys(whole), compareCounters)
	var c counterColumns
	for _, k := range list {
		c.add(k, "", 0)
	}
	return list, pg.Named("objectives", &c.objectives, "members", &c.members, "periods", &c.periods, "statuses", &c.statuses)
}

// lockCounters takes the counters whose rule needs all their cells, before any of
// those move: an item that goes over from a member of another part moves cells
// that a worker there may be adding up.
func lockCounters(ctx context.Context, tx *gorm.DB, keys map[string]any) error {
	for _, stmt := range []string{
		`INSERT INTO objective_counters (objective_id, member_id, period, status, amount)
		SELECT objective_id, member_id, period, status, 0 FROM given_counters(@objectives, @members, @periods, @statuses)
		ON CONFLICT DO NOTHING`,
		`SELECT 1 FROM given_counters(@objectives, @members, @periods, @statuses) g
		JOIN objective_counters c USING (objective_id, member_id, period, status)
		ORDER BY c.member_id, c.objective_id, c.period, c.status FOR UPDATE OF c`,
	} {
		if err := tx.WithContext(ctx).Exec(stmt, keys).Error; err != nil {
			return fmt.Errorf("lock counters: %w", err)
		}
	}
	return nil
}

// sumCells works out counters whose rule needs all their cells.
func (t *batch) sumCells(ctx context.Context, tx *gorm.DB, whole []counterKey, keys map[string]any, counters map[counterKey]delta) error {
	var rows []cell
	err := tx.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[cell]("c")+` FROM given_counters(@objectives, @members, @periods, @statuses) g
		JOIN objective_cells c USING (objective_id, member_id, period, status) WHERE c.amount > 0`, keys).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("all cells of counters: %w", err)
	}
	cells := map[counterKey]map[string]rules.Amount{}
	for _, k := range whole {
		cells[k] = map[string]rules.Amount{}
	}
	for i := range rows {
		cells[rows[i].counter()][rows[i].Cell] = rules.Amount(rows[i].Amount)
	}
	for k, all := range cells {
		counters[k] = delta{int64(t.ruleset.objectives[k.Objective].objective.Rule.Config.Value(all)), true}
	}
	return nil
}

// writeCounters moves the counters. Those that move get a version that is greater
// than all before them, one for all of a batch.
func writeCounters(ctx context.Context, tx *gorm.DB, counters map[counterKey]delta) error {
	var c counterColumns
	var whole []bool
	for _, k := range slices.SortedFunc(maps.Keys(counters), compareCounters) {
		if d := counters[k]; d.whole || d.amount != 0 {
			c.add(k, "", d.amount)
			whole = append(whole, d.whole)
		}
	}
	if len(whole) == 0 {
		return nil
	}
	var moved int
	err := tx.WithContext(ctx).Raw(queries.Must("move_counters"), pg.Named("objectives", &c.objectives, "members", &c.members,
		"periods", &c.periods, "statuses", &c.statuses, "amounts", &c.amounts, "whole", &whole)).Scan(&moved).Error
	if err != nil {
		return fmt.Errorf("move counters: %w", err)
	}
	if moved != len(whole) {
		return errBelow
	}
	return nil
}
