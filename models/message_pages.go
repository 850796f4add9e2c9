package models

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// A MessageLine is a message without its text.
type MessageLine struct {
	Serial      int64
	URL         string
	MessageID   string
	InReplyTo   string
	Thread      string
	Author      string
	Subject     string
	SentAt      *time.Time
	Approximate bool
	PlacedAt    time.Time
}

// threadWithin is how many messages before and behind one its thread is looked for
// in: discussions do not last for ever, and a page must not read a whole archive.
const threadWithin = 1000

// ThreadOf returns the messages of a message's thread, itself among them, the oldest
// first.
func ThreadOf(ctx context.Context, db *gorm.DB, m *Message) ([]MessageLine, error) {
	const columns = `SELECT serial, url, message_id, in_reply_to, thread, author, subject, sent_at, approximate, placed_at FROM messages WHERE forum_id = @forum AND `
	var near []MessageLine
	err := db.WithContext(ctx).Raw(`
		(`+columns+`(placed_at, serial) <= (@at, @serial) ORDER BY placed_at DESC, serial DESC LIMIT @within)
		UNION (`+columns+`(placed_at, serial) > (@at, @serial) ORDER BY placed_at, serial LIMIT @within)
		UNION (`+columns+`message_id = @reply AND message_id <> '')
		ORDER BY placed_at, serial`,
		named("forum", m.ForumID, "at", m.PlacedAt, "serial", m.Serial, "within", threadWithin, "reply", m.InReplyTo)).Scan(&near).Error
	if err != nil {
		return nil, fmt.Errorf("thread of message %d: %w", m.Serial, err)
	}
	return threadIn(near, m.Serial), nil
}

// threadIn picks the messages that belong to one: by what answers what, or else by
// their subject.
func threadIn(near []MessageLine, serial int64) []MessageLine {
	heads := map[string]string{}
	var head func(string) string
	head = func(of string) string {
		for heads[of] != "" && heads[of] != of {
			of = heads[of]
		}
		return of
	}
	var self *MessageLine
	for i := range near {
		l := &near[i]
		if l.Serial == serial {
			self = l
		}
		for _, key := range []string{l.MessageID, l.InReplyTo, l.Thread} {
			if key != "" {
				heads[head(key)] = head(l.URL)
			}
		}
	}
	if self == nil {
		return nil
	}
	keep := func(same func(l *MessageLine) bool) []MessageLine {
		return slices.DeleteFunc(slices.Clone(near), func(l MessageLine) bool { return l.Serial != serial && !same(&l) })
	}
	thread := keep(func(l *MessageLine) bool { return head(l.URL) == head(self.URL) })
	if subject := PlainSubject(self.Subject); len(thread) == 1 && subject != "" {
		thread = keep(func(l *MessageLine) bool { return PlainSubject(l.Subject) == subject })
	}
	return thread
}

// PlainSubject is a subject without what answers put before it, in small letters.
func PlainSubject(subject string) string {
	subject = strings.ToLower(strings.Join(strings.Fields(subject), " "))
	for {
		start := subject
		for _, prefix := range []string{"re:", "aw:", "sv:", "fwd:", "fw:"} {
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

// ForumDuplicates returns the messages of a forum that came by a second address, the
// last seen first.
func ForumDuplicates(ctx context.Context, db *gorm.DB, forum int64, limit int) (list []Duplicate, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT d.serial, m.subject, d.url, m.url AS first, d.seen, d.seen_at FROM message_duplicates d JOIN messages m ON m.serial = d.serial
		WHERE d.forum_id = @forum ORDER BY d.seen_at DESC, d.url LIMIT @limit`, named("forum", forum, "limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("duplicates: %w", err)
	}
	return list, nil
}

// LastRuns returns the last run of every forum, by the forum's id.
func LastRuns(ctx context.Context, db *gorm.DB) (map[int64]Run, error) {
	var runs []Run
	err := db.WithContext(ctx).Raw(`SELECT r.* FROM forums f CROSS JOIN LATERAL (SELECT * FROM forum_runs WHERE forum_id = f.id ORDER BY id DESC LIMIT 1) r`).Scan(&runs).Error
	if err != nil {
		return nil, fmt.Errorf("last runs: %w", err)
	}
	last := make(map[int64]Run, len(runs))
	for _, r := range runs {
		last[r.ForumID] = r
	}
	return last, nil
}

// MissingByForum returns how many messages archives list that are not stored, by the
// forum's id.
func MissingByForum(ctx context.Context, db *gorm.DB) (map[int64]int, error) {
	var rows []struct {
		ForumID int64
		Missing int
	}
	err := db.WithContext(ctx).Raw(`SELECT forum_id, sum(listed - stored) AS missing FROM forum_periods WHERE stored < listed GROUP BY forum_id`).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("missing messages: %w", err)
	}
	missing := make(map[int64]int, len(rows))
	for _, r := range rows {
		missing[r.ForumID] = r.Missing
	}
	return missing, nil
}
