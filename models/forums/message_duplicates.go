package forums

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// answerPrefixes are what answers put before a subject.
var answerPrefixes = []string{"re:", "aw:", "sv:", "fwd:", "fw:"}

// PlainSubject is a subject without what answers put before it, in small letters.
func PlainSubject(subject string) string {
	subject = strings.ToLower(strings.Join(strings.Fields(subject), " "))
	for {
		start := subject
		for _, prefix := range answerPrefixes {
			subject = strings.TrimSpace(strings.TrimPrefix(subject, prefix))
		}
		if rest, ok := strings.CutPrefix(subject, "["); ok { // [list-name], also between two of them.
			if _, after, ok := strings.Cut(rest, "]"); ok && strings.TrimSpace(after) != "" {
				subject = strings.TrimSpace(after)
			}
		}
		if subject == start {
			return subject
		}
	}
}

// A Duplicate is a message that came by a second address.
type Duplicate struct {
	Serial     int64
	Subject    string
	URL, First string // The second address, and the one by which it is stored.
	Seen       int
	SeenAt     time.Time
}

// Duplicates returns the messages of a forum that came by a second address, the
// last seen first.
func Duplicates(ctx context.Context, db *gorm.DB, forum int64, limit int) (list []Duplicate, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT d.serial, m.subject, d.url, m.url AS first, d.seen, d.seen_at FROM message_duplicates d
			JOIN messages m ON m.serial = d.serial
		WHERE d.forum_id = @forum ORDER BY d.seen_at DESC, d.url LIMIT @limit`,
		pg.Named("forum", forum, "limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("duplicates: %w", err)
	}
	return list, nil
}

// Missing returns how many messages archives list that are not stored, by the
// forum's id.
func Missing(ctx context.Context, db *gorm.DB) (map[int64]int, error) {
	var rows []struct {
		ForumID int64
		Missing int
	}
	err := db.WithContext(ctx).Raw(`SELECT forum_id, sum(listed - stored) AS missing FROM forum_periods WHERE stored < listed
		GROUP BY forum_id`).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("missing messages: %w", err)
	}
	missing := make(map[int64]int, len(rows))
	for _, r := range rows {
		missing[r.ForumID] = r.Missing
	}
	return missing, nil
}
