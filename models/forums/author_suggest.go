package forums

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// An AuthorSuggestion is who may write under a name and address. A person accepts
// or dismisses it; it is never applied by itself.
type AuthorSuggestion struct {
	ID       string
	MemberID int64
	Member   string
	ForumID  *int64 // Nil: in all forums.
	Forum    string // Its slug.
	Name     string
	Address  string
	Reasons  string // Of asked, mail, address, name: with spaces between.
	Messages int
}

// AuthorSuggestions returns what members ask for, the oldest first, and then what
// addresses hint at, the most messages first. Every hint has to do with the address:
// names are borne by many.
func AuthorSuggestions(ctx context.Context, db *gorm.DB, limit int) (list []AuthorSuggestion, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("suggested_authors"), pg.Named("limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("suggested authors: %w", err)
	}
	for i := range list {
		if s := &list[i]; s.Reasons != AuthorAsked {
			s.ID = pg.ListCursor("author", strconv.FormatInt(s.MemberID, 10), s.Forum, s.Name, s.Address)
		}
	}
	return list, nil
}

// DecideAuthor accepts or dismisses what a member asked for, or what was suggested,
// by the id that AuthorSuggestions gave it.
func DecideAuthor(ctx context.Context, db *gorm.DB, id string, accept bool, by string, now time.Time) (decided MessageAuthor, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		a, err := suggestedAuthor(ctx, tx, id)
		if err != nil {
			return err
		}
		a.AddedBy = by
		if accept {
			decided, err = assignAuthor(ctx, tx, a, now)
		} else {
			decided, err = storeAuthor(ctx, tx, a, AuthorDismissed, now)
		}
		return err
	})
	return decided, err
}

func suggestedAuthor(ctx context.Context, tx *gorm.DB, id string) (a MessageAuthor, err error) {
	if number, err := strconv.ParseInt(id, 10, 64); err == nil {
		return gorm.G[MessageAuthor](tx).Where("id = ? AND state = ?", number, AuthorAsked).Take(ctx)
	}
	parts, err := pg.ParseListCursor(id, "author", 4)
	if err != nil || id == "" {
		return a, pg.ErrNotFound
	}
	member, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return a, pg.ErrNotFound
	}
	m, err := members.ByID(ctx, tx, member)
	if err != nil {
		return a, err
	}
	a = MessageAuthor{MemberID: m.ID, Name: parts[2], Address: parts[3]}
	if parts[1] != "" {
		f, err := BySlug(ctx, tx, parts[1])
		if err != nil {
			return a, err
		}
		a.ForumID = &f.ID
	}
	return a, a.check(ctx, tx)
}

// ReasonWords says why a suggestion is one.
func (s *AuthorSuggestion) ReasonWords() []string {
	words := map[string]string{
		AuthorAsked: s.Member + " says so",
		"mail":      s.Member + " gets e-mails at this address",
		"address":   "the address is linked to " + s.Member + " under another name or in another forum",
		"name":      "the name is " + s.Member + "'s, and the address contains one of their handles",
	}
	var reasons []string
	for _, r := range strings.Fields(s.Reasons) {
		reasons = append(reasons, words[r])
	}
	return reasons
}
