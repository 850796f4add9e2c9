package forums

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	pg "laurel/models/db"
	"laurel/models/members"
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

// TableName is GORM's: the view with the names of forums and members.
func (Message) TableName() string { return "message_list" }

// References are what a message talks about, without the members whom the one who asks may not see.
func (m *Message) References(asking members.Viewer) (refs []MessageRef) {
	var all []struct {
		MessageRef
		Member   int64
		Audience int
	}
	if json.Unmarshal([]byte(m.Refs), &all) != nil {
		return nil
	}
	for _, r := range all {
		if asking.Sees(r.Member, r.Audience) {
			refs = append(refs, r.MessageRef)
		}
	}
	return refs
}

// A Filter is which messages are wanted.
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

// messageColumns are those of a Message but its text.
const messageColumns = `serial, forum_id, forum, forum_name, url, message_id, in_reply_to, thread, thread_id, period, number, author,
	address, member, subject, sent_at, sent_shown, approximate, placed_at, compared, selectand, stored_at, refs`

// excerptLetters is how much of a message's text a list shows.
const excerptLetters = 300

// MarkBegin and MarkEnd are around words that were searched for, where they are to be
// marked. No text of a message holds them there.
const MarkBegin, MarkEnd = "\x02", "\x03"

// marked shows where in a text the words are; a very long text is not read to its end.
const (
	marked = `ts_headline('simple', regexp_replace(translate(left(body, 20000), @marks, ''), '(^|\n)[> ]+', '\1', 'g'),
		websearch_to_tsquery('simple', @words), @how) AS body`
	markOptions = "StartSel=" + MarkBegin + ", StopSel=" + MarkEnd + `, MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" … "`
)

// Messages returns messages, the newest first; or those stored after a serial, in
// the order of serials. Bodies are cut to an excerpt.
func Messages(ctx context.Context, db *gorm.DB, f Filter, limit int) (list []Message, next pg.Cursor, err error) {
	q := f.where(db.WithContext(ctx), members.Asking(ctx))
	if f.Mark && f.Words != "" {
		q = q.Select(messageColumns+", "+marked, pg.Named("words", pg.CleanText(f.Words), "marks", MarkBegin+MarkEnd, "how", markOptions))
	} else {
		q = q.Select(messageColumns+", left(body, ?) AS body", excerptLetters)
	}
	if err := q.Limit(limit + 1).Find(&list).Error; err != nil {
		return nil, next, fmt.Errorf("messages: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].PlacedAt, ID: list[limit-1].Serial}
	}
	return list, next, nil
}

// where are the messages of a filter, in its order.
func (f *Filter) where(q *gorm.DB, asking members.Viewer) *gorm.DB {
	q = q.Where("visible_to(?, member_id, audience)", asking)
	switch {
	case f.Since >= 0:
		q = q.Where("serial > ?", f.Since).Order("serial")
	case f.After != (pg.Cursor{}):
		q = q.Where("(placed_at, serial) < (?, ?)", f.After.At, f.After.ID).Order("placed_at DESC, serial DESC")
	default:
		q = q.Order("placed_at DESC, serial DESC")
	}
	if f.Forum != "" {
		q = q.Where("forum_id = (SELECT id FROM forums WHERE slug = ?)", f.Forum)
	}
	if f.MemberID != 0 {
		q = q.Where("member_id = ?", f.MemberID)
	}
	if kind, key := CleanRef(f.RefKind, f.RefKey); kind != "" {
		q = q.Where(`serial IN (SELECT serial FROM message_things
			WHERE kind = ? AND key = ? AND visible_to(?, member_id, audience))`, kind, key, asking)
	}
	if f.Words != "" {
		q = q.Where("words @@ websearch_to_tsquery('simple', ?)", pg.CleanText(f.Words))
	}
	return q
}

// MessageBySerial returns a message with its whole text, or ErrNotFound.
func MessageBySerial(ctx context.Context, db *gorm.DB, serial int64) (Message, error) {
	return gorm.G[Message](db).Where("serial = ? AND visible_to(?, member_id, audience)", serial, members.Asking(ctx)).Take(ctx)
}

// MessagesBySerials returns messages in the order of the serials, with so many
// letters of their texts.
func MessagesBySerials(ctx context.Context, db *gorm.DB, serials []int64, letters int) ([]Message, error) {
	list, err := gorm.G[Message](db).Select(messageColumns+", left(body, ?) AS body", letters).
		Where("serial = ANY(CAST(? AS bigint[])) AND visible_to(?, member_id, audience)", &serials, members.Asking(ctx)).
		Order(clause.OrderBy{Expression: gorm.Expr("array_position(CAST(? AS bigint[]), serial)", &serials)}).Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	return list, nil
}
