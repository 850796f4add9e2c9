package history

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A RankingLine is a ranking in the list of all.
type RankingLine struct {
	Name        string
	Shown, Size int       // Places of its newest list, and of the whole ranking.
	Seen        time.Time // The newest fetch that showed it.
}

// Rankings returns at most limit rankings by name, those behind cursor, and the
// cursor to go on with: "" at the end.
func Rankings(ctx context.Context, db *gorm.DB, cursor string, limit int, now time.Time) ([]RankingLine, string, error) {
	after, err := afterRanking(cursor)
	if err != nil {
		return nil, "", err
	}
	names, err := rankingNames(ctx, db, after, limit+1)
	if err != nil || len(names) == 0 {
		return nil, "", err
	}
	next := ""
	if len(names) > limit {
		names = names[:limit]
		next = pg.ListCursor("ladders", strconv.Quote(names[limit-1])) // As it is, with spaces around it.
	}
	lines, err := rankingLines(ctx, db, names, now)
	return lines, next, err
}

// afterRanking is the name that a cursor stands for; nil is the beginning, as a
// name may be empty.
func afterRanking(cursor string) (*string, error) {
	at, err := pg.ParseListCursor(cursor, "ladders", 1)
	if err != nil || at[0] == "" {
		return nil, err
	}
	name, err := strconv.Unquote(at[0])
	if err != nil || !Storable(name) {
		return nil, pg.ErrCursor
	}
	return &name, nil
}

// rankingNames steps from name to name through the indexes, however many lists
// each ranking had.
func rankingNames(ctx context.Context, db *gorm.DB, after *string, limit int) (names []string, err error) {
	const next = `least(
		(SELECT min(ladder) FROM shard_ladder_list WHERE ladder %[1]s),
		(SELECT min(ladder) FROM shard__past_ladder_list WHERE ladder %[1]s))`
	first, from := ">= @after", ""
	if after != nil {
		first, from = "> @after", *after
	}
	err = db.WithContext(ctx).Raw(`
		WITH RECURSIVE k AS (
			SELECT `+fmt.Sprintf(next, first)+` AS ladder, 1 AS n
			UNION ALL SELECT `+fmt.Sprintf(next, "> k.ladder")+`, n + 1 FROM k WHERE ladder IS NOT NULL AND n < @limit)
		SELECT ladder FROM k WHERE ladder IS NOT NULL ORDER BY n`, pg.Named("after", from, "limit", limit)).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("rankings: %w", err)
	}
	return names, nil
}

// rankingLines returns the newest lists of rankings.
func rankingLines(ctx context.Context, db *gorm.DB, names []string, now time.Time) ([]RankingLine, error) {
	s, err := archive.Lookup(ctx, db, listsShard)
	if err != nil {
		return nil, err
	}
	keys := make([]shards.Row, len(names))
	for i, name := range names {
		keys[i] = shards.Row{"ladder": name}
	}
	found, err := archive.Around(ctx, db, []archive.Wanted{{Shard: s, Keys: keys}}, now, now, now.Add(time.Microsecond))
	if err != nil {
		return nil, fmt.Errorf("rankings: %w", err)
	}
	byName, lists := map[string]*archive.Snapshot{}, []string{}
	for i := range found[0] {
		r := &found[0][i]
		if r.ValidFrom.After(now) {
			continue
		}
		byName[figures(r.Key).text("ladder")] = r // The newest comes last.
		lists = append(lists, figures(r.Data).text("list"))
	}
	var sizes []struct {
		ID          string
		Shown, Size int
	}
	err = db.WithContext(ctx).Raw(`
		SELECT id, size, CASE WHEN complete THEN size ELSE jsonb_array_length(items) END AS shown FROM archive_lists
			WHERE id = ANY(CAST(@ids AS text[]))`,
		pg.Named("ids", &lists)).Scan(&sizes).Error
	if err != nil {
		return nil, fmt.Errorf("rankings: %w", err)
	}
	byID := map[string]RankingLine{}
	for _, l := range sizes {
		byID[l.ID] = RankingLine{Shown: l.Shown, Size: l.Size}
	}
	lines := make([]RankingLine, len(names))
	for i, name := range names {
		if row := byName[name]; row != nil {
			lines[i] = byID[figures(row.Data).text("list")]
			if row.SeenBefore != nil {
				lines[i].Seen = *row.SeenBefore
			}
		}
		lines[i].Name = name
	}
	return lines, nil
}
