package forums

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// States of a MessageAuthor.
const (
	AuthorSaid      = "said"      // It holds.
	AuthorAsked     = "asked"     // A member says so, and an admin has not answered.
	AuthorDismissed = "dismissed" // An admin said no; it is not suggested again.
)

// A MessageAuthor is who writes under a name, an address, or both. A name alone,
// or a user name where others show an address, is somebody in one forum only.
type MessageAuthor struct {
	ID        int64
	MemberID  int64 // 0 is nobody: the address of a list or of a bot.
	Member    string
	ForumID   *int64 // Nil: in all forums.
	Forum     string // Its slug.
	Name      string
	Address   string // Without what archives do to it.
	State     string
	AddedBy   string
	AddedAt   time.Time
	DecidedBy string
	DecidedAt *time.Time
}

// TableName is GORM's: the view with the names of members and forums.
func (MessageAuthor) TableName() string { return "message_author_list" }

// check checks what somebody gave, and brings it into its one form.
func (a *MessageAuthor) check(ctx context.Context, db *gorm.DB) error {
	a.Name = strings.Join(strings.Fields(pg.CleanText(a.Name)), " ")
	if err := db.WithContext(ctx).Raw(`SELECT plain_address(@shown)`,
		pg.Named("shown", pg.CleanText(a.Address))).Row().Scan(&a.Address); err != nil {
		return fmt.Errorf("author: %w", err)
	}
	switch {
	case a.Name == "" && a.Address == "":
		return &pg.InputError{Field: "address", Message: "an address, a name, or both must be given"}
	case len(a.Name) > 200:
		return &pg.InputError{Field: "name", Message: "is longer than 200 letters"}
	case len(a.Address) > 254:
		return &pg.InputError{Field: "address", Message: "is longer than 254 letters"}
	case a.ForumID == nil && a.Address == "":
		return &pg.InputError{Field: "forum",
			Message: "a name without an address counts in one forum only: choose the forum, or add the address"}
	case a.ForumID == nil && !strings.Contains(a.Address, "@"):
		return &pg.InputError{Field: "forum", Message: "this is not a full address, so it counts in one forum only: choose the forum"}
	}
	return nil
}

// AssignAuthor stores who writes under a name and address, and gives that member the
// messages that are stored already. Assigned before, it is no mistake; to another
// member, it is.
func AssignAuthor(ctx context.Context, db *gorm.DB, a MessageAuthor, now time.Time) (assigned MessageAuthor, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := a.check(ctx, tx); err != nil {
			return err
		}
		assigned, err = assignAuthor(ctx, tx, a, now)
		return err
	})
	return assigned, err
}

// sameAuthor finds what was stored of the same forum, name and address.
const sameAuthor = "coalesce(forum_id, 0) = coalesce(?, 0) AND lower(name) = lower(?) AND address = ?"

func assignAuthor(ctx context.Context, tx *gorm.DB, a MessageAuthor, now time.Time) (MessageAuthor, error) {
	if err := lockAuthors(ctx, tx); err != nil {
		return a, err
	}
	taken, err := gorm.G[MessageAuthor](tx).Where(sameAuthor, a.ForumID, a.Name, a.Address).
		Where("state = ? AND member_id <> ?", AuthorSaid, a.MemberID).Find(ctx)
	if err != nil {
		return a, fmt.Errorf("author: %w", err)
	}
	if len(taken) > 0 {
		whose := cmp.Or(taken[0].Member, "nobody's")
		return a, &pg.InputError{Field: "address", Message: "this is " + whose + " already; remove that first"}
	}
	if a, err = storeAuthor(ctx, tx, a, AuthorSaid, now); err != nil {
		return a, err
	}
	return a, a.nameMessages(ctx, tx, now)
}

// storeAuthor stores what was assigned, requested or refused, and returns what holds: what
// was assigned stays until it is taken back, and a second request does not undo a no.
func storeAuthor(ctx context.Context, tx *gorm.DB, a MessageAuthor, state string, now time.Time) (MessageAuthor, error) {
	err := tx.WithContext(ctx).Exec(queries.Must("store_author"),
		pg.Named("member", a.MemberID, "forum", a.ForumID, "name", a.Name, "address", a.Address, "state", state, "by", a.AddedBy,
			"now", now)).Error
	if err != nil {
		return a, fmt.Errorf("author: %w", err)
	}
	return gorm.G[MessageAuthor](tx).Where(sameAuthor, a.ForumID, a.Name, a.Address).Where("member_id = ?", a.MemberID).Take(ctx)
}

// nameMessages gives the messages that an author may have written to whom they are now.
func (a *MessageAuthor) nameMessages(ctx context.Context, tx *gorm.DB, now time.Time) error {
	q := tx.WithContext(ctx).Table("messages")
	if a.ForumID != nil {
		q = q.Where("forum_id = ?", *a.ForumID)
	}
	if a.Name != "" {
		q = q.Where("lower(author) = lower(?)", a.Name)
	}
	if a.Address != "" {
		q = q.Where("address <> '' AND plain_address(address) = ?", a.Address)
	}
	var serials []int64
	if err := q.Pluck("serial", &serials).Error; err != nil {
		return fmt.Errorf("messages of an author: %w", err)
	}
	return nameMessages(ctx, tx, serials, now)
}

// AskAuthor is a member's own request. It is granted at once for the address at which
// they get e-mails, for they have shown that it is theirs; anything else waits for an
// admin.
func AskAuthor(ctx context.Context, db *gorm.DB, a MessageAuthor, now time.Time) (asked MessageAuthor, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := a.check(ctx, tx); err != nil {
			return err
		}
		var theirs bool
		var open int
		err := tx.Raw(`SELECT @address <> '' AND EXISTS (SELECT FROM notice_settings
			WHERE member_id = @member AND confirmed_at IS NOT NULL AND plain_address(address) = @address),
			(SELECT count(*) FROM message_authors WHERE member_id = @member AND state = 'asked')`,
			pg.Named("address", a.Address, "member", a.MemberID)).Row().Scan(&theirs, &open)
		switch {
		case err != nil:
			return fmt.Errorf("author: %w", err)
		case theirs:
			asked, err = assignAuthor(ctx, tx, a, now)
			return err
		case open >= askedAtMost:
			return &pg.InputError{Field: "address", Message: fmt.Sprintf("%d requests already wait for an admin", open)}
		}
		asked, err = storeAuthor(ctx, tx, a, AuthorAsked, now)
		return err
	})
	return asked, err
}

// AnyMember is whose name and address DropAuthor takes back where an admin does so.
const AnyMember = -1

// askedAtMost is how many names and addresses of a member may wait for an admin.
const askedAtMost = 20

// DropAuthor takes back that a member writes under a name and address, with the
// messages that were theirs because of it. member is 0 for what is nobody's, and
// AnyMember where it does not matter whose it is.
func DropAuthor(ctx context.Context, db *gorm.DB, member, id int64, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lockAuthors(ctx, tx); err != nil {
			return err
		}
		var a MessageAuthor
		err := pg.Touched(tx.Raw(`
			DELETE FROM message_authors WHERE id = @id AND (@member = -1 OR coalesce(member_id, 0) = @member)
			RETURNING id, forum_id, name, address, state`, pg.Named("id", id, "member", member)).Scan(&a), pg.ErrNotFound)
		if err != nil || a.State != AuthorSaid {
			return err
		}
		return a.nameMessages(ctx, tx, now)
	})
}

// AuthorsOf returns all names and addresses of a member, those that wait first;
// with member 0 those that are nobody's.
func AuthorsOf(ctx context.Context, db *gorm.DB, member int64) ([]MessageAuthor, error) {
	return gorm.G[MessageAuthor](db).Where("member_id = ?", member).Order("state, address, lower(name), id").Find(ctx)
}

// AssignedAuthors returns what was assigned to all members, the newest first, those added
// before one with id before, which is 0 for the newest.
func AssignedAuthors(ctx context.Context, db *gorm.DB, before int64, limit int) ([]MessageAuthor, error) {
	q := gorm.G[MessageAuthor](db).Where("state = ? AND member_id <> 0", AuthorSaid)
	if before != 0 {
		q = q.Where("id < ?", before)
	}
	return q.Order("id DESC").Limit(limit).Find(ctx)
}
