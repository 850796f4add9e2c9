package forums

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// detectEvery is how often a forum is read because somebody says that there is
// something new.
const detectEvery = time.Minute

// sentAbout is how exactly a sender knows when he sent something.
const sentAbout = 2 * time.Minute

// A Detection is a report that a message is in a forum and does not appear here,
// with what is known of it.
type Detection struct {
	Sender string
	URL    string
	SentAt *time.Time
}

// A Detected is what became of a Detection.
type Detected struct {
	Serial int64 // Of the message that is meant, if it is here already.
	Kicked bool  // The forum is read at once.
	// Neither: it was kicked less than a minute ago, and is being read.
}

// DetectMessage finds a message that somebody misses or, where it is not here, has its
// forum read: the same kick as the admins' button.
func DetectMessage(ctx context.Context, db *gorm.DB, slug string, d Detection, now time.Time) (out Detected, err error) {
	f, err := BySlug(ctx, db, slug)
	if err != nil {
		return out, err
	}
	if out.Serial, err = missedMessage(ctx, db, f.ID, d); err != nil || out.Serial != 0 {
		return out, err
	}
	if f.Kind == KindMbox {
		return out, errUploaded
	}
	if f.State != "open" {
		return out, &pg.InputError{Field: "state", Message: "this forum is " + f.State + " and no longer updated"}
	}
	res := db.WithContext(ctx).Exec(`
		UPDATE forums SET detected_at = @now, kicked_at = coalesce(kicked_at, @now)
			WHERE id = @id AND state = 'open' AND (detected_at IS NULL OR detected_at <= @since)`,
		pg.Named("id", f.ID, "now", now, "since", now.Add(-detectEvery)))
	if res.Error != nil {
		return out, fmt.Errorf("kick %s: %w", slug, res.Error)
	}
	if out.Kicked = res.RowsAffected == 1; !out.Kicked {
		return out, nil
	}
	return out, pg.Wake(ctx, db, WakeForums)
}

// missedMessage finds the message that is meant, by its address or by who sent it
// when; 0 where it is not stored.
func missedMessage(ctx context.Context, db *gorm.DB, forum int64, d Detection) (serial int64, err error) {
	address, sender := strings.TrimSpace(pg.CleanText(d.URL)), strings.TrimSpace(pg.CleanText(d.Sender))
	if address == "" && (sender == "" || d.SentAt == nil) {
		return 0, nil
	}
	err = db.WithContext(ctx).Raw(queries.Must("missed_message"),
		pg.Named("forum", forum, "url", address, "sender", sender, "at", d.SentAt, "about", sentAbout.String())).Row().Scan(&serial)
	if err != nil {
		return 0, fmt.Errorf("find a message: %w", err)
	}
	return serial, nil
}

// RenewHook makes the secret of a forum's webhook, in place of the one it may
// have had. Only its hash is stored.
func RenewHook(ctx context.Context, db *gorm.DB, slug string) (key string, err error) {
	key = rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(key))
	n, err := gorm.G[Forum](db).Where("slug = ?", slug).Update(ctx, "hook_hash", sum[:])
	if err == nil && n == 0 {
		return "", pg.ErrNotFound
	}
	return key, err
}

// CheckHook reports whether a key is the one of a forum's webhook: ErrNotFound
// where it is not, and where there is no such forum.
func CheckHook(ctx context.Context, db *gorm.DB, slug, key string) error {
	f, err := BySlug(ctx, db, slug)
	if err != nil && !errors.Is(err, pg.ErrNotFound) {
		return err
	}
	sum := sha256.Sum256([]byte(key))
	if subtle.ConstantTimeCompare(sum[:], f.HookHash) != 1 {
		return pg.ErrNotFound
	}
	return nil
}
