// Package profiles reads what the pages of a member, a comparison and the
// community show.
package profiles

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A MemberRow is one line of the list of members.
type MemberRow struct {
	ID                                          int64
	Name, DisplayName                           string
	Custom                                      bool
	Submissions, Solved, DayStreak              int
	LastDay, NewestAt                           *time.Time
	TimeZone                                    string
	Accounts, Running, Invalid, Failing, Unread int
	Incomplete                                  int        // Accounts of which the site does not list all, or some could not be read.
	CompleteUntil                               *time.Time // The oldest of the others that were read.
}

// Members returns a page of the community, those who solved most first, and how
// many there are in all. part filters by any part of the name.
func Members(ctx context.Context, db *gorm.DB, part string, offset, limit int, now time.Time) (
	rows []MemberRow, total int64, err error) {
	args := pg.Named("part", pg.Containing(part), "offset", offset, "limit", limit, "now", now, "asking", members.Asking(ctx))
	err = db.WithContext(ctx).Raw(queries.Must("members"), args).Scan(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("members: %w", err)
	}
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM members
		WHERE (name ILIKE @part OR display_name ILIKE @part) AND visible_to(@asking, id, audience)`, args).
		Scan(&total).Error
	if err != nil {
		return nil, 0, fmt.Errorf("count members: %w", err)
	}
	return rows, total, nil
}

// DaysOf returns a member's days with submissions in [from, until), oldest first.
func DaysOf(ctx context.Context, db *gorm.DB, memberID int64, from, until time.Time) ([]submissions.Day, error) {
	var days []submissions.Day
	err := db.WithContext(ctx).Raw(`
		SELECT day, submissions, accepted, undetailed FROM days WHERE member_id = @id AND day >= @from AND day < @until
		ORDER BY day`,
		pg.Named("id", memberID, "from", from, "until", until)).Scan(&days).Error
	if err != nil {
		return nil, fmt.Errorf("days of member %d: %w", memberID, err)
	}
	return days, nil
}

// FirstDayOf returns the first of a member's days with submissions; zero where there is none.
func FirstDayOf(ctx context.Context, db *gorm.DB, memberID int64) (time.Time, error) {
	var day sql.NullTime // GORM cannot scan NULL into a *time.Time alone.
	err := db.WithContext(ctx).Raw(`SELECT min(day) FROM days WHERE member_id = @id`, pg.Named("id", memberID)).Row().Scan(&day)
	if err != nil {
		return time.Time{}, fmt.Errorf("first day of member %d: %w", memberID, err)
	}
	return day.Time, nil
}
