package forums

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// urlHash is the first 8 bytes of an address's SHA-256.
func urlHash(address string) int64 {
	sum := sha256.Sum256([]byte(address))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// urlHashes are the hashes of addresses.
func urlHashes(addresses []string) *[]int64 {
	return pg.Column(addresses, func(a *string) int64 { return urlHash(*a) })
}

// KnownURLs returns which addresses of a forum need not be asked for: read before
// and static, or those of a message that is stored, by whichever of its addresses.
// Where two addresses have one hash, the addresses themselves decide.
func KnownURLs(ctx context.Context, db *gorm.DB, forum int64, addresses []string) (map[string]bool, error) {
	known := map[string]bool{}
	if len(addresses) == 0 {
		return known, nil
	}
	var found []string
	err := db.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (SELECT hash, url FROM unnest(CAST(@hashes AS bigint[]), CAST(@urls AS text[])) AS g(hash, url))
		SELECT g.url FROM given g WHERE EXISTS (SELECT FROM forum_urls u WHERE u.hash = g.hash AND u.url = g.url)
			OR EXISTS (SELECT FROM messages m WHERE m.forum_id = @forum AND m.url = g.url)
			OR EXISTS (SELECT FROM message_duplicates d WHERE d.forum_id = @forum AND d.url = g.url)`,
		pg.Named("hashes", urlHashes(addresses), "urls", &addresses, "forum", forum)).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("known addresses: %w", err)
	}
	for _, address := range found {
		known[address] = true
	}
	return known, nil
}

// StoredBy reports whether a message at one of these addresses was stored by a time.
func StoredBy(ctx context.Context, db *gorm.DB, forum int64, addresses []string, at time.Time) (stored bool, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (SELECT url FROM unnest(CAST(@urls AS text[])) AS g(url))
		SELECT EXISTS (SELECT FROM given g JOIN messages m ON m.forum_id = @forum AND m.url = g.url WHERE m.stored_at <= @at)
			OR EXISTS (SELECT FROM given g JOIN message_duplicates d ON d.forum_id = @forum AND d.url = g.url
				JOIN messages m USING (serial) WHERE m.stored_at <= @at)`,
		pg.Named("urls", &addresses, "forum", forum, "at", at)).Row().Scan(&stored)
	if err != nil {
		return false, fmt.Errorf("covered ground: %w", err)
	}
	return stored, nil
}

// rememberURLs stores addresses that were read and never change.
func rememberURLs(ctx context.Context, tx *gorm.DB, forum int64, b *Batch, now time.Time) error {
	if len(b.Read) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO forum_urls (hash, forum_id, period, status, fetched_at, url) SELECT hash, @forum, @period, 200, @now, url
		FROM unnest(CAST(@hashes AS bigint[]), CAST(@urls AS text[])) AS g(hash, url) ON CONFLICT DO NOTHING`,
		pg.Named("forum", forum, "period", b.Period, "now", now, "hashes", urlHashes(b.Read), "urls", &b.Read)).Error
	if err != nil {
		return fmt.Errorf("remember addresses: %w", err)
	}
	return nil
}
