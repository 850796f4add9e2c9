package forums

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Gap is a page of an archive that could not be had.
type Gap struct {
	Address string // With # and its place, counted from the end, where addresses shift.
	Period  string
	Step    string // How to ask for it again, where no index leads to it.
	Reason  string
	Tries   int
	FirstAt time.Time
	TriedAt time.Time
	DueAt   time.Time // Before that it is not asked for.
}

// gapsRead is how many gaps of a forum a walk knows of: an archive with more is ill
// as a whole.
const gapsRead = 20_000

// Gaps returns the pages of a forum that could not be had, those first that are
// asked for again first.
func Gaps(ctx context.Context, db *gorm.DB, forum int64, limit int) (gaps []Gap, total int, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT * FROM forum_gaps WHERE forum_id = @forum ORDER BY due_at, address LIMIT @limit`,
		pg.Named("forum", forum, "limit", limit)).Scan(&gaps).Error; err != nil {
		return nil, 0, fmt.Errorf("gaps: %w", err)
	}
	if total = len(gaps); total < limit {
		return gaps, total, nil
	}
	if err := db.WithContext(ctx).Raw(`SELECT count(*) FROM forum_gaps WHERE forum_id = @forum`,
		pg.Named("forum", forum)).Row().Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("gaps: %w", err)
	}
	return gaps, total, nil
}

// GapsToHeed returns those that a walk must know of, by address.
func GapsToHeed(ctx context.Context, db *gorm.DB, forum int64) (map[string]*Gap, error) {
	gaps, _, err := Gaps(ctx, db, forum, gapsRead)
	by := make(map[string]*Gap, len(gaps))
	for i := range gaps {
		by[gaps[i].Address] = &gaps[i]
	}
	return by, err
}

// NoteGap notes a page that could not be had. The next run asks for it once more;
// after that the pause is two hours, then four, and so on up to a month, which it is
// at once where pause is one.
func NoteGap(ctx context.Context, db *gorm.DB, forum int64, lease Lease, gap *Gap, month bool, now time.Time) error {
	res := db.WithContext(ctx).Raw(`
		INSERT INTO forum_gaps AS g (forum_id, address, period, step, reason, first_at, tried_at, due_at)
		SELECT id, @address, @period, @step, @reason, @now, @now, CASE WHEN @month THEN CAST(@later AS timestamptz) ELSE @now END
			FROM forums WHERE id = @forum AND lease_id = @lease
		ON CONFLICT (forum_id, address) DO UPDATE SET period = EXCLUDED.period, step = EXCLUDED.step, reason = EXCLUDED.reason,
			tries = g.tries + 1, tried_at = EXCLUDED.tried_at,
			due_at = CASE WHEN @month THEN EXCLUDED.due_at ELSE EXCLUDED.tried_at + least(power(2, least(g.tries, 20)),
				720) * interval '1 hour' END
		RETURNING *`,
		pg.Named("forum", forum, "lease", lease.ID, "address", pg.CleanText(gap.Address), "period", pg.CleanText(gap.Period), "step",
			gap.Step, "reason", pg.CleanText(gap.Reason), "month", month, "now", now, "later", now.Add(periodRecheck))).Scan(gap)
	if res.Error != nil {
		return fmt.Errorf("gap at %s: %w", gap.Address, res.Error)
	}
	if res.RowsAffected == 0 {
		return pg.ErrLeaseLost
	}
	return nil
}

// CloseGaps forgets gaps that are none any more.
func CloseGaps(ctx context.Context, db *gorm.DB, forum int64, addresses []string) error {
	if len(addresses) == 0 {
		return nil
	}
	if err := db.WithContext(ctx).Exec(`DELETE FROM forum_gaps WHERE forum_id = @forum AND address = ANY(CAST(@addresses AS text[]))`,
		pg.Named("forum", forum, "addresses", &addresses)).Error; err != nil {
		return fmt.Errorf("close gaps: %w", err)
	}
	return nil
}
