package history

import (
	"context"
	"crypto/rand"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// forgetInRankings takes the names of deleted members out of our own ladders.
// Their places stay, under a name that says nothing: without them, all who were
// behind them would never have stood where they did.
func forgetInRankings(ctx context.Context, tx *gorm.DB, names []string) error {
	others := make([]string, len(names))
	for i := range names {
		others[i] = "deleted member " + rand.Text()[:8]
	}
	tx = tx.WithContext(ctx)
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(` + ladderLock + `)`).Error; err != nil {
		return fmt.Errorf("lock of ladders: %w", err)
	}
	// A list is named by its content. One that was changed gets another name, or
	// it would be taken for what it was, if that is ever seen again.
	args := pg.Named("ladder", SolvedRanking, "names", &names, "others", &others, "mark", "-"+rand.Text()[:8])
	for _, stmt := range []string{
		`WITH open AS (
			UPDATE shard_ladder SET player = f.other FROM unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other) WHERE ladder = @ladder AND player = f.name)
		UPDATE shard__past_ladder SET player = f.other FROM unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other) WHERE ladder = @ladder AND player = f.name`,
		`WITH lists AS (
			UPDATE archive_lists l SET id = id || @mark, items = (
				SELECT jsonb_agg(CASE WHEN f.name IS NULL THEN i ELSE jsonb_set(i, '{player}', to_jsonb(f.other)) END ORDER BY n)
				FROM jsonb_array_elements(l.items) WITH ORDINALITY x(i, n)
				LEFT JOIN unnest(CAST(@names AS text[]), CAST(@others AS text[])) f(name, other) ON f.name = i->>'player')
			WHERE id IN (SELECT list FROM shard_ladder_list WHERE ladder = @ladder UNION ALL SELECT list FROM shard__past_ladder_list WHERE ladder = @ladder)
				AND EXISTS (SELECT FROM jsonb_array_elements(l.items) i WHERE i->>'player' = ANY(CAST(@names AS text[])))
			RETURNING id),
		open AS (UPDATE shard_ladder_list SET list = list || @mark WHERE ladder = @ladder AND list || @mark IN (SELECT id FROM lists))
		UPDATE shard__past_ladder_list SET list = list || @mark WHERE ladder = @ladder AND list || @mark IN (SELECT id FROM lists)`,
	} {
		if err := tx.Exec(stmt, args).Error; err != nil {
			return fmt.Errorf("forget %v in ladders: %w", names, err)
		}
	}
	return nil
}
