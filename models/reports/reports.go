// Package reports keeps what members and visitors report to the admins: a profile or a message, with why.
// Admins resolve a report with a note. Who is reported is not told, and a report does nothing by itself.
package reports

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// longest is how many bytes a reason or a note may have.
const longest = 1000

// often is how often one member may report something.
var often = pg.Limit{Burst: 10, Per: 24 * time.Hour}

// seldom is how often visitors of one address may, and mostOfVisitors how many of all their reports may wait.
var seldom = pg.Limit{Burst: 5, Per: 24 * time.Hour}

const mostOfVisitors = 200

// A Report is one of them, with the names of whom the one who asks may see.
type Report struct {
	ID         int64
	Text       string
	At         time.Time
	ResolvedAt *time.Time
	ResolvedBy string
	Note       string
	Serial     int64  // Of the message; 0: it is about a profile.
	Reporter   string // "": their account is deleted, or it was a visitor.
	Visitor    bool
	Member     string // Whose profile it is about.
	Subject    string // The message's.
}

// A Thing is what is reported: a member's profile, or a message. The caller sees to it that it may be seen.
type Thing struct{ Member, Message *int64 }

// A Reporter is a member, or the address of somebody who did not sign in.
type Reporter struct {
	Member  int64
	Visitor string
}

// Add reports a thing. Reporting it again, while nobody has answered, changes the reason.
func Add(ctx context.Context, db *gorm.DB, by Reporter, what Thing, text string, now time.Time) error {
	text, err := reason("text", text)
	if err != nil {
		return err
	}
	if what.Member != nil && *what.Member == by.Member {
		return &pg.InputError{Field: "text", Message: "this is your own profile; you can change it in the settings"}
	}
	if by.Visitor != "" {
		return addOfVisitor(ctx, db, by, what, text, now)
	}
	if err := often.Take(ctx, db, fmt.Sprint("report:", by.Member), "reports", now); err != nil {
		return err
	}
	if _, err := store(ctx, db, by, what, text, now); err != nil {
		return fmt.Errorf("report by member %d: %w", by.Member, err)
	}
	return nil
}

// addOfVisitor stores a report of a visitor, where their queue has room. It is a queue of its own, so members' reports
// are neither refused nor pushed out for it.
func addOfVisitor(ctx context.Context, db *gorm.DB, by Reporter, what Thing, text string, now time.Time) error {
	err := seldom.Take(ctx, db, "report of visitor:"+by.Visitor, "reports from your network; sign in to report", now)
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		stored, err := store(ctx, tx, by, what, text, now)
		if err != nil {
			return err
		}
		var dropped []int64
		err = tx.Raw(queries.Must("drop_most"), pg.Named("most", mostOfVisitors)).Scan(&dropped).Error
		if err == nil && slices.Contains(dropped, stored) {
			err = &pg.Error{Code: pg.CodeLimited, Message: "too many reports wait for the admins; sign in to report", After: time.Hour}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("report by a visitor: %w", err)
	}
	return nil
}

// store stores a report and returns its id; 0 where the same one was stored at the same moment.
func store(ctx context.Context, tx *gorm.DB, by Reporter, what Thing, text string, now time.Time) (id int64, err error) {
	var member *int64
	var visitor *string
	if by.Visitor != "" {
		visitor = &by.Visitor
	} else {
		member = &by.Member
	}
	err = tx.WithContext(ctx).Raw(queries.Must("add"), pg.Named("by", member, "visitor", visitor, "member", what.Member,
		"serial", what.Message, "text", text, "now", now)).Scan(&id).Error
	return id, err
}

// A Filter says which reports are wanted, the newest first.
type Filter struct {
	Resolved, Visitors bool  // Those that have an answer; those of visitors.
	Before             int64 // Behind this id; 0 begins.
}

// Of returns at most limit reports.
func Of(ctx context.Context, db *gorm.DB, f Filter, limit int) (list []Report, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("list"), pg.Named("resolved", f.Resolved, "visitors", f.Visitors, "before", f.Before,
		"limit", limit, "asking", members.Asking(ctx))).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	return list, nil
}

// WaitingOfVisitors is how many reports of visitors wait.
func WaitingOfVisitors(ctx context.Context, db *gorm.DB) (n int, err error) {
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM reports WHERE resolved_at IS NULL AND visitor IS NOT NULL`).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count reports of visitors: %w", err)
	}
	return n, nil
}

// Resolve ends a report with a note for other admins, or returns ErrNotFound where it is resolved already.
func Resolve(ctx context.Context, db *gorm.DB, id int64, author, note string, now time.Time) error {
	note, err := reason("note", note)
	if err != nil {
		return err
	}
	res := db.WithContext(ctx).Exec(`UPDATE reports SET resolved_at = @now, resolved_by = @author, note = @note, visitor = left(visitor, 0)
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
