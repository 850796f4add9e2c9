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
	CompleteUntil                               *time.Time // The oldest of the accounts that were read.
}

// Members returns a page of the community, those who solved most first, and how
// many there are in all. part filters by any part of the name.
func Members(ctx context.Context, db *gorm.DB, part string, offset, limit int, now time.Time) (rows []MemberRow, total int64, err error) {
	args := pg.Named("part", pg.Containing(part), "offset", offset, "limit", limit, "now", now)
	const which = `m.name ILIKE @part OR m.display_name ILIKE @part`
	err = db.WithContext(ctx).Raw(`
		SELECT p.*, count(a.id) AS accounts, count(*) FILTER (WHERE a.leased_until > @now OR a.requested_at IS NOT NULL) AS running,
			count(*) FILTER (WHERE a.state = 'invalid') AS invalid,
			count(*) FILTER (WHERE a.state <> 'invalid' AND a.outcome NOT IN ('', 'ok')) AS failing,
			count(*) FILTER (WHERE a.state = 'new' AND a.outcome = '') AS unread,
				min(a.complete_until) FILTER (WHERE a.state <> 'invalid') AS complete_until
		FROM (
			SELECT m.id, m.name, m.display_name, m.custom, m.time_zone, coalesce(s.submissions, 0) AS submissions,
				coalesce(s.solved, 0) AS solved, coalesce(s.day_streak, 0) AS day_streak, s.last_day, s.newest_at
			FROM members m LEFT JOIN member_stats s ON s.member_id = m.id
			WHERE `+which+`
			ORDER BY coalesce(s.solved, 0) DESC, m.id LIMIT @limit OFFSET @offset) p
		LEFT JOIN account_details a ON a.member_id = p.id
		GROUP BY p.id, p.name, p.display_name, p.custom, p.time_zone, p.submissions, p.solved, p.day_streak, p.last_day, p.newest_at
		ORDER BY p.solved DESC, p.id`, args).Scan(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("members: %w", err)
	}
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM members m WHERE `+which, args).Scan(&total).Error
	if err != nil {
		return nil, 0, fmt.Errorf("count members: %w", err)
	}
	return rows, total, nil
}

// DaysOf returns a member's days with submissions in [from, until), oldest first.
func DaysOf(ctx context.Context, db *gorm.DB, memberID int64, from, until time.Time) ([]submissions.Day, error) {
	var days []submissions.Day
	err := db.WithContext(ctx).Raw(`SELECT day, submissions, accepted FROM days WHERE member_id = @id AND day >= @from AND day < @until
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
