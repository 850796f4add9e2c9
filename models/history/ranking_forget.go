package history

import (
	"context"
	"crypto/rand"
	"fmt"

	"gorm.io/gorm"

	"laurel/models/archive"
	pg "laurel/models/db"
)

// forgetInRankings takes the names of deleted members out of our own rankings.
// Their places stay, under a name that says nothing: without them, all who were
// behind them would never have had the ranks that they had.
func forgetInRankings(ctx context.Context, tx *gorm.DB, names []string) error {
	others := make([]string, len(names))
	for i := range names {
		others[i] = "deleted member " + rand.Text()[:8]
	}
	tx = tx.WithContext(ctx)
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(` + rankingLock + `)`).Error; err != nil {
		return fmt.Errorf("lock of rankings: %w", err)
	}
	var places, lists string
	err := tx.Raw(queries.Must("forget_players"), pg.Named("ladder", SolvedRanking, "names", &names, "others", &others)).Scan(&places).Error
	if err == nil {
		err = archive.Altered(ctx, tx, places)
	}
	if err != nil {
		return fmt.Errorf("forget %v in rankings: %w", names, err)
	}
	err = tx.Raw(queries.Must("forget_in_lists"),
		pg.Named("ladder", SolvedRanking, "names", &names, "others", &others, "mark", "-"+rand.Text()[:8])).Scan(&lists).Error
	if err == nil {
		err = archive.Altered(ctx, tx, lists)
	}
	if err != nil {
		return fmt.Errorf("forget %v in lists of rankings: %w", names, err)
	}
	return nil
}
