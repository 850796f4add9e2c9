package badges

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
)

// A BadgeKey is a key that badges are signed with, or were.
type BadgeKey struct {
	Kid          string
	Public       []byte
	Sealed       []byte
	CreatedAt    time.Time
	RetiredAt    *time.Time // Signs no more.
	DistrustedAt *time.Time // What it signed is void.
}

// A Ring is all the keys: those that are believed, and the one that signs.
type Ring struct {
	Public  []ed25519.PublicKey
	signing *BadgeKey // Nil where there is none and none could be made.
	secret  pg.Secret
}

// Keys returns the keys of badges. The first one is made when it is first
// asked for. Without the right secret badges can still be checked: only what
// signs is sealed.
func Keys(ctx context.Context, db *gorm.DB, secret pg.Secret, now time.Time) (Ring, error) {
	ring := Ring{secret: secret}
	list, err := AllKeys(ctx, db)
	if err != nil {
		return ring, err
	}
	ring.add(list)
	if ring.signing != nil || secret.Key == nil {
		return ring, nil
	}
	if err := makeBadgeKey(ctx, db, secret, now); err != nil {
		return ring, err
	}
	if list, err = AllKeys(ctx, db); err == nil { // Perhaps another process was first.
		ring = Ring{secret: secret}
		ring.add(list)
	}
	return ring, err
}

func (r *Ring) add(list []BadgeKey) {
	for i, k := range list {
		if k.DistrustedAt == nil {
			r.Public = append(r.Public, k.Public)
		}
		if k.RetiredAt == nil {
			r.signing = &list[i]
		}
	}
}

// Signing is the key that signs, or a SecretError.
func (r *Ring) Signing() (ed25519.PrivateKey, error) {
	if r.signing == nil {
		_, err := r.secret.Box()
		return nil, err
	}
	seed, err := r.secret.Open(badgeKeyName(r.signing.Kid), r.signing.Sealed)
	if errors.Is(err, pg.ErrSealed) || err == nil && len(seed) != ed25519.SeedSize {
		return nil, &pg.SecretError{Message: "the key that signs badges cannot be opened with this secret key. Set LAUREL_SECRET_KEY " +
			"(or put back LAUREL_DATA/secret.key) as it was; " +
			"if it is lost, `laurel badge-key new` makes another key: badges that were signed stay valid"}
	}
	if err != nil {
		return nil, err
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func badgeKeyName(kid string) string { return "badge key " + kid }

// AllKeys are all keys that ever were: the one that signs, then the newest first.
func AllKeys(ctx context.Context, db *gorm.DB) ([]BadgeKey, error) {
	list, err := gorm.G[BadgeKey](db).Order("retired_at IS NOT NULL, created_at DESC, kid").Find(ctx)
	if err != nil {
		return nil, fmt.Errorf("keys of badges: %w", err)
	}
	return list, nil
}

// makeBadgeKey makes the key that signs, unless there is one.
func makeBadgeKey(ctx context.Context, db *gorm.DB, secret pg.Secret, now time.Time) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	kid := openbadge.KeyID(public)
	sealed, err := secret.Seal(badgeKeyName(kid), private.Seed())
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`INSERT INTO badge_keys (kid, public, sealed, created_at) VALUES (@kid, @public, @sealed, @now)
		ON CONFLICT DO NOTHING`,
		pg.Named("kid", kid, "public", []byte(public), "sealed", sealed, "now", now)).Error
	if err != nil {
		return fmt.Errorf("make a key for badges: %w", err)
	}
	return nil
}

// NewKey lets another key sign from now on. What the old one signed stays
// valid.
func NewKey(ctx context.Context, db *gorm.DB, secret pg.Secret, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Exec(`UPDATE badge_keys SET retired_at = @now WHERE retired_at IS NULL`, pg.Named("now", now)).Error; err != nil {
			return fmt.Errorf("retire the key of badges: %w", err)
		}
		return makeBadgeKey(ctx, tx, secret, now)
	})
}

// DistrustKey makes void all that a key signed, which was stolen. If it is
// the one that signs, another takes its place when one is asked for.
func DistrustKey(ctx context.Context, db *gorm.DB, kid string, now time.Time) error {
	res := db.WithContext(ctx).Exec(`UPDATE badge_keys SET distrusted_at = coalesce(distrusted_at, @now),
		retired_at = coalesce(retired_at, @now) WHERE kid = @kid`,
		pg.Named("kid", kid, "now", now))
	if res.Error == nil && res.RowsAffected == 0 {
		return pg.ErrNotFound
	}
	return res.Error
}
