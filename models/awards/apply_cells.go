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
func (t *batch) writeCells(ctx context.Context, tx *gorm.DB) (counters map[counterKey]delta, whole map[counterKey]bool, err error) {
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
		d.amount += int64(o.Moved(rules.Amount(r.Amount-by), rules.Amount(r.Amount)))
		counters[k] = d
	}
	return counters, whole, nil
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
	places, objectives, members, amounts []int64 // The place is counted from 1.
	periods, statuses, cells             []string
}

func (c *counterColumns) add(k counterKey, cell string, amount int64) {
	c.places = append(c.places, int64(len(c.places)+1))
	c.objectives, c.members, c.amounts = append(c.objectives, k.Objective), append(c.members, k.Member), append(c.amounts, amount)
	c.periods, c.statuses, c.cells = append(c.periods, k.Period), append(c.statuses, k.Status), append(c.cells, cell)
}

func (c *counterColumns) args() map[string]any {
	return pg.Named("places", &c.places, "objectives", &c.objectives, "members", &c.members, "periods", &c.periods, "statuses", &c.statuses,
		"cells", &c.cells, "amounts", &c.amounts)
}

// givenCounters are the counters' keys in a statement. Lists that are unnested side by
// side in a SELECT come row by row; in FROM, PostgreSQL keeps each as a table first.
const givenCounters = `SELECT unnest(CAST(@objectives AS bigint[])) AS objective_id, unnest(CAST(@members AS bigint[])) AS member_id,
	unnest(CAST(@periods AS text[])) AS period,
	unnest(CAST(@statuses AS text[])) AS status, unnest(CAST(@amounts AS bigint[])) AS amount, unnest(CAST(@places AS bigint[])) AS n`

// errBelow means that something was taken back that never was there.
var errBelow = errors.New("a counter would fall below 0")

// moveCells adds to the cells and returns them, in the order of the keys. It makes
// those that are new; where somebody else makes one meanwhile, the batch is done
// again. What only takes back must be there already; a sum below 0 is refused by the
// table. Looking for a row that is there is cheaper than INSERT ... ON CONFLICT.
func moveCells(ctx context.Context, tx *gorm.DB, keys []cellKey, by map[cellKey]int64) ([]cell, error) {
	var c counterColumns
	rows := make([]cell, len(keys))
	for i, k := range keys {
		c.add(k.counterKey, k.Cell, by[k])
		rows[i] = cell{k.Objective, k.Member, k.Period, k.Status, k.Cell, by[k]}
	}
	found, err := tx.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (`+givenCounters+`, unnest(CAST(@cells AS text[])) AS cell),
		moved AS (
			UPDATE objective_cells c SET amount = c.amount + g.amount FROM given g
			WHERE c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status
				AND c.cell = g.cell
			RETURNING g.n, c.amount),
		made AS (
			INSERT INTO objective_cells (objective_id, member_id, period, status, cell, amount)
			SELECT objective_id, member_id, period, status, cell, amount FROM given WHERE amount > 0 AND n NOT IN (SELECT n FROM moved)
				RETURNING 1)
		SELECT n, amount FROM moved UNION ALL SELECT 0, count(*) FROM made`, c.args()).Rows()
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

// lockWhole takes the counters whose rule needs all their cells, before any of
// those move: an item that goes over from a member of another part moves cells
// that a worker there may be adding up.
func (t *batch) lockWhole(ctx context.Context, tx *gorm.DB) error {
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
		SELECT objective_id, member_id, period, status, 0 FROM (`+givenCounters+`) g ON CONFLICT DO NOTHING`, c.args()).Error
	if err == nil {
		err = tx.WithContext(ctx).Exec(`
			SELECT 1 FROM (`+givenCounters+
			`) g JOIN objective_counters c ON c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period
				AND c.status = g.status
			ORDER BY c.member_id, c.objective_id, c.period, c.status FOR UPDATE OF c`, c.args()).Error
	}
	if err != nil {
		return fmt.Errorf("lock counters: %w", err)
	}
	return nil
}

// addWhole reckons counters whose rule needs all their cells.
func (t *batch) addWhole(ctx context.Context, tx *gorm.DB, counters map[counterKey]delta, whole map[counterKey]bool) error {
	if len(whole) == 0 {
		return nil
	}
	var c counterColumns
	for _, k := range slices.SortedFunc(maps.Keys(whole), compareCounters) {
		c.add(k, "", 0)
	}
	var rows []cell
	err := tx.WithContext(ctx).Raw(`
		SELECT c.* FROM (`+givenCounters+`) g JOIN objective_cells c
			ON c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status
		WHERE c.amount > 0`, c.args()).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("all cells of counters: %w", err)
	}
	cells := map[counterKey]map[string]rules.Amount{}
	for k := range whole {
		cells[k] = map[string]rules.Amount{}
	}
	for i := range rows {
		cells[rows[i].counter()][rows[i].Cell] = rules.Amount(rows[i].Amount)
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
		WITH given AS MATERIALIZED (`+givenCounters+`, unnest(CAST(@is AS boolean[])) AS whole),
		clock AS MATERIALIZED (SELECT nextval('award_clock') AS version),
		moved AS (
			UPDATE objective_counters c SET amount = CASE WHEN g.whole THEN g.amount ELSE c.amount + g.amount END,
				version = (SELECT version FROM clock) FROM given g
			WHERE c.member_id = g.member_id AND c.objective_id = g.objective_id AND c.period = g.period AND c.status = g.status
			RETURNING g.n),
		made AS (
			INSERT INTO objective_counters (objective_id, member_id, period, status, amount, version)
			SELECT objective_id, member_id, period, status, amount, version FROM given, clock
				WHERE (whole OR amount > 0) AND n NOT IN (SELECT n FROM moved) RETURNING 1)
		SELECT (SELECT count(*) FROM moved) + (SELECT count(*) FROM made)`, args).Scan(&moved).Error
	if err != nil {
		return fmt.Errorf("move counters: %w", err)
	}
	if moved != len(is) {
		return errBelow
	}
	return nil
}
