package history

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// SolvedRanking is Laurel's own ranking: members by problems solved. A rank of a
// ranking has one holder, so members with equal numbers follow by name.
const SolvedRanking = "solved"

// OwnRanking says whether a ranking is counted by Laurel: its players are members.
func OwnRanking(name string) bool { return name == SolvedRanking }

const (
	// rankingShown is how many places of a ranking of our own are kept.
	rankingShown = 1000
	// rankingGap is between two fetches, whoever fetches.
	rankingGap = 2 * time.Minute
)

// rankingLock is held by whoever counts our own rankings, or takes names out of them.
const rankingLock = `hashtextextended('laurel own ladders', 0)`

// rankingAddress is a ranking of our own as a page.
func rankingAddress(name string) string { return "/ladders/" + name }

// ArchiveLeaderboards stores what Laurel's own rankings show now, unless another
// process does so or has just done it. One that did not change costs a row of
// the log. A ranking begins with the first member who is in it.
func ArchiveLeaderboards(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var last struct {
			Ours bool
			At   *time.Time
		}
		err := tx.Raw(`
			SELECT pg_try_advisory_xact_lock(`+rankingLock+`) AS ours, (
				SELECT max(r.at) FROM archive_pages p JOIN archive_retrievals r ON r.page_id = p.id
				WHERE p.source = @source AND p.address = @address AND p.viewer = '') AS at`,
			pg.Named("source", OwnSource, "address", rankingAddress(SolvedRanking))).Scan(&last).Error
		if err != nil || !last.Ours || last.At != nil && last.At.After(now.Add(-rankingGap)) {
			return err
		}
		var rows []struct {
			Place
			Size int
		}
		err = tx.Raw(`
			SELECT m.name AS player, row_number() OVER (ORDER BY s.solved DESC, lower(m.name)) AS rank, s.solved AS score,
				count(*) OVER () AS size
			FROM member_stats s JOIN members m ON m.id = s.member_id WHERE s.solved > 0 AND NOT m.off_boards ORDER BY rank LIMIT @limit`,
			pg.Named("limit", rankingShown)).Scan(&rows).Error
		if err != nil {
			return err
		}
		if len(rows) == 0 && last.At == nil {
			return nil // Nobody has solved anything yet: it begins with the first who has.
		}
		l := RankingPage{Name: SolvedRanking, Source: OwnSource, Address: rankingAddress(SolvedRanking), At: now, Own: true}
		for _, r := range rows {
			l.Places, l.Size = append(l.Places, r.Place), r.Size
		}
		res, err := StoreRanking(ctx, tx, l, now)
		if err == nil && res.Contradiction != "" {
			err = fmt.Errorf("ranking %s: %s", l.Name, res.Contradiction)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("archive the leaderboards: %w", err)
	}
	return nil
}
