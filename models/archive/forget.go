package archive

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
)

// Forget deletes all rows of shards whose key field has one of the values, for
// good. The log keeps the looks and says of each that it gave so many facts less.
// A transaction may hold one of it, and no Store.
func Forget(ctx context.Context, tx *gorm.DB, shards []*Shard, field string, values []string) error {
	var locks []int64
	for _, s := range shards {
		for i := range stripes {
			locks = append(locks, stripe(s, i))
		}
	}
	slices.Sort(locks)
	tx = tx.WithContext(ctx)
	err := lockAll(tx, locks)
	for _, s := range shards {
		if err == nil {
			err = s.forget(tx, field, values)
		}
	}
	if err != nil {
		return fmt.Errorf("forget in the archive: %w", err)
	}
	return nil
}

func (s *Shard) forget(tx *gorm.DB, field string, values []string) error {
	return tx.Exec(fmt.Sprintf(`
		WITH open AS (DELETE FROM %[1]s WHERE %[3]s = ANY(CAST(@values AS text[])) RETURNING _from, _seen, _aside),
		past AS (DELETE FROM %[2]s WHERE %[3]s = ANY(CAST(@values AS text[])) RETURNING _from, _until, _seen, _aside),
		gone AS (SELECT _from, CAST(NULL AS timestamptz) AS _until, _seen, _aside FROM open UNION ALL SELECT * FROM past),
		named AS MATERIALIZED (%[4]s),
		looks AS (
			SELECT r.id, count(*) AS n FROM named l, LATERAL (
				SELECT id, at FROM archive_retrievals WHERE id = l.b
				UNION ALL SELECT id, at FROM archive_retrievals WHERE same_as = l.b) r
			WHERE r.at >= l._from AND (l._until IS NULL OR r.at < l._until) GROUP BY r.id),
		parts AS (DELETE FROM archive_seen WHERE aside IN (SELECT _aside FROM gone)),
		pages AS (
			UPDATE archive_pages SET base = NULL WHERE id IN (SELECT id FROM archive_pages WHERE base IN (SELECT b FROM named)
				ORDER BY id FOR UPDATE))
		UPDATE archive_retrievals r SET facts = facts - n FROM looks WHERE r.id = looks.id`, s.Table(), s.PastTable(), quote(field),
		listings("gone", "t._from, t._until")), named("values", &values)).Error
}
