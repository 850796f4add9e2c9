// Package reports keeps what members report to the admins: a profile or a message, with why. Admins
// resolve a report with a note. Who is reported is not told.
package reports

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// longest is how many bytes a reason or a note may have.
const longest = 1000

// often is how often one member may report something.
var often = pg.Limit{Burst: 10, Per: 24 * time.Hour}

// A Report is one of them, with the names of whom the one who asks may see.
type Report struct {
	ID         int64
	Text       string
	At         time.Time
	ResolvedAt *time.Time
	ResolvedBy string
	Note       string
	Serial     int64  // Of the message; 0: it is about a profile.
	Reporter   string // "": their account is deleted.
	Member     string // Whose profile it is about.
	Subject    string // The message's.
}

// A Thing is what is reported: a member's profile, or a message. The caller sees to it that it may be seen.
type Thing struct{ Member, Message *int64 }

// Add reports a thing. Reporting it again, while nobody has answered, changes the reason.
func Add(ctx context.Context, db *gorm.DB, by int64, what Thing, text string, now time.Time) error {
	text, err := reason("text", text)
	if err != nil {
		return err
	}
	if what.Member != nil && *what.Member == by {
		return &pg.InputError{Field: "text", Message: "this is your own profile; you can change it in the settings"}
	}
	if err := often.Take(ctx, db, fmt.Sprint("report:", by), "reports", now); err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`
		WITH again AS (
			UPDATE reports SET text = @text, at = @now
			WHERE reporter_id = @by AND resolved_at IS NULL AND (member_id = @member OR serial = @serial)
			RETURNING id)
		INSERT INTO reports (reporter_id, member_id, serial, text, at)
		SELECT @by, CAST(@member AS bigint), CAST(@serial AS bigint), @text, @now WHERE NOT EXISTS (SELECT FROM again)
		ON CONFLICT DO NOTHING`, // Of two at once the first one stays.
		pg.Named("by", by, "member", what.Member, "serial", what.Message, "text", text, "now", now)).Error
	if err != nil {
		return fmt.Errorf("report by member %d: %w", by, err)
	}
	return nil
}

// Of returns at most limit reports that wait, or that are resolved, behind an id, the newest first; 0 begins.
func Of(ctx context.Context, db *gorm.DB, resolved bool, before int64, limit int) (list []Report, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("list"),
		pg.Named("resolved", resolved, "before", before, "limit", limit, "asking", members.Asking(ctx))).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	return list, nil
}

// Resolve ends a report with a note for other admins, or returns ErrNotFound where it is resolved already.
func Resolve(ctx context.Context, db *gorm.DB, id int64, author, note string, now time.Time) error {
	note, err := reason("note", note)
	if err != nil {
		return err
	}
	res := db.WithContext(ctx).Exec(`UPDATE reports SET resolved_at = @now, resolved_by = @author, note = @note
		WHERE id = @id AND resolved_at IS NULL`, pg.Named("now", now, "author", author, "note", note, "id", id))
	if err = res.Error; err == nil && res.RowsAffected == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("resolve report %d: %w", id, err)
	}
	return nil
}

func reason(field, text string) (string, error) {
	if text = pg.CleanText(text); text == "" || len(text) > longest {
		return "", &pg.InputError{Field: field, Message: fmt.Sprintf("write a reason of 1 to %d letters", longest)}
	}
	return text, nil
}
