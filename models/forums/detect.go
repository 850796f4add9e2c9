package forums

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// detectEvery is how often a forum is looked at because somebody says that there is
// something new.
const detectEvery = time.Minute

// sentAbout is how exactly a sender knows when he sent something.
const sentAbout = 2 * time.Minute

// A Detection is somebody's word that a message is in a forum and does not appear
// here, with what is known of it.
type Detection struct {
	Sender string
	URL    string
	SentAt *time.Time
}

// A Detected is what became of a Detection.
type Detected struct {
	Serial int64 // Of the message that is meant, if it is here already.
	Asked  bool  // The forum is looked at at once.
	// Neither: it was asked for less than a minute ago, and a look is under way.
}

// DetectMessage looks for a message that somebody misses and, where it is not here,
// wants its forum looked at: the same kick as the admins' button.
func DetectMessage(ctx context.Context, db *gorm.DB, slug string, d Detection, now time.Time) (out Detected, err error) {
	f, err := BySlug(ctx, db, slug)
	if err != nil {
		return out, err
	}
	if out.Serial, err = missedMessage(ctx, db, f.ID, d); err != nil || out.Serial != 0 {
		return out, err
	}
	if f.Kind == KindMbox {
		return out, &pg.InputError{Field: "slug", Message: "this forum's messages are uploaded as files: there is nothing to look at"}
	}
	if f.State != "open" {
		return out, &pg.InputError{Field: "state", Message: "this forum is " + f.State + " and is not looked at any more"}
	}
	res := db.WithContext(ctx).Exec(`
		UPDATE forums SET detected_at = @now, kicked_at = coalesce(kicked_at, @now)
			WHERE id = @id AND state = 'open' AND (detected_at IS NULL OR detected_at <= @since)`,
		pg.Named("id", f.ID, "now", now, "since", now.Add(-detectEvery)))
	if res.Error != nil {
		return out, fmt.Errorf("look at %s: %w", slug, res.Error)
	}
	if out.Asked = res.RowsAffected == 1; !out.Asked {
		return out, nil
	}
	return out, events.Wake(ctx, db, WakeForums)
}

// missedMessage finds the message that is meant, by its address or by who sent it
// when; 0 where it is not stored.
func missedMessage(ctx context.Context, db *gorm.DB, forum int64, d Detection) (serial int64, err error) {
	address, sender := strings.TrimSpace(pg.CleanText(d.URL)), strings.TrimSpace(pg.CleanText(d.Sender))
	if address == "" && (sender == "" || d.SentAt == nil) {
		return 0, nil
	}
	err = db.WithContext(ctx).Raw(`
		SELECT coalesce((SELECT serial FROM messages WHERE forum_id = @forum AND url = @url AND @url <> ''),
			(SELECT serial FROM message_duplicates WHERE forum_id = @forum AND url = @url AND @url <> ''),
			(SELECT m.serial FROM messages m WHERE m.forum_id = @forum AND @url = '' AND @sender <> ''
				AND (lower(m.author) = lower(@sender) OR plain_address(m.address) = plain_address(@sender))
				AND m.placed_at BETWEEN CAST(@at AS timestamptz) - CAST(@about AS interval) AND CAST(@at AS timestamptz) + CAST(@about AS interval) ORDER BY m.placed_at DESC LIMIT 1), 0)`,
		pg.Named("forum", forum, "url", address, "sender", sender, "at", d.SentAt, "about", sentAbout.String())).Row().Scan(&serial)
	if err != nil {
		return 0, fmt.Errorf("look for a message: %w", err)
	}
	return serial, nil
}

// RenewHook makes the secret of a forum's webhook, in place of the one it may
// have had. Only its hash is kept.
func RenewHook(ctx context.Context, db *gorm.DB, slug string) (key string, err error) {
	key = rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(key))
	res := db.WithContext(ctx).Exec(`UPDATE forums SET hook_hash = decode(@hash, 'base64') WHERE slug = @slug`,
		pg.Named("hash", base64.StdEncoding.EncodeToString(sum[:]), "slug", slug))
	if res.Error == nil && res.RowsAffected == 0 {
		return "", pg.ErrNotFound
	}
	return key, res.Error
}

// CheckHook tells whether a key is the one of a forum's webhook: ErrNotFound
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
