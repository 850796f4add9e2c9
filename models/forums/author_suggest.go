package forums

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
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

// suggestionsFrom are messages m that may be a member's, each with the reason. Every
// reason has to do with the address: names are borne by many.
const suggestionsFrom = `
	SELECT s.member_id, m.serial, 'mail' AS reason FROM notice_settings s
		JOIN messages m ON plain_address(m.address) = plain_address(s.address) AND m.address <> ''
	WHERE s.address <> '' AND s.confirmed_at IS NOT NULL AND m.member_id IS NULL
	UNION ALL
	SELECT a.member_id, m.serial, 'address' FROM message_authors a
		JOIN messages m ON plain_address(m.address) = a.address AND m.address <> ''
	WHERE a.state = 'said' AND a.member_id IS NOT NULL AND a.address LIKE '%@%' AND m.member_id IS NULL
	UNION ALL
	SELECT b.id, m.serial, 'name' FROM members b JOIN messages m ON lower(m.author) = lower(b.display_name)
	WHERE b.display_name <> '' AND m.member_id IS NULL AND EXISTS (
		SELECT FROM (SELECT lower(b.name) AS handle UNION ALL SELECT lower(a.handle) FROM accounts a WHERE a.member_id = b.id) h
		WHERE length(h.handle) >= 3 AND strpos(split_part(plain_address(m.address), '@', 1), h.handle) > 0)`

// AuthorSuggestions returns what members ask for, the oldest first, and then what
// addresses hint at, the most messages first.
func AuthorSuggestions(ctx context.Context, db *gorm.DB, limit int) (list []AuthorSuggestion, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH hints AS MATERIALIZED (
			SELECT h.member_id, CASE WHEN plain_address(m.address) LIKE '%@%' THEN NULL ELSE m.forum_id END AS forum_id,
				min(m.author) AS name, plain_address(m.address) AS address,
				string_agg(DISTINCT h.reason, ' ') AS reasons, count(DISTINCT m.serial) AS messages
			FROM (`+suggestionsFrom+`) h JOIN messages m ON m.serial = h.serial GROUP BY h.member_id, 2, lower(m.author), 4)
		SELECT * FROM (
			SELECT a.id, a.member_id, b.name AS member, a.forum_id, coalesce(f.slug, '') AS forum, a.name, a.address, 'asked' AS reasons,
				0 AS messages
			FROM message_authors a JOIN members b ON b.id = a.member_id LEFT JOIN forums f ON f.id = a.forum_id WHERE a.state = 'asked'
			UNION ALL
			SELECT 0, h.member_id, b.name, h.forum_id, coalesce(f.slug, ''), h.name, h.address, h.reasons, h.messages
			FROM hints h JOIN members b ON b.id = h.member_id LEFT JOIN forums f ON f.id = h.forum_id
			WHERE NOT EXISTS (
				SELECT FROM message_authors a WHERE (a.state = 'said' AND a.member_id IS NULL OR a.state <> 'said'
					AND a.member_id = h.member_id) AND (a.forum_id IS NULL OR a.forum_id = h.forum_id)
					AND (a.name = '' OR lower(a.name) = lower(h.name)) AND (a.address = '' OR a.address = h.address))) s
		ORDER BY id = 0, id, messages DESC, member, address, name LIMIT @limit`, pg.Named("limit", limit)).Scan(&list).Error
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
			decided, err = keepAuthor(ctx, tx, a, AuthorDismissed, by, now)
		}
		return err
	})
	return decided, err
}

func suggestedAuthor(ctx context.Context, tx *gorm.DB, id string) (a MessageAuthor, err error) {
	if number, err := strconv.ParseInt(id, 10, 64); err == nil {
		res := tx.WithContext(ctx).Raw(authorColumns+`WHERE a.id = @id AND a.state = 'asked'`, pg.Named("id", number)).Scan(&a)
		if res.Error == nil && res.RowsAffected == 0 {
			return a, pg.ErrNotFound
		}
		return a, res.Error
	}
	parts, err := pg.ParseListCursor(id, "author", 4)
	if err != nil || id == "" {
		return a, pg.ErrNotFound
	}
	member, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return a, pg.ErrNotFound
	}
	a = MessageAuthor{Name: parts[2], Address: parts[3]}
	if err := tx.WithContext(ctx).Raw(`SELECT coalesce((SELECT id FROM members WHERE id = @member), 0)`,
		pg.Named("member", member)).Row().Scan(&a.MemberID); err != nil {
		return a, err
	}
	if a.MemberID == 0 {
		return a, pg.ErrNotFound
	}
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
		"mail":      "the address is the one at which " + s.Member + " gets e-mails",
		"address":   "the address is said to be " + s.Member + "'s, with another name or in another forum",
		"name":      "the name is " + s.Member + "'s, and a handle of theirs stands in the address",
	}
	var reasons []string
	for _, r := range strings.Fields(s.Reasons) {
		reasons = append(reasons, words[r])
	}
	return reasons
}
