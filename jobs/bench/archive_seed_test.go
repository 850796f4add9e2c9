package bench_test

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/archive"
)

// seedTable and seedUpsert are the shape of the document that the archive was
// designed after: a range and a set of instants on the row, an exclusion
// constraint per key, and one statement of common table expressions per row.
const seedTable = `
	CREATE TABLE seed_shape (period tstzrange NOT NULL, retrieved_at timestamptz[] NOT NULL, player bigint NOT NULL, place bigint NOT NULL, score bigint NOT NULL)`

// seedHistory is a history at once; the constraints are made after it.
const seedHistory = `
	INSERT INTO seed_shape
	SELECT tstzrange(since, CASE WHEN v < @versions THEN since + interval '1 hour' END), ARRAY[since], player, player, v
	FROM (SELECT v, player, CAST(@now AS timestamptz) - (@versions - v + 1) * interval '1 hour' AS since
		FROM generate_series(1, @versions) v, generate_series(0, @players - 1) player) h`

const (
	seedVersions = 100 // As the archive has, or a few less.
	seedRows     = 100 // Of a batch: all of them would take minutes with two keys.
)

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

// seed gives the first rows of a batch to the seed's shape, a row at a time, each
// committed by itself or all in one transaction, and returns how long the whole
// batch would take.
func (w *archiveWorld) seed(upsert string, n int, committed bool) time.Duration {
	now := w.tick()
	rows := func(tx *gorm.DB) error {
		for i := n * batch; i < n*batch+seedRows; i++ {
			var rows []int
			err := tx.Raw(upsert, map[string]any{"now": now, "player": int64(i), "place": int64(i), "score": w.score[i]}).Scan(&rows).Error
			if err != nil {
				return err
			}
		}
		return nil
	}
	start := time.Now()
	if committed {
		w.ok(rows(w.db))
	} else {
		w.ok(w.db.Transaction(rows))
	}
	return time.Since(start) * batch / seedRows
}

// againstSeed gives the same rows to the seed's shape and to the archive in turn.
// The seed's table holds as many keys, and as many versions or a few less.
func (w *archiveWorld) againstSeed() {
	w.ok(w.db.Exec(`CREATE EXTENSION IF NOT EXISTS btree_gist`).Error)
	w.ok(w.db.Exec(seedTable).Error)
	w.ok(w.db.Exec(seedHistory, map[string]any{"now": w.clock, "versions": seedVersions, "players": archiveKeys}).Error)
	constraints := []string{"PRIMARY KEY (period, player)", "EXCLUDE USING gist (player WITH =, period WITH &&)"}
	second, join, union := "", "", ""
	if len(w.kind.shard.Unique) > 0 {
		constraints = append(constraints, "EXCLUDE USING gist (place WITH =, period WITH &&)")
		second = "current_row_place AS (SELECT period, player FROM seed_shape WHERE upper_inf(period) AND ROW(place) = (SELECT place FROM input_row) LIMIT 1),"
		join, union = "JOIN current_row_place USING (period, player)", "UNION SELECT * FROM current_row_place"
	}
	for _, c := range constraints {
		w.ok(w.db.Exec(`ALTER TABLE seed_shape ADD ` + c).Error)
	}
	w.ok(w.db.Exec(`VACUUM ANALYZE seed_shape`).Error)
	upsert := fmt.Sprintf(seedUpsert, second, join, union)
	w.seed(upsert, 0, false) // Its scores are not those of the history: all rows change.
	for _, committed := range []bool{true, false} {
		var unchanged, changed []pair
		for range 5 {
			row := w.seed(upsert, 0, committed)
			unchanged = append(unchanged, pair{row, w.store(0, true, func(r archive.Result) bool { return r.Confirmed == batch })})
			w.store(1, true, func(archive.Result) bool { return true }) // The page shows something else in between.
			w.change(0)
			row = w.seed(upsert, 0, committed)
			changed = append(changed, pair{row, w.store(0, true, func(r archive.Result) bool { return r.Inserted == batch })})
			w.store(1, true, func(archive.Result) bool { return true })
		}
		w.printSeed("unchanged", committed, unchanged)
		w.printSeed("changed", committed, changed)
	}
}

func (w *archiveWorld) printSeed(what string, committed bool, pairs []pair) {
	how := "in one transaction"
	if committed {
		how = "each committed"
	}
	p := middle(pairs)
	bench.Ratio(fmt.Sprintf("archive, %s, one by one: %s, %s", w.kind.name, what, how), ms(p.first), ms(p.second), "ms",
		fmt.Sprintf("the archive's 1000 rows; %d versions of each of %d keys here, more than 100 there", seedVersions, archiveKeys))
}
