// Package standings keeps the leaderboards. A member has one row on each board, which moves when what
// is stored of the member changes (Refresh, in the transaction that stores it) and when a day leaves
// a window of time (Turn). Nothing reads or sorts everybody: a page is an index scan, and a rank is
// 1 + how many have more, of which counts are kept.
package standings

import (
	"context"
	"embed"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/db/sqlfile"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the statements in sql/.
var queries = sqlfile.Read(files)

// RefreshSolved brings what a member solved up to the submissions, from the first changed one on;
// nil is from the beginning. The member must be locked.
func RefreshSolved(ctx context.Context, tx *gorm.DB, memberID int64, from *time.Time) error {
	err := tx.WithContext(ctx).Exec(queries.Must("refresh_solved"), pg.Named("member", memberID, "from", from)).Error
	if err != nil {
		return fmt.Errorf("solved problems of member %d: %w", memberID, err)
	}
	return nil
}

// Refresh brings the places of members up to what is stored of them. They must be locked.
func Refresh(ctx context.Context, tx *gorm.DB, ids []int64, now time.Time) error {
	if err := tx.WithContext(ctx).Exec(queries.Must("refresh"), pg.Named("ids", &ids, "now", now)).Error; err != nil {
		return fmt.Errorf("standings of members %v: %w", ids, err)
	}
	return nil
}

// RefreshGaps notes of which of a member's sites something is not read.
func RefreshGaps(ctx context.Context, tx *gorm.DB, memberID int64) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE standings SET incomplete = standing_gaps(member_id)
		WHERE member_id = @member AND incomplete <> standing_gaps(member_id)`, pg.Named("member", memberID)).Error
	if err != nil {
		return fmt.Errorf("gaps of member %d: %w", memberID, err)
	}
	return nil
}

// turned is how many members one transaction of Turn moves.
const turned = 100

// Turn moves the members whose day has turned and a window with it, and those whose awards changed.
// Who is being written by another process is left for the next pass.
func Turn(ctx context.Context, db *gorm.DB, now time.Time) error {
	for {
		n := 0
		err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			var ids []int64
			err := tx.Raw(`
				SELECT id FROM members WHERE id IN (
					(SELECT member_id FROM standings WHERE turns_at <= @now ORDER BY turns_at LIMIT @limit)
					UNION (SELECT member_id FROM standing_due ORDER BY id LIMIT @limit))
				ORDER BY id LIMIT @limit FOR NO KEY UPDATE SKIP LOCKED`, pg.Named("now", now, "limit", turned)).Scan(&ids).Error
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			if err := Refresh(ctx, tx, ids, now); err != nil {
				return err
			}
			return tx.Exec(`DELETE FROM standing_due WHERE member_id = ANY(CAST(@ids AS bigint[]))`, pg.Named("ids", &ids)).Error
		})
		if err != nil {
			return fmt.Errorf("turn standings: %w", err)
		}
		if n < turned {
			return nil
		}
	}
}

// folded is how many changes of places one transaction of Fold adds up.
const folded = 20_000

// Fold adds the changes of places to the counts, unless another process does.
func Fold(ctx context.Context, db *gorm.DB) error {
	for n := folded; n == folded; {
		err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			var ours bool
			err := tx.Raw(`SELECT pg_try_advisory_xact_lock(hashtextextended('laurel standings', 0))`).Scan(&ours).Error
			if n = 0; err != nil || !ours {
				return err
			}
			return tx.Raw(queries.Must("fold"), pg.Named("limit", folded)).Scan(&n).Error
		})
		if err != nil {
			return fmt.Errorf("count places: %w", err)
		}
	}
	return nil
}

// KeepSteps keeps what the boards are at the first pass of a day of UTC, so that ranks of then can be
// told for two weeks.
func KeepSteps(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Exec(queries.Must("keep_steps"), pg.Named("day", now.UTC().Format(time.DateOnly))).Error
	if err != nil {
		return fmt.Errorf("keep the boards of a day: %w", err)
	}
	return nil
}
