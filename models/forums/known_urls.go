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

// KnownURLs returns which addresses of a forum need not be asked for: read before
// and static, or those of a message that is stored, by whichever of its addresses.
// Where two addresses have one hash, the addresses themselves decide.
func KnownURLs(ctx context.Context, db *gorm.DB, forum int64, addresses []string) (map[string]bool, error) {
	known := map[string]bool{}
	if len(addresses) == 0 {
		return known, nil
	}
	hashes := make([]int64, len(addresses))
	for i, a := range addresses {
		hashes[i] = urlHash(a)
	}
	rows, err := db.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (SELECT * FROM unnest(CAST(@hashes AS bigint[]), CAST(@urls AS text[])) AS g(hash, url))
		SELECT g.url FROM given g WHERE EXISTS (SELECT FROM forum_urls u WHERE u.hash = g.hash AND u.url = g.url)
			OR EXISTS (SELECT FROM messages m WHERE m.forum_id = @forum AND m.url = g.url)
			OR EXISTS (SELECT FROM message_duplicates d WHERE d.forum_id = @forum AND d.url = g.url)`,
		pg.Named("hashes", &hashes, "urls", &addresses, "forum", forum)).Rows()
	if err != nil {
		return nil, fmt.Errorf("known addresses: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			return nil, fmt.Errorf("known addresses: %w", err)
		}
		known[address] = true
	}
	return known, rows.Err()
}

// StoredBy tells whether a message at one of these addresses was stored by a time.
func StoredBy(ctx context.Context, db *gorm.DB, forum int64, addresses []string, at time.Time) (stored bool, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH given AS MATERIALIZED (SELECT url FROM unnest(CAST(@urls AS text[])) AS g(url))
		SELECT EXISTS (SELECT FROM given g JOIN messages m ON m.forum_id = @forum AND m.url = g.url WHERE m.stored_at <= @at)
			OR EXISTS (SELECT FROM given g JOIN message_duplicates d ON d.forum_id = @forum AND d.url = g.url JOIN messages m USING (serial)
				WHERE m.stored_at <= @at)`,
		pg.Named("urls", &addresses, "forum", forum, "at", at)).Row().Scan(&stored)
	if err != nil {
		return false, fmt.Errorf("covered ground: %w", err)
	}
	return stored, nil
}

// rememberURLs notes addresses that were read and never change.
func rememberURLs(ctx context.Context, tx *gorm.DB, forum int64, period string, addresses []string, now time.Time) error {
	if len(addresses) == 0 {
		return nil
	}
	hashes := make([]int64, len(addresses))
	for i, a := range addresses {
		hashes[i] = urlHash(a)
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO forum_urls (hash, forum_id, period, status, fetched_at, url) SELECT hash, @forum, @period, 200, @now, url
		FROM unnest(CAST(@hashes AS bigint[]), CAST(@urls AS text[])) AS g(hash, url) ON CONFLICT DO NOTHING`,
		pg.Named("forum", forum, "period", period, "now", now, "hashes", &hashes, "urls", &addresses)).Error
	if err != nil {
		return fmt.Errorf("remember addresses: %w", err)
	}
	return nil
}
