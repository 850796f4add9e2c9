package forums

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Sender is who sent a message, as its archive shows it.
type Sender struct {
	ForumID int64
	Name    string
	Address string // As shown, perhaps obfuscated.
	Plain   string // The address without that, in small letters.
}

// An Authenticator tells which members senders are.
type Authenticator interface {
	// Members returns the members' ids in the order of senders, 0 where nobody is
	// known to be that sender. It never guesses.
	Members(ctx context.Context, db *gorm.DB, senders []Sender) ([]int64, error)
}

// AuthorTable is the Authenticator that knows what persons have said: members and
// admins keep the names and addresses in message_authors.
//
// Where more than one of them fits a sender, the one that says more holds: an
// address before a name, both before one, one forum before all.
type AuthorTable struct{}

// Members looks senders up.
func (AuthorTable) Members(ctx context.Context, db *gorm.DB, senders []Sender) ([]int64, error) {
	members := make([]int64, len(senders))
	if len(senders) == 0 {
		return members, nil
	}
	var forums []int64
	var names, plain []string
	for _, s := range senders {
		forums, names, plain = append(forums, s.ForumID), append(names, s.Name), append(plain, s.Plain)
	}
	rows, err := db.WithContext(ctx).Raw(`
		SELECT coalesce((
			SELECT coalesce(a.member_id, 0) FROM message_authors a
			WHERE a.state = 'said' AND (a.forum_id IS NULL OR a.forum_id = g.forum_id) AND (a.name = '' OR lower(a.name) = lower(g.name))
				AND (a.address = '' OR a.address = g.plain)
			ORDER BY a.address <> '' DESC, a.name <> '' DESC, a.forum_id IS NOT NULL DESC, a.id LIMIT 1), 0)
		FROM unnest(CAST(@forums AS bigint[]), CAST(@names AS text[]), CAST(@plain AS text[])) WITH ORDINALITY AS g(forum_id, name, plain,
			place) ORDER BY g.place`,
		pg.Named("forums", &forums, "names", &names, "plain", &plain)).Rows()
	if err != nil {
		return nil, fmt.Errorf("authors: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for i := 0; rows.Next(); i++ {
		if err := rows.Scan(&members[i]); err != nil {
			return nil, fmt.Errorf("authors: %w", err)
		}
	}
	return members, rows.Err()
}
