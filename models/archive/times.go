package archive

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// Instants say which of the instants at which rows were seen are meant.
type Instants struct {
	by    time.Time
	order string
	limit int
}

// Newest are the newest so many instants at or before by, newest first; zero is no bound.
func Newest(by time.Time, limit int) Instants {
	if by.IsZero() {
		by = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return Instants{by, "DESC", limit}
}

// First is the first instant of all.
var First = Instants{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "ASC", 1}

// Times returns instants at which any row of the query was seen. It reads all rows meant: those of
// some keys by the index, those of a whole shard one by one.
func Times(ctx context.Context, db *gorm.DB, s *Shard, q Query, which Instants) ([]time.Time, error) {
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	args["by"], args["limit"] = shards.Instant(which.by), which.limit
	var out []time.Time
	err = db.WithContext(ctx).Raw(fmt.Sprintf(`
		WITH meant AS MATERIALIZED (SELECT _from, _until, _seen, _aside FROM %[1]s x WHERE %[2]s AND _from <= @by),
		named AS (
			SELECT unnest(_seen) AS b, _from, _until FROM meant
			UNION ALL SELECT unnest(c.seen), _from, _until FROM meant JOIN archive_seen c ON c.aside = _aside)
		SELECT DISTINCT r.at
		FROM (SELECT b, min(_from) AS _from, max(coalesce(_until, 'infinity')) AS _until FROM named GROUP BY b) n, LATERAL (
			SELECT at FROM archive_retrievals WHERE id = b AND withdrawn_at IS NULL
			UNION ALL SELECT at FROM archive_retrievals WHERE same_as = b AND withdrawn_at IS NULL) r
		WHERE r.at >= n._from AND r.at < n._until AND r.at <= @by
		ORDER BY 1 %[3]s LIMIT @limit`, s.Rows(), where, which.order), args).Scan(&out).Error
	if err != nil {
		return nil, fmt.Errorf("instants of shard %s: %w", s.Name, err)
	}
	for i := range out {
		out[i] = out[i].UTC()
	}
	return out, nil
}
