package accounts

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// States of members that admins may list alone.
const (
	FindSuspended  = "suspended"
	FindStaff      = "staff"       // Admins and support.
	FindNoPassword = "no-password" // Who never chose one.
)

// A Find is what admins look for among the registered members.
type Find struct {
	Search string // Beginnings of words of the name and the display name.
	State  string // "" is all.
	After  string // The name to go on after.
	Limit  int
}

// A MemberPage is a part of the admins' list of members.
type MemberPage struct {
	Items []members.Member
	Next  string // The name to go on after; "" at the end.
}

// FindMembers returns registered members by name.
func FindMembers(ctx context.Context, db *gorm.DB, f Find) (p MemberPage, err error) {
	q := gorm.G[members.Member](db).Where("NOT custom AND lower(name) > lower(?)", pg.CleanText(f.After))
	if words := beginnings(f.Search); words != "" {
		q = q.Where("name_words(name, display_name) @@ to_tsquery('simple', ?)", words)
	}
	switch f.State {
	case FindSuspended:
		q = q.Where("suspended_at IS NOT NULL")
	case FindStaff:
		q = q.Where("role <> ?", members.RoleMember)
	case FindNoPassword:
		q = q.Where("password_hash = ''")
	}
	p.Items, err = q.Order("lower(name)").Limit(f.Limit + 1).Find(ctx)
	if err != nil {
		return p, fmt.Errorf("find members: %w", err)
	}
	if len(p.Items) > f.Limit {
		p.Items = p.Items[:f.Limit]
		p.Next = p.Items[f.Limit-1].Name
	}
	return p, nil
}

// beginnings is a text as a query of words that begin so; it has letters, digits and marks alone.
func beginnings(text string) string {
	words := strings.FieldsFunc(pg.CleanText(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	for i := range words {
		words[i] += ":*"
	}
	return strings.Join(words, " & ")
}
