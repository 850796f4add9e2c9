package archive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// ThinRetrievals removes from the log what the sampling windows of shards, by name,
// leave out: retrievals that showed the same as before, in the middle of a window, as
// Sample does for display. The first and the last retrieval of any row stay,
// and so do all that a shard without a window relies on. It goes through what was
// retrieved since since, and returns how many retrievals it removed.
func ThinRetrievals(ctx context.Context, db *gorm.DB, windows map[string]time.Duration, since time.Time) (removed int64, err error) {
	all, err := Shards(ctx, db)
	if err != nil {
		return 0, err
	}
	for name := range windows {
		if !slices.ContainsFunc(all, func(s *Shard) bool { return s.Answers(name) }) {
			return 0, fmt.Errorf("thin retrievals: no shard is named %q", name)
		}
	}
	if len(windows) == 0 {
		return 0, nil
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		runs, err := runsToThin(tx, all, windows, since)
		if err != nil || len(runs) == 0 {
			return err
		}
		gone, err := middleRetrievals(tx, all, windows, runs)
		if err != nil || len(gone) == 0 {
			return err
		}
		return one(tx, queries.Must("remove_lines"), pg.Named("ids", &gone), &removed)
	})
	if err != nil {
		return 0, fmt.Errorf("thin retrievals: %w", err)
	}
	return removed, nil
}

// windowOf is the window that is set for the shard, by a name that it has or had.
func (s *Shard) windowOf(windows map[string]time.Duration) (w time.Duration) {
	for name, set := range windows {
		if s.Answers(name) {
			w = max(w, set)
		}
	}
	return w
}

// listingsIn is a statement that gives, for all rows of shards, the responses that
// listed them (b), and the window of the shard in seconds (w).
func listingsIn(all []*Shard, windows map[string]time.Duration) string {
	parts := make([]string, len(all))
	for i, s := range all {
		window := "NULL"
		if w := s.windowOf(windows); w > 0 {
			window = fmt.Sprint(w.Seconds())
		}
		parts[i] = listings(s.Rows(), "t._from, t._until, CAST("+window+" AS double precision) AS w")
	}
	return strings.Join(parts, " UNION ALL ")
}

// endsOf is a statement that gives the instants at which a page that was complete ended rows.
func endsOf(all []*Shard) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = fmt.Sprintf(`SELECT _until FROM %s WHERE _reason IN ('%s', '%s')`, s.PastTable(), shards.Removed, shards.SourceGone)
	}
	return strings.Join(parts, " UNION ALL ")
}

// runsToThin finds the responses that were seen again and may be thinned, with
// their windows, and keeps everybody out who could end or split their rows until
// the transaction ends: such a row begins at a retrieval that must not go.
func runsToThin(tx *gorm.DB, all []*Shard, windows map[string]time.Duration, since time.Time) (map[int64]time.Duration, error) {
	var found []struct {
		B int64
		W float64
	}
	err := tx.Raw(`
		SELECT b, min(w) AS w FROM (`+listingsIn(all, windows)+`) l
		GROUP BY b HAVING bool_and(w IS NOT NULL) AND EXISTS (SELECT FROM archive_retrievals r
			WHERE r.same_as = b AND r.stored_at > @since)`,
		pg.Named("since", since)).Scan(&found).Error
	if err != nil {
		return nil, err
	}
	runs, ids := map[int64]time.Duration{}, make([]int64, len(found))
	for i, f := range found {
		ids[i], runs[f.B] = f.B, time.Duration(f.W*float64(time.Second))
	}
	return runs, tx.Exec(`
		SELECT pg_advisory_xact_lock(k) FROM (SELECT DISTINCT unnest(locks) AS k FROM archive_retrievals
			WHERE id = ANY(CAST(@ids AS bigint[])) ORDER BY k) l`,
		pg.Named("ids", &ids)).Error
}

// middleRetrievals finds the retrievals to remove. What a row was seen by within its period
// is sampled by itself, so that no row loses its first or last retrieval; a page that was
// complete when a row ended stays, for it is why.
func middleRetrievals(tx *gorm.DB, all []*Shard, windows map[string]time.Duration, runs map[int64]time.Duration) (
	gone []int64, err error) {
	some := slices.DeleteFunc(slices.Clone(all), func(s *Shard) bool { return s.windowOf(windows) <= 0 })
	ids := slices.Collect(maps.Keys(runs))
	rows, err := tx.Raw(`
		WITH cuts AS MATERIALIZED (
			SELECT DISTINCT l.b, c.at FROM (`+listingsIn(some, windows)+`) l, LATERAL (VALUES (l._from), (l._until)) c(at)
			WHERE l.b = ANY(CAST(@ids AS bigint[])) AND c.at IS NOT NULL)
		SELECT l.b, l.id, l.at, l.id <> l.b AND NOT EXISTS (SELECT FROM archive_yielded y
			WHERE y.retrieval_id = l.b AND y.at = l.at AND NOT y.withdrawn) AND l.at NOT IN (`+endsOf(all)+`) AS free,
			(SELECT count(*) FROM cuts WHERE cuts.b = l.b AND cuts.at <= l.at) AS part
		FROM (
			SELECT id AS b, id, at FROM archive_retrievals WHERE id = ANY(CAST(@ids AS bigint[])) AND withdrawn_at IS NULL
			UNION ALL SELECT same_as, id, at FROM archive_retrievals
				WHERE same_as = ANY(CAST(@ids AS bigint[])) AND withdrawn_at IS NULL) l
		ORDER BY l.b, l.at, l.id`, pg.Named("ids", &ids)).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var before, last, now loggedResponse // The two newest that stay, and one more.
	for n := 0; rows.Next(); {
		if err := rows.Scan(&now.base, &now.id, &now.at, &now.free, &now.part); err != nil {
			return nil, err
		}
		if now.base != last.base || now.part != last.part {
			n = 0
		}
		if n >= 2 && last.free && now.at.Sub(before.at) < runs[now.base] {
			gone = append(gone, last.id)
		} else {
			before = last
			n++
		}
		last = now
	}
	return gone, rows.Err()
}

// A loggedResponse is a retrieval in the log: of a response that was seen again (base), in
// a part of its time in which the same rows held.
type loggedResponse struct {
	base, id int64
	at       time.Time
	free     bool // Nothing but evidence hangs on it.
	part     int
}
