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

// TableName is GORM's.
func (Gap) TableName() string { return "forum_gaps" }

// gapsRead is how many gaps of a forum a walk knows of: an archive with more is ill
// as a whole.
const gapsRead = 20_000

// Gaps returns the pages of a forum that could not be had, those first that are
// asked for again first.
func Gaps(ctx context.Context, db *gorm.DB, forum int64, limit int) (gaps []Gap, total int, err error) {
	of := gorm.G[Gap](db).Where("forum_id = ?", forum)
	gaps, err = of.Order("due_at, address").Limit(limit).Find(ctx)
	if total = len(gaps); err == nil && total == limit {
		var n int64
		n, err = of.Count(ctx, "*")
		total = int(n)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("gaps: %w", err)
	}
	return gaps, total, nil
}

// GapsByAddress returns those that a walk must know of.
func GapsByAddress(ctx context.Context, db *gorm.DB, forum int64) (map[string]*Gap, error) {
	gaps, _, err := Gaps(ctx, db, forum, gapsRead)
	by := make(map[string]*Gap, len(gaps))
	for i := range gaps {
		by[gaps[i].Address] = &gaps[i]
	}
	return by, err
}

// StoreGap stores that a page could not be had. The next run asks for it once more;
// after that the pause is two hours, then four, and so on up to a month, which it is
// at once where month says so.
func (h *Harvest) StoreGap(ctx context.Context, db *gorm.DB, gap *Gap, month bool, now time.Time) error {
	res := db.WithContext(ctx).Raw(queries.Must("store_gap"),
		pg.Named("forum", h.Forum.ID, "lease", h.Lease.ID, "address", pg.CleanText(gap.Address), "period", pg.CleanText(gap.Period),
			"step", gap.Step, "reason", pg.CleanText(gap.Reason), "month", month, "now", now)).Scan(gap)
	if err := pg.Touched(res, pg.ErrLeaseLost); err != nil {
		return fmt.Errorf("gap at %s: %w", gap.Address, err)
	}
	return nil
}

// CloseGaps forgets gaps that are none any more.
func CloseGaps(ctx context.Context, db *gorm.DB, forum int64, addresses []string) error {
	if len(addresses) == 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`DELETE FROM forum_gaps WHERE forum_id = @forum AND address = ANY(CAST(@addresses AS text[]))`,
		pg.Named("forum", forum, "addresses", &addresses)).Error
	if err != nil {
		return fmt.Errorf("close gaps: %w", err)
	}
	return nil
}
