package forums

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// An Edit is what an admin changes of a forum; what is nil stays.
type Edit struct {
	State *string
	GapMs *int    // Between two requests; never under a second.
	From  *string // The oldest month that is wanted: 2011-06; "" is all.
}

// The least and the longest time between two requests to a forum.
const (
	minGapMs = 1000
	maxGapMs = 10 * 60 * 1000
)

// Change changes a forum, which is read with that if it is open.
func Change(ctx context.Context, db *gorm.DB, slug string, c Edit, now time.Time) (f Forum, err error) {
	if c.GapMs != nil && (*c.GapMs < minGapMs || *c.GapMs > maxGapMs) {
		return f, &pg.InputError{Field: "gap_ms", Message: fmt.Sprintf("must be between %d (one second) and %d", minGapMs, maxGapMs)}
	}
	if c.From != nil {
		if err := checkMonth(*c.From); err != nil {
			return f, err
		}
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if c.State != nil {
			if f, err = SetState(ctx, tx, slug, *c.State, now); err != nil {
				return err
			}
		}
		return pg.Touched(tx.Raw(`
			UPDATE forums f SET gap_ms = coalesce(@gap, gap_ms), from_period = coalesce(@from, from_period),
				etag = CASE WHEN CAST(@from AS text) IS NULL THEN etag ELSE '' END,
				last_modified = CASE WHEN CAST(@from AS text) IS NULL THEN last_modified ELSE '' END,
				next_run_at = CASE WHEN state = 'open' AND kind <> 'mbox' THEN least(next_run_at, CAST(@now AS timestamptz)) END
			WHERE slug = @slug RETURNING `+pg.Columns[Forum]("f"),
			pg.Named("gap", c.GapMs, "from", c.From, "now", now, "slug", slug)).Scan(&f), pg.ErrNotFound)
	})
	if err != nil {
		return f, err
	}
	return f, pg.Wake(ctx, db, WakeForums)
}

// SetState opens, pauses or finishes a forum.
func SetState(ctx context.Context, db *gorm.DB, slug, state string, now time.Time) (f Forum, err error) {
	if !slices.Contains([]string{"open", "paused", "finished"}, state) {
		return f, &pg.InputError{Field: "state", Message: "must be open, paused or finished"}
	}
	err = pg.Touched(db.WithContext(ctx).Raw(`
		UPDATE forums f SET state = @state, kicked_at = NULL, burst = false,
			next_run_at = CASE WHEN @state = 'open' AND kind <> 'mbox' THEN CAST(@now AS timestamptz) END
		WHERE slug = @slug RETURNING `+pg.Columns[Forum]("f"),
		pg.Named("state", state, "slug", slug, "now", now)).Scan(&f), pg.ErrNotFound)
	if err != nil {
		return f, err
	}
	return f, pg.Wake(ctx, db, WakeForums)
}
