package archive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Forget deletes all rows of shards whose fields of the key have one of the values given of each, and what
// was set aside of them, for good. The log keeps the retrievals and says of each that it gave so many facts less.
// A transaction may hold one of it, and no Store.
func Forget(ctx context.Context, tx *gorm.DB, all []*Shard, of map[string][]string) error {
	var locks []int64
	for _, s := range all {
		for i := range stripes {
			locks = append(locks, stripe(s, i))
		}
	}
	slices.Sort(locks)
	tx = tx.WithContext(ctx)
	err := lockAll(tx, locks)
	for _, s := range all {
		if err == nil {
			err = s.forget(tx, of)
		}
	}
	if err != nil {
		return fmt.Errorf("forget in the archive: %w", err)
	}
	return nil
}

// forget deletes the rows of one shard, and what the log and the pages say of them.
func (s *Shard) forget(tx *gorm.DB, of map[string][]string) error {
	rows, aside := []string{"true"}, []string{"shard = @shard"}
	args := pg.Named("shard", s.Stored())
	for i, field := range slices.Sorted(maps.Keys(of)) {
		values, these := of[field], fmt.Sprintf("ANY(CAST(@values%d AS text[]))", i)
		args["values"+strconv.Itoa(i)] = &values
		rows = append(rows, quote(field)+" = "+these)
		aside = append(aside, fmt.Sprintf("key ->> %d = %s", s.Positions([]string{field})[0], these))
	}
	var gone string
	err := tx.Raw(fmt.Sprintf(`
		WITH open AS (DELETE FROM %[1]s WHERE %[3]s RETURNING _from, _seen, _aside),
		past AS (DELETE FROM %[2]s WHERE %[3]s RETURNING _from, _until, _seen, _aside),
		aside AS (DELETE FROM archive_yielded WHERE %[4]s RETURNING at, retrieval_id, withdrawn)
		SELECT coalesce(json_agg(g), '[]') FROM (
			SELECT _from, CAST(NULL AS timestamptz) AS _until, _seen, _aside, false AS _withdrawn FROM open
			UNION ALL SELECT _from, _until, _seen, _aside, false FROM past
			UNION ALL SELECT at, at + interval '1 microsecond', ARRAY[retrieval_id], NULL, withdrawn FROM aside) g`,
		s.Table(), s.PastTable(), strings.Join(rows, " AND "), strings.Join(aside, " AND ")), args).Scan(&gone).Error
	if err != nil {
		return err
	}
	return noteAltered(tx, gone, true)
}

// Altered notes that rows were changed on purpose: the responses that showed them are
// checked by counts from then on. rows is a JSON list of their _from, _until, _seen and _aside.
func Altered(ctx context.Context, tx *gorm.DB, rows string) error {
	if err := noteAltered(tx.WithContext(ctx), rows, false); err != nil {
		return fmt.Errorf("note what was altered in the archive: %w", err)
	}
	return nil
}

func noteAltered(tx *gorm.DB, rows string, erased bool) error {
	return tx.Exec(queries.Must("forget"), pg.Named("gone", rows, "erased", erased)).Error
}
