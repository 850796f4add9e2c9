package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Key is a member's own key of a site's API.
type Key struct {
	AccountID int64
	Key       string // Its public part.
	Secret    []byte // Sealed.
	AddedAt   time.Time
	RefusedAt *time.Time // The site does not accept it; it is not used any more.
}

// TableName is GORM's.
func (Key) TableName() string { return "account_keys" }

// KeyedSite is the site whose API takes keys of members.
const KeyedSite = "codeforces"

func keyName(account int64) string { return fmt.Sprint("key of account ", account) }

// Open returns the secret part.
func (k *Key) Open(secret pg.Secret) (string, error) {
	text, err := secret.Open(keyName(k.AccountID), k.Secret)
	if err != nil {
		return "", fmt.Errorf("key of account %d: %w", k.AccountID, err)
	}
	return string(text), nil
}

// A NewKey is one to save, as its member typed it.
type NewKey struct {
	Account     *members.Account
	Key, Secret string
}

// SaveKey gives an account a key, in the place of the one that it has.
func SaveKey(ctx context.Context, db *gorm.DB, secret pg.Secret, n NewKey, now time.Time) error {
	n.Key, n.Secret = strings.TrimSpace(n.Key), strings.TrimSpace(n.Secret)
	for field, text := range map[string]string{"key": n.Key, "secret": n.Secret} {
		if text == "" || len(text) > 200 || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return &pg.InputError{Field: field, Message: "must be letters and digits, as the site shows it"}
		}
	}
	sealed, err := secret.Seal(keyName(n.Account.ID), []byte(n.Secret))
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`
		INSERT INTO account_keys (account_id, key, secret, added_at) VALUES (@id, @key, @secret, @now)
		ON CONFLICT (account_id) DO UPDATE
			SET key = EXCLUDED.key, secret = EXCLUDED.secret, added_at = EXCLUDED.added_at, refused_at = NULL`,
		pg.Named("id", n.Account.ID, "key", n.Key, "secret", sealed, "now", now)).Error
	if err != nil {
		return fmt.Errorf("save key of %s: %w", n.Account, err)
	}
	return nil
}

// RemoveKey takes the key of an account away.
func RemoveKey(ctx context.Context, db *gorm.DB, account int64) error {
	_, err := gorm.G[Key](db).Where("account_id = ?", account).Delete(ctx)
	return err
}

// KeyOf returns the key of an account; false where it has none.
func KeyOf(ctx context.Context, db *gorm.DB, account int64) (k Key, ok bool, err error) {
	k, err = gorm.G[Key](db).Where("account_id = ?", account).Take(ctx)
	if errors.Is(err, pg.ErrNotFound) {
		return k, false, nil
	}
	if err != nil {
		return k, false, fmt.Errorf("key of account %d: %w", account, err)
	}
	return k, true, nil
}

// RefuseKey notes that the site does not accept a key.
func RefuseKey(ctx context.Context, db *gorm.DB, k *Key, now time.Time) error {
	_, err := gorm.G[Key](db).Where("account_id = ? AND key = ?", k.AccountID, k.Key).Update(ctx, "refused_at", now)
	return err
}
