package forums

import (
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

// A MessageAuthor says who writes under a name, an address, or both. A name alone,
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

const authorColumns = `SELECT a.id, coalesce(a.member_id, 0) AS member_id, coalesce(b.name, '') AS member, a.forum_id,
	coalesce(f.slug, '') AS forum, a.name, a.address, a.state, a.added_by, a.added_at, a.decided_by, a.decided_at
	FROM message_authors a LEFT JOIN members b ON b.id = a.member_id LEFT JOIN forums f ON f.id = a.forum_id `

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
			Message: "a name alone is somebody in one forum only: choose the forum, or give the address, too"}
	case a.ForumID == nil && !strings.Contains(a.Address, "@"):
		return &pg.InputError{Field: "forum", Message: "this is no whole address, so it is somebody in one forum only: choose the forum"}
	}
	return nil
}

// AssignAuthor notes who writes under a name and address, and gives that member the
// messages that are stored already. Said before, it is no mistake; said of another
// member, it is.
func AssignAuthor(ctx context.Context, db *gorm.DB, a MessageAuthor, now time.Time) (said MessageAuthor, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := a.check(ctx, tx); err != nil {
			return err
		}
		said, err = assignAuthor(ctx, tx, a, now)
		return err
	})
	return said, err
}

func assignAuthor(ctx context.Context, tx *gorm.DB, a MessageAuthor, now time.Time) (MessageAuthor, error) {
	if err := tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(@class, 0)`, pg.Named("class", lockAuthors)).Error; err != nil {
		return a, fmt.Errorf("lock authors: %w", err)
	}
	var taken string
	err := tx.WithContext(ctx).Raw(`SELECT coalesce((SELECT coalesce(m.name, 'nobody''s') FROM message_authors a LEFT
		JOIN members m ON m.id = a.member_id
		WHERE a.state = 'said' AND coalesce(a.forum_id, 0) = coalesce(@forum, 0) AND lower(a.name) = lower(@name) AND a.address = @address
			AND coalesce(a.member_id, 0) <> @member), '')`,
		pg.Named("forum", a.ForumID, "name", a.Name, "address", a.Address, "member", a.MemberID)).Row().Scan(&taken)
	if err != nil {
		return a, fmt.Errorf("author: %w", err)
	}
	if taken != "" {
		return a, &pg.InputError{Field: "address", Message: "this is " + taken + " already; remove that first"}
	}
	if a, err = keepAuthor(ctx, tx, a, AuthorSaid, a.AddedBy, now); err != nil {
		return a, err
	}
	which, args := a.fits()
	return a, nameMessages(ctx, tx, AuthorTable{}, which, args, now)
}

// keepAuthor stores what was said, asked or refused, and returns what holds: what was
// said stays until it is taken back, and asking again does not undo a no.
func keepAuthor(ctx context.Context, tx *gorm.DB, a MessageAuthor, state, by string, now time.Time) (MessageAuthor, error) {
	var id int64
	err := tx.WithContext(ctx).Raw(`
		INSERT INTO message_authors AS a (member_id, forum_id, name, address, state, added_by, added_at, decided_by, decided_at)
		VALUES (nullif(@member, 0), @forum, @name, @address, @state, @by, @now, CASE WHEN @state = 'asked' THEN '' ELSE @by END,
			CASE WHEN @state <> 'asked' THEN CAST(@now AS timestamptz) END)
		ON CONFLICT (coalesce(member_id, 0), coalesce(forum_id, 0), lower(name), address) DO UPDATE
			SET state = EXCLUDED.state, decided_by = EXCLUDED.decided_by, decided_at = EXCLUDED.decided_at
			WHERE a.state = 'asked' OR a.state = 'dismissed' AND EXCLUDED.state = 'said'
		RETURNING id`,
		pg.Named("member", a.MemberID, "forum", a.ForumID, "name", a.Name, "address", a.Address, "state", state, "by", by, "now",
			now)).Scan(&id).Error
	if err != nil {
		return a, fmt.Errorf("author: %w", err)
	}
	err = tx.WithContext(ctx).Raw(authorColumns+
		`WHERE coalesce(a.member_id, 0) = @member AND coalesce(a.forum_id, 0) = coalesce(@forum, 0) AND lower(a.name) = lower(@name)
			AND a.address = @address`,
		pg.Named("member", a.MemberID, "forum", a.ForumID, "name", a.Name, "address", a.Address)).Scan(&a).Error
	return a, err
}

// fits is which messages m an author may have written.
func (a *MessageAuthor) fits() (which string, args map[string]any) {
	which, args = "true", pg.Named()
	if a.ForumID != nil {
		which, args["forum"] = which+" AND m.forum_id = @forum", *a.ForumID
	}
	if a.Name != "" {
		which, args["name"] = which+" AND lower(m.author) = lower(@name)", a.Name
	}
	if a.Address != "" {
		which, args["plain"] = which+" AND m.address <> '' AND plain_address(m.address) = @plain", a.Address
	}
	return which, args
}

// AskAuthor is a member's own word on how they write. It holds at once for the
// address at which they get e-mails, for they have shown that it is theirs; anything
// else waits for an admin.
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
			return &pg.InputError{Field: "address", Message: fmt.Sprintf("%d of these wait for an admin already", open)}
		}
		asked, err = keepAuthor(ctx, tx, a, AuthorAsked, a.AddedBy, now)
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
		if err := tx.Exec(`SELECT pg_advisory_xact_lock(@class, 0)`, pg.Named("class", lockAuthors)).Error; err != nil {
			return fmt.Errorf("lock authors: %w", err)
		}
		var a MessageAuthor
		res := tx.Raw(`DELETE FROM message_authors WHERE id = @id AND (@member = -1 OR coalesce(member_id, 0) = @member)
			RETURNING id, forum_id, name, address, state`, pg.Named("id", id, "member", member)).Scan(&a)
		if res.Error == nil && res.RowsAffected == 0 {
			return pg.ErrNotFound
		}
		if res.Error != nil || a.State != AuthorSaid {
			return res.Error
		}
		which, args := a.fits()
		return nameMessages(ctx, tx, AuthorTable{}, which, args, now)
	})
}

// AuthorsOf returns all names and addresses of a member, those that wait first;
// with member 0 those that are nobody's.
func AuthorsOf(ctx context.Context, db *gorm.DB, member int64) (list []MessageAuthor, err error) {
	err = db.WithContext(ctx).Raw(authorColumns+`WHERE coalesce(a.member_id, 0) = @member ORDER BY a.state, a.address, lower(a.name), a.id`,
		pg.Named("member", member)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("authors of member %d: %w", member, err)
	}
	return list, nil
}

// AssignedAuthors returns what was said of all members, the newest first, those added
// before one with id before, which is 0 for the newest.
func AssignedAuthors(ctx context.Context, db *gorm.DB, before int64, limit int) (list []MessageAuthor, err error) {
	err = db.WithContext(ctx).Raw(authorColumns+
		`WHERE a.state = 'said' AND a.member_id IS NOT NULL AND (@before = 0 OR a.id < @before) ORDER BY a.id DESC LIMIT @limit`,
		pg.Named("before", before, "limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("authors: %w", err)
	}
	return list, nil
}
