package events

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// A Token lets a program push events of one source, and nothing else. Only its hash is kept.
type Token struct {
	ID            int64
	Source, Label string
	Hash          []byte
	CreatedBy     string // The name of an admin.
	CreatedAt     time.Time
}

// TokenPrefix is how tokens of sources begin, so that they are told from members'.
const TokenPrefix = "source_"

// TableName is where they are stored.
func (Token) TableName() string { return "source_tokens" }

// CreateToken makes a token and returns it with its secret, which is shown once and never again.
func CreateToken(ctx context.Context, db *gorm.DB, t Token, now time.Time) (Token, string, error) {
	t.Source, t.Label = pg.CleanText(t.Source), pg.CleanText(t.Label)
	switch {
	case !rules.PlainName(t.Source):
		return t, "", &pg.InputError{Field: "source", Message: "name a source with letters, digits, _ and -, at most 64"}
	case Own(t.Source):
		return t, "", &pg.InputError{Field: "source", Message: "Laurel itself says what happens in " + t.Source + "; name another source"}
	case t.Label == "" || len(t.Label) > 100:
		return t, "", &pg.InputError{Field: "label", Message: "say in 1 to 100 letters who has the token"}
	}
	secret := pg.NewToken(TokenPrefix)
	t.Hash, t.CreatedAt = pg.HashToken(secret), now
	if err := gorm.G[Token](db).Create(ctx, &t); err != nil {
		return t, "", fmt.Errorf("create token of source %s: %w", t.Source, err)
	}
	return t, secret, nil
}

// Tokens returns the tokens of all sources, newest first.
func Tokens(ctx context.Context, db *gorm.DB) ([]Token, error) {
	list, err := gorm.G[Token](db).Order("id DESC").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("tokens of sources: %w", err)
	}
	return list, nil
}

// RevokeToken deletes a token, or returns ErrNotFound.
func RevokeToken(ctx context.Context, db *gorm.DB, id int64) error {
	n, err := gorm.G[Token](db).Where("id = ?", id).Delete(ctx)
	if err == nil && n == 0 {
		err = pg.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("revoke token %d of a source: %w", id, err)
	}
	return nil
}

// ByToken returns the source that a secret may push events of, or ErrNotFound.
func ByToken(ctx context.Context, db *gorm.DB, secret string) (string, error) {
	t, err := gorm.G[Token](db).Where("hash = ?", pg.HashToken(secret)).Take(ctx)
	if err != nil {
		return "", fmt.Errorf("source by token: %w", err)
	}
	return t.Source, nil
}
