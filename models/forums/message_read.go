package forums

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Message is one that was harvested.
type Message struct {
	Serial      int64
	ForumID     int64
	Forum       string // Its slug.
	ForumName   string
	URL         string
	MessageID   string
	InReplyTo   string
	Thread      string
	ThreadID    int64
	Period      string
	Number      int64
	Author      string
	Address     string
	Member      string // Who wrote it, where that is known.
	Subject     string
	SentAt      *time.Time
	SentShown   string
	Approximate bool
	PlacedAt    time.Time
	Body        string
	Compared    string
	Selectand   string
	StoredAt    time.Time
	Refs        string // As JSON: [{kind, key, url}].
}

// References are what a message talks about.
func (m *Message) References() (refs []MessageRef) {
	if json.Unmarshal([]byte(m.Refs), &refs) != nil {
		return nil
	}
	return refs
}

// A Filter says which messages are wanted.
type Filter struct {
	Forum    string // A slug, "" for all.
	MemberID int64  // 0 for all.
	RefKind  string // What they talk about, "" for all.
	RefKey   string
	Words    string    // Full-text search, "" for all.
	Mark     bool      // The text is where the words are, with marks around them.
	Since    int64     // Only newer serials, in their order, for incremental readers; -1 is the newest first.
	After    pg.Cursor // Of the newest first: where the page before ended.
}

const messageColumnsRead = `m.serial, m.forum_id, f.slug AS forum, f.name AS forum_name, m.url, m.message_id, m.in_reply_to, m.thread,
	coalesce(m.thread_id, 0) AS thread_id, m.period, m.number, m.author, m.address, coalesce(b.name, '') AS member,
	m.subject, m.sent_at, m.sent_shown, m.approximate, m.placed_at, m.compared,
		CASE WHEN b.id IS NULL THEN '' ELSE m.selectand END AS selectand, m.stored_at,
	(SELECT coalesce(json_agg(json_build_object('kind', r.kind, 'key', r.key, 'url', r.url) ORDER BY r.kind, r.key), '[]')
		FROM (SELECT DISTINCT ON (t.kind, t.key) t.* FROM message_things t WHERE t.serial = m.serial
			ORDER BY t.kind, t.key, t.url) r) AS refs`

// excerptLetters is how much of a message's text a list shows.
const excerptLetters = 300

// MarkBegin and MarkEnd stand around words that were looked for, where they are to be
// marked. No text of a message holds them there.
const MarkBegin, MarkEnd = "\x02", "\x03"

// marked shows where in a text the words are; a very long text is not read to its end.
const (
	marked = `ts_headline('simple', regexp_replace(translate(left(m.body, 20000), @marks, ''), '(^|\n)[> ]+', '\1', 'g'),
		websearch_to_tsquery('simple', @words), @how) AS body`
	markOptions = "StartSel=" + MarkBegin + ", StopSel=" + MarkEnd + `, MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" … "`
)

// Messages returns messages, the newest first; or those stored after a serial, in
// the order of serials. Bodies are cut to an excerpt.
func Messages(ctx context.Context, db *gorm.DB, f Filter, limit int) (list []Message, next pg.Cursor, err error) {
	f.RefKind, f.RefKey = CleanRef(f.RefKind, f.RefKey)
	order, body := "m.placed_at DESC, m.serial DESC", "left(m.body, @excerpt) AS body"
	where := "true"
	if f.Since >= 0 {
		order, where = "m.serial", "m.serial > @since"
	} else if f.After != (pg.Cursor{}) {
		where = "(m.placed_at, m.serial) < (@at, @id)"
	}
	for _, c := range []struct {
		wanted bool
		sql    string
	}{
		{f.Forum != "", " AND m.forum_id = (SELECT id FROM forums WHERE slug = @forum)"},
		{f.MemberID != 0, " AND m.member_id = @member"},
		{f.RefKind != "", " AND m.serial IN (SELECT serial FROM message_things WHERE kind = @kind AND key = @key)"},
		{f.Words != "", " AND m.words @@ websearch_to_tsquery('simple', @words)"},
	} {
		if c.wanted {
			where += c.sql
		}
	}
	if f.Mark && f.Words != "" {
		body = marked
	}
	err = db.WithContext(ctx).Raw(`
		SELECT `+messageColumnsRead+`, `+body+`
		FROM messages m JOIN forums f ON f.id = m.forum_id LEFT JOIN members b ON b.id = m.member_id
		WHERE `+where+` ORDER BY `+order+` LIMIT @limit`,
		pg.Named("excerpt", excerptLetters, "at", f.After.At, "id", f.After.ID, "since", f.Since, "forum", f.Forum, "member", f.MemberID,
			"kind", f.RefKind, "key", f.RefKey, "words", pg.CleanText(f.Words),
			"marks", MarkBegin+MarkEnd, "how", markOptions, "limit", limit+1)).Scan(&list).Error
	if err != nil {
		return nil, pg.Cursor{}, fmt.Errorf("messages: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].PlacedAt, ID: list[limit-1].Serial}
	}
	return list, next, nil
}

// MessageBySerial returns a message with its whole text, or ErrNotFound.
func MessageBySerial(ctx context.Context, db *gorm.DB, serial int64) (m Message, err error) {
	res := db.WithContext(ctx).Raw(`SELECT `+messageColumnsRead+
		`, m.body FROM messages m JOIN forums f ON f.id = m.forum_id LEFT JOIN members b ON b.id = m.member_id WHERE m.serial = @serial`,
		pg.Named("serial", serial)).Scan(&m)
	if res.Error == nil && res.RowsAffected == 0 {
		return m, pg.ErrNotFound
	}
	return m, res.Error
}

// Runs returns the newest runs of a forum.
func Runs(ctx context.Context, db *gorm.DB, forum int64, limit int) (runs []Run, err error) {
	err = db.WithContext(ctx).Raw(`SELECT * FROM forum_runs WHERE forum_id = @forum ORDER BY id DESC LIMIT @limit`,
		pg.Named("forum", forum, "limit", limit)).Scan(&runs).Error
	return runs, err
}

// Periods returns the periods of a forum, newest first.
func Periods(ctx context.Context, db *gorm.DB, forum int64) (periods []Period, err error) {
	err = db.WithContext(ctx).Raw(`SELECT * FROM forum_periods WHERE forum_id = @forum ORDER BY place`,
		pg.Named("forum", forum)).Scan(&periods).Error
	return periods, err
}
