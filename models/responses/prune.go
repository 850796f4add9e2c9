package responses

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

const (
	// unreadableAtMost of a source are kept until a reader understands them: the newest.
	unreadableAtMost = 1000
	// atOnce bounds a transaction of Prune.
	atOnce = 1000
)

// Prune removes the answers that came before a moment, but raw mails and fetches with an
// answer that nobody understood; of these the newest 1,000 a source stay. Each slice is a
// transaction of its own.
func Prune(ctx context.Context, db *gorm.DB, before time.Time) error {
	err := inSlices(ctx, db, queries.Must("prune_old"), pg.Named("before", before, "limit", atOnce))
	if err == nil {
		err = inSlices(ctx, db, queries.Must("prune_unreadable"), pg.Named("most", unreadableAtMost, "limit", atOnce))
	}
	if err == nil {
		err = db.WithContext(ctx).Exec(`
			DELETE FROM fetches f WHERE started_at < @before AND NOT EXISTS (SELECT FROM responses r WHERE r.fetch_id = f.id)`,
			pg.Named("before", before)).Error
	}
	if err != nil {
		return fmt.Errorf("prune raw answers: %w", err)
	}
	return nil
}

// inSlices removes what a statement removes, slice by slice, with the bodies.
func inSlices(ctx context.Context, db *gorm.DB, statement string, args map[string]any) error {
	for {
		var hashes [][]byte
		err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			if err := tx.Raw(statement, args).Scan(&hashes).Error; err != nil {
				return err
			}
			return DropUnused(ctx, tx, hashes)
		})
		if err != nil || len(hashes) < atOnce {
			return err
		}
	}
}

// Release removes the answers of bulk checks and canaries that name an account of members, or one
// of accounts, and returns their bodies with those of the answers about these accounts alone, for
// DropUnused when they are deleted. What activity streams showed of them stays until it is pruned.
func Release(ctx context.Context, tx *gorm.DB, members, accounts []int64) (hashes [][]byte, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT DISTINCT r.body_hash FROM responses r JOIN fetches f ON f.id = r.fetch_id JOIN accounts a ON a.id = f.account_id
		WHERE a.member_id = ANY(CAST(@members AS bigint[])) OR a.id = ANY(CAST(@accounts AS bigint[]))`,
		pg.Named("members", &members, "accounts", &accounts)).Scan(&hashes).Error
	if err != nil {
		return nil, fmt.Errorf("bodies of raw answers: %w", err)
	}
	var shared [][]byte
	err = tx.WithContext(ctx).Raw(queries.Must("release_shared"), pg.Named("members", &members, "accounts", &accounts)).
		Scan(&shared).Error
	if err != nil {
		return nil, fmt.Errorf("bodies of raw answers: %w", err)
	}
	return append(hashes, shared...), nil
}

// DropUnused removes those of the bodies that no answer has any more. It locks them first,
// and looks then: who stores one of them has it locked until the answer is there.
func DropUnused(ctx context.Context, tx *gorm.DB, hashes [][]byte) error {
	if len(hashes) == 0 {
		return nil
	}
	args := pg.Named("hashes", &hashes)
	for _, statement := range []string{
		`SELECT FROM response_bodies WHERE hash = ANY(CAST(@hashes AS bytea[])) ORDER BY hash FOR UPDATE`,
		`DELETE FROM response_bodies b WHERE hash = ANY(CAST(@hashes AS bytea[]))
			AND NOT EXISTS (SELECT FROM responses r WHERE r.body_hash = b.hash)`,
	} {
		if err := tx.WithContext(ctx).Exec(statement, args).Error; err != nil {
			return fmt.Errorf("drop bodies of raw answers: %w", err)
		}
	}
	return nil
}
