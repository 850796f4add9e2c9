package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Suspension is a line of what admins did about one member: suspended them, or lifted it.
type Suspension struct {
	ID        int64
	MemberID  int64
	At        time.Time
	Suspended bool // False: it was lifted.
	Author    string
	Note      string

	SeenBy    string // What the member had chosen before: it holds again when the suspension is lifted.
	OffBoards bool
}

// TableName is where they are stored.
func (Suspension) TableName() string { return "member_suspensions" }

const longestNote = 500

// Suspend signs a member out for good and hides them from all but admins, until Lift. Nothing is deleted:
// the member counts as one who lets nobody see them.
func Suspend(ctx context.Context, db *gorm.DB, id int64, author, note string, now time.Time) error {
	return suspend(ctx, db, Suspension{MemberID: id, At: now, Suspended: true, Author: author, Note: note})
}

// Lift ends a suspension: what the member had chosen holds again.
func Lift(ctx context.Context, db *gorm.DB, id int64, author, note string, now time.Time) error {
	return suspend(ctx, db, Suspension{MemberID: id, At: now, Author: author, Note: note})
}

func suspend(ctx context.Context, db *gorm.DB, s Suspension) error {
	if s.Note = pg.CleanText(s.Note); s.Note == "" || len(s.Note) > longestNote {
		return &pg.InputError{Field: "note", Message: "give a reason in 1 to 500 letters; other admins read it later"}
	}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, err := members.Lock(ctx, tx, s.MemberID)
		switch {
		case err != nil:
			return err
		case m.Custom:
			return &pg.InputError{Field: "note", Message: m.Name + " cannot sign in, so there is nothing to suspend; delete them instead"}
		case s.Suspended == (m.SuspendedAt != nil):
			return &pg.InputError{Field: "note", Message: "somebody did that already"}
		}
		if s.Suspended {
			return s.begin(ctx, tx, &m)
		}
		return s.end(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("suspend member %d: %w", s.MemberID, err)
	}
	return nil
}

func (s Suspension) begin(ctx context.Context, tx *gorm.DB, m *members.Member) error {
	if err := notLastAdmin(ctx, tx, m.ID); err != nil {
		return err
	}
	s.SeenBy, s.OffBoards = m.SeenBy, m.OffBoards
	return errors.Join(gorm.G[Suspension](tx).Create(ctx, &s),
		members.SetVisibility(ctx, tx, m.ID, members.SeenBySelf, true),
		setSuspended(ctx, tx, m.ID, &s.At),
		members.EndSessions(ctx, tx, m.ID, ""))
}

func (s Suspension) end(ctx context.Context, tx *gorm.DB) error {
	last, err := gorm.G[Suspension](tx).Where("member_id = ? AND suspended", s.MemberID).Order("id DESC").First(ctx)
	if err != nil {
		return err
	}
	s.SeenBy, s.OffBoards = last.SeenBy, last.OffBoards
	return errors.Join(gorm.G[Suspension](tx).Create(ctx, &s),
		members.SetVisibility(ctx, tx, s.MemberID, s.SeenBy, s.OffBoards),
		setSuspended(ctx, tx, s.MemberID, nil))
}

func setSuspended(ctx context.Context, tx *gorm.DB, id int64, at *time.Time) error {
	return tx.WithContext(ctx).Exec(`UPDATE members SET suspended_at = @at WHERE id = @id`, pg.Named("id", id, "at", at)).Error
}

// SuspensionsOf returns what was done about a member, the newest first.
func SuspensionsOf(ctx context.Context, db *gorm.DB, id int64) ([]Suspension, error) {
	list, err := gorm.G[Suspension](db).Where("member_id = ?", id).Order("id DESC").Limit(50).Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("suspensions of member %d: %w", id, err)
	}
	return list, nil
}
