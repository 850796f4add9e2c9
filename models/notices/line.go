package notices

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Line is what is said in one sentence: one notice, or all older ones,
// or all new awards, of a day.
type Line struct {
	ID     int64 // The newest of its notices.
	Kind   string
	At     time.Time // When it was released.
	Unread bool
	Member string
	Name   string  // The member's, as others read it.
	Awards []Award `gorm:"-"`
	Reason string  // Of a loss.
	Holds  bool    // The member has it now.
	Alarm  string  // Of a site: which, and what is amiss.
	Text   string  // Of a handle that was renamed.

	Follower string // Who asks to follow the member, as others read it.
}

// An Award is an award that a line is about.
type Award struct {
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	Level  int    `json:"level"`  // 0 where it is about the award as a whole.
	Called string `json:"called"` // The title of the level, where it has one.
	Period string `json:"period"`
}

func (a *Award) String() string {
	words := strings.Join(strings.Fields(a.Title), " ")
	if a.Called != "" {
		words += ", " + strings.Join(strings.Fields(a.Called), " ")
	}
	if a.Period != "" {
		words += " (from " + a.Period + ")"
	}
	return words
}

// Sentence says it to the member, in the same words everywhere.
func (l *Line) Sentence() string {
	names := make([]string, len(l.Awards))
	for i := range l.Awards {
		names[i] = l.Awards[i].String()
	}
	all := listed(names)
	switch l.Kind {
	case NoticeGranted:
		return "You earned " + all + "."
	case NoticeRevoked:
		words := all + " was taken back: " + strings.TrimSuffix(l.Reason, ".") + "."
		if l.Holds {
			words = all + " was taken back and then earned again."
		}
		return words
	case NoticeNear:
		return "You are one step away from " + all + "."
	case NoticeRenamed:
		return l.Text
	case NoticeFollow:
		return l.Follower + " asks to follow you."
	case NoticeSite:
		return "A judge site needs attention: " + strings.TrimSuffix(l.Alarm, ".") + "."
	case NoticeOlder:
		if len(names) == 1 {
			return "Found an award you had already earned: " + all + "."
		}
		return fmt.Sprintf("Found %d awards you had already earned: %s.", len(names), all)
	}
	if len(names) == 1 {
		return "New award, and you have already started it: " + all + "."
	}
	return fmt.Sprintf("%d new awards, and you have already started them: %s.", len(names), all)
}

// listed is "a", "a and b", "a, b and c"; of many, the first ones.
func listed(names []string) string {
	const most = 12
	if n := len(names); n > most {
		names = append(names[:most:most], fmt.Sprintf("%d more", n-most))
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// A choice is which notices are read: those of a delivery that are still true, or those
// that a member was shown, behind a cursor.
type choice struct {
	mail, hook, member *int64
	after              pg.Cursor
}

// lines puts notices together to lines, newest first. A member's day is that of their
// zone.
func (c choice) lines(ctx context.Context, db *gorm.DB) ([]Line, error) {
	var rows []struct {
		Line
		Listed string
	}
	err := db.WithContext(ctx).Raw(queries.Must("lines"),
		pg.Named("mail", c.mail, "hook", c.hook, "member", c.member, "first", c.after == pg.Cursor{}, "at", c.after.At,
			"id", c.after.ID, "before", beforeOf(c.after))).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("notices: %w", err)
	}
	list := make([]Line, len(rows))
	for i := range rows {
		list[i] = rows[i].Line
		if err := json.Unmarshal([]byte(rows[i].Listed), &list[i].Awards); err != nil {
			return nil, fmt.Errorf("notices: %w", err)
		}
	}
	return list, nil
}

// Of returns at most limit lines that a member was shown, newest first,
// behind a cursor, and the cursor to go on with.
func Of(ctx context.Context, db *gorm.DB, memberID int64, after pg.Cursor, limit int) (list []Line, next pg.Cursor, err error) {
	list, err = choice{member: &memberID, after: after}.lines(ctx, db)
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].At, ID: list[limit-1].ID}
	}
	return list, next, err
}

// beforeOf keeps the rows before a cursor out, but for those of its own day,
// which may be of one line.
func beforeOf(c pg.Cursor) time.Time {
	if c == (pg.Cursor{}) {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c.At.AddDate(0, 0, 2)
}

// Unread counts what a member was shown and has not read.
func Unread(ctx context.Context, db *gorm.DB, memberID int64) (n int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM notices WHERE member_id = @id AND shown AND read_at IS NULL`,
		pg.Named("id", memberID)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("unread notices of member %d: %w", memberID, err)
	}
	return n, nil
}

// Read marks as read what a member was shown, up to the moment of the page
// that they saw.
func Read(ctx context.Context, db *gorm.DB, memberID int64, until, now time.Time) error {
	err := db.WithContext(ctx).Exec(`UPDATE notices SET read_at = @now
		WHERE member_id = @id AND shown AND read_at IS NULL AND released_at <= @until`,
		pg.Named("now", now, "id", memberID, "until", until)).Error
	if err != nil {
		return fmt.Errorf("read notices of member %d: %w", memberID, err)
	}
	return nil
}
