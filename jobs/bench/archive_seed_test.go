package bench_test

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/bench"
)

// seedTable and seedUpsert are the shape of the document that the archive was
// designed after: a range and a set of instants on the row, an exclusion
// constraint per key, and one statement of common table expressions per row.
const seedTable = `
	CREATE TABLE seed_shape (
		period tstzrange NOT NULL, retrieved_at timestamptz[] NOT NULL, player bigint NOT NULL, place bigint NOT NULL, score bigint NOT NULL,
		PRIMARY KEY (period, player), EXCLUDE USING gist (player WITH =, period WITH &&)%s)`

const seedUpsert = `
	WITH input_row(period, retrieved_at, player, place, score) AS (
		VALUES (tstzrange(CAST(@now AS timestamptz), NULL), ARRAY[CAST(@now AS timestamptz)], CAST(@player AS bigint), CAST(@place AS bigint), CAST(@score AS bigint))),
	current_row_primary AS (SELECT period, player FROM seed_shape WHERE upper_inf(period) AND player = @player LIMIT 1),
	%s
	matching_current_row AS (
		SELECT period, player FROM seed_shape s JOIN current_row_primary USING (period, player) %s
		WHERE s.place IS NOT DISTINCT FROM @place AND s.score IS NOT DISTINCT FROM @score),
	missing_input_row AS (SELECT * FROM input_row WHERE NOT EXISTS (SELECT 1 FROM matching_current_row)),
	current_rows AS (SELECT * FROM current_row_primary %s),
	rows_to_invalidate AS (SELECT * FROM current_rows EXCEPT SELECT * FROM matching_current_row),
	invalidated_rows AS (
		UPDATE seed_shape s SET period = tstzrange(lower(s.period), @now) FROM rows_to_invalidate r WHERE s.period = r.period AND s.player = r.player RETURNING 1),
	updated_row AS (
		UPDATE seed_shape s SET retrieved_at = (SELECT array_agg(DISTINCT t ORDER BY t) FROM unnest(s.retrieved_at || CAST(@now AS timestamptz)) t)
		FROM matching_current_row m WHERE s.period = m.period AND s.player = m.player RETURNING 1),
	inserted_row AS (INSERT INTO seed_shape SELECT * FROM missing_input_row RETURNING 1)
	SELECT 1 FROM invalidated_rows UNION ALL SELECT 1 FROM updated_row UNION ALL SELECT 1 FROM inserted_row`

// seed gives a batch to the seed's shape, a row at a time in one transaction.
func (w *archiveWorld) seed(upsert string, n int) time.Duration {
	now := w.tick()
	start := time.Now()
	w.ok(w.db.Transaction(func(tx *gorm.DB) error {
		for i := n * batch; i < (n+1)*batch; i++ {
			var rows []int
			err := tx.Raw(upsert, map[string]any{"now": now, "player": int64(i), "place": int64(i), "score": w.score[i]}).Scan(&rows).Error
			if err != nil {
				return err
			}
		}
		return nil
	}))
	return time.Since(start)
}

// againstSeed compares with what was measured of the archive just before. The
// seed's table holds one version of a tenth of the rows, which flatters it.
func (w *archiveWorld) againstSeed() {
	exclude, second, join, union := "", "", "", ""
	if len(w.kind.shard.Unique) > 0 {
		exclude = ", EXCLUDE USING gist (place WITH =, period WITH &&)"
		second = "current_row_place AS (SELECT period, player FROM seed_shape WHERE upper_inf(period) AND ROW(place) = (SELECT place FROM input_row) LIMIT 1),"
		join, union = "JOIN current_row_place USING (period, player)", "UNION SELECT * FROM current_row_place"
	}
	w.ok(w.db.Exec(`CREATE EXTENSION IF NOT EXISTS btree_gist`).Error)
	w.ok(w.db.Exec(fmt.Sprintf(seedTable, exclude)).Error)
	upsert := fmt.Sprintf(seedUpsert, second, join, union)
	w.seed(upsert, 0)
	w.ok(w.db.Exec(`VACUUM ANALYZE seed_shape`).Error)
	var unchanged, changed []time.Duration
	for range 3 {
		unchanged = append(unchanged, w.seed(upsert, 0))
		w.change(0)
		changed = append(changed, w.seed(upsert, 0))
	}
	name := fmt.Sprintf("archive, %s, 1000 rows one by one: ", w.kind.name)
	bench.Ratio(name+"unchanged", median(unchanged), w.unchanged, "ms", "the archive's unchanged rows, 100 versions")
	bench.Ratio(name+"changed", median(changed), w.changed, "ms", "the archive's changed rows, 100 versions")
}
