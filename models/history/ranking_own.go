package history

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/standings"
)

// SolvedRanking is Laurel's own ranking: members by problems solved, in the order of the leaderboard.
// A place of a ranking has one holder, so places are stored, and equal numbers share a rank when
// they are read (see share).
const SolvedRanking = "solved"

// OwnRanking says whether a ranking is counted by Laurel: its players are members.
func OwnRanking(name string) bool { return name == SolvedRanking }

const (
	// RankingKept is how many places of a ranking of our own are kept.
	RankingKept = 1000
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
		board, err := standings.PageOf(members.As(ctx, members.Everything), tx, standings.Board{By: "solved", In: "all"}, "",
			RankingKept, now)
		if err != nil {
			return err
		}
		l := RankingPage{Name: SolvedRanking, Source: OwnSource, Address: rankingAddress(SolvedRanking), At: now, Own: true}
		l.show(&board)
		if len(l.Places) == 0 && last.At == nil {
			return nil // Nobody has solved anything yet: it begins with the first who has.
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

// show is the board as a ranking, without those who tried and solved nothing.
func (l *RankingPage) show(board *standings.Page) {
	l.Size = board.Size
	for i, r := range board.Rows {
		if r.Value == 0 {
			l.Size = len(l.Places) // They come last.
			return
		}
		l.Places = append(l.Places, Place{Player: r.Name, Rank: new(int64(i + 1)), Score: new(float64(r.Value))})
	}
}

// share gives equal scores the rank of the first of them, as the leaderboard does. The list has its
// places in order.
func (l *RankingList) share() {
	for i := range l.Places {
		p := &l.Places[i]
		if i > 0 && p.Score != nil && l.Places[i-1].Score != nil && *p.Score == *l.Places[i-1].Score {
			p.Rank = l.Places[i-1].Rank
		}
	}
}
