package profiles

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A ShelfAward is an award that a member has, or has nearly reached.
type ShelfAward struct {
	Slug, Title    string
	Holders        int64      // Registered members who have it.
	Level          int        // Reached.
	LevelTitle     string     // Of the level that was reached, or of the next one; "" where there are none.
	Unit, Rule     string     // What is counted, where it is one thing, and how.
	At             *time.Time // Of the newest level; nil: it is not reached yet.
	Progress, Goal float64    // Of what is not reached yet.
	Held           int        // How many awards the member has.
}

// Shelf returns the newest awards of a member, at most most, then those that are nearly reached, at
// most near, as far as a viewer may see them; 0 is a visitor.
func Shelf(ctx context.Context, db *gorm.DB, member, viewer int64, most, near int) (list []ShelfAward, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("shelf"),
		pg.Named("member", member, "viewer", viewer, "most", most, "near", near)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("awards of member %d: %w", member, err)
	}
	return list, nil
}
