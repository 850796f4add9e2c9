package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A ShardSum is how much a shard holds now.
type ShardSum struct {
	Name   string
	Rows   int        // Open ones.
	Newest *time.Time // The newest fetch that listed any of them.
}

// ShardSums returns the sums of shards by name, in one statement.
func ShardSums(ctx context.Context, db *gorm.DB, all []*archive.Shard) (map[string]ShardSum, error) {
	// Of each row the last response that listed it is enough: it is the one that
	// is seen again and again while the row is open.
	const one = `
		SELECT '%s' AS name, coalesce(sum(o.n), 0) AS rows, max(r.at) AS newest
		FROM (SELECT _seen[cardinality(_seen)] AS b, count(*) AS n FROM %s GROUP BY 1) o
		LEFT JOIN LATERAL (
			SELECT max(at) AS at FROM (
				SELECT at FROM archive_retrievals WHERE id = o.b
				UNION ALL (SELECT at FROM archive_retrievals WHERE same_as = o.b ORDER BY at DESC LIMIT 1)) l) r ON true`
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = fmt.Sprintf(one, s.Name, s.Table()) // Names are checked: letters, digits and _.
	}
	var rows []ShardSum
	if err := db.WithContext(ctx).Raw(strings.Join(parts, " UNION ALL ")).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("sums of shards: %w", err)
	}
	out := map[string]ShardSum{}
	for _, r := range rows {
		out[r.Name] = r
	}
	return out, nil
}

// ShardEmpty says whether nothing was ever seen of a shard.
func ShardEmpty(ctx context.Context, db *gorm.DB, s *archive.Shard) (empty bool, err error) {
	err = db.WithContext(ctx).Raw(fmt.Sprintf(`SELECT NOT EXISTS (SELECT FROM %s x)`, s.Rows())).Scan(&empty).Error
	if err != nil {
		return false, fmt.Errorf("shard %s: %w", s.Name, err)
	}
	return empty, nil
}

// FailedFetches returns when fetches of the pages failed that have shown a key of a
// shard, from since on. The key has all its fields, by their types.
func FailedFetches(ctx context.Context, db *gorm.DB, s *archive.Shard, key shards.Row, since time.Time) (at []time.Time, err error) {
	where, args := []string{"true"}, pg.Named("since", since)
	for i, f := range s.Key {
		name := fmt.Sprint("k", i)
		where, args[name] = append(where, fmt.Sprintf(`x."%s" = CAST(@%s AS %s)`, f.Name, name, f.SQLType())), key[f.Name]
	}
	err = db.WithContext(ctx).Raw(fmt.Sprintf(`
		SELECT at FROM archive_retrievals
		WHERE at >= @since AND outcome NOT IN ('ok', 'refused') AND page_id IN (
			SELECT r.page_id FROM %s x, LATERAL unnest(x._seen) b JOIN archive_retrievals r ON r.id = b WHERE %s)
		ORDER BY at`, s.Rows(), strings.Join(where, " AND ")), args).Scan(&at).Error
	if err != nil {
		return nil, fmt.Errorf("failed fetches of shard %s: %w", s.Name, err)
	}
	return at, nil
}
