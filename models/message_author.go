package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
)

// A MessageAuthor says who writes under a name, an address, or both. A name alone
// is never enough to guess by; it is when a person says so.
type MessageAuthor struct {
	ID       int64
	MemberID int64
	ForumID  *int64 // Nil: in all forums.
	Name     string
	Address  string
	AddedBy  string
	AddedAt  time.Time
}

// PlainAddress is an address without what archives do to it: "ada at example.org"
// and "ada (a) example.org" are ada@example.org.
func PlainAddress(shown string) string {
	shown = strings.ToLower(strings.Join(strings.Fields(shown), " "))
	for _, at := range []string{" at ", " (a) ", "(a)", " [at] ", "&#64;"} {
		if local, host, ok := strings.Cut(shown, at); ok && !strings.Contains(shown, "@") {
			return local + "@" + host
		}
	}
	return shown
}

// plainAddress is PlainAddress in SQL, of messages m.
const plainAddress = `regexp_replace(lower(m.address), ' at | \(a\) |\(a\)| \[at\] ', '@')`

// SayAuthor notes who writes under a name and address, and gives that member the
// messages that are stored already.
func SayAuthor(ctx context.Context, db *gorm.DB, a MessageAuthor, now time.Time) error {
	a.Name, a.Address = strings.TrimSpace(cleanText(a.Name)), PlainAddress(cleanText(a.Address))
	if a.Name == "" && a.Address == "" {
		return &InputError{"address", "name or address must be given"}
	}
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var taken string
		err := tx.Raw(`SELECT coalesce((SELECT m.name FROM message_authors a JOIN members m ON m.id = a.member_id
			WHERE coalesce(a.forum_id, 0) = coalesce(@forum, 0) AND lower(a.name) = lower(@name) AND a.address = @address AND a.member_id <> @member), '')`,
			named("forum", a.ForumID, "name", a.Name, "address", a.Address, "member", a.MemberID)).Row().Scan(&taken)
		if err != nil {
			return fmt.Errorf("author: %w", err)
		}
		if taken != "" {
			return &InputError{"address", "this is " + taken + " already"}
		}
		err = tx.Exec(`INSERT INTO message_authors (member_id, forum_id, name, address, added_by, added_at) VALUES (@member, @forum, @name, @address, @by, @now) ON CONFLICT DO NOTHING`,
			named("member", a.MemberID, "forum", a.ForumID, "name", a.Name, "address", a.Address, "by", a.AddedBy, "now", now)).Error
		if err != nil {
			return fmt.Errorf("author: %w", err)
		}
		return authorsOf(ctx, tx, `m.member_id IS NULL AND (CAST(@forum AS bigint) IS NULL OR m.forum_id = @forum) AND (@name = '' OR lower(m.author) = lower(@name)) AND (@address = '' OR `+plainAddress+` = @address)`,
			named("forum", a.ForumID, "name", a.Name, "address", a.Address), now)
	})
}

// authorsOf gives messages m to the members who wrote them, where persons have said
// so, and tells awards.
func authorsOf(ctx context.Context, tx *gorm.DB, which string, args map[string]any, now time.Time) error {
	var serials []int64
	err := tx.WithContext(ctx).Raw(`
		WITH found AS (
			SELECT DISTINCT ON (m.serial) m.serial, a.member_id FROM messages m JOIN message_authors a
				ON (a.forum_id IS NULL OR a.forum_id = m.forum_id) AND (a.name = '' OR lower(a.name) = lower(m.author)) AND (a.address = '' OR a.address = `+plainAddress+`)
			WHERE `+which+` ORDER BY m.serial, a.address <> '' DESC, a.name <> '' DESC, a.id)
		UPDATE messages x SET member_id = found.member_id FROM found WHERE x.serial = found.serial RETURNING x.serial`, args).Scan(&serials).Error
	if err != nil {
		return fmt.Errorf("authors of messages: %w", err)
	}
	if len(serials) == 0 {
		return nil
	}
	return emit(ctx, tx, "messages", `
		SELECT b.id AS member_id, b.name, b.time_zone AS zone, f.slug || '/' || g.serial AS item, 'message' AS type, f.slug AS object, 'active' AS status, coalesce(least(g.sent_at, CAST(@at AS timestamptz)), CAST(@at AS timestamptz)) AS at,
			json_build_object('forum', f.slug, 'subject', g.subject, 'text', left(g.body, 2000), 'reply', g.in_reply_to <> '', 'url', g.url) AS facts
		FROM messages g JOIN forums f ON f.id = g.forum_id JOIN members b ON b.id = g.member_id AND NOT b.custom WHERE g.serial = ANY(CAST(@serials AS bigint[])) ORDER BY g.serial`,
		named("at", now, "serials", &serials), now)
}
