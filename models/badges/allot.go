// Package badges holds the badges that were issued for awards, their places in
// the lists of revoked ones and the keys that sign them.
package badges

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
)

// allotAtOnce is how many badges one statement makes.
const allotAtOnce = 5000

// A wonLine is a line of the log of grants by which an award was won.
type wonLine struct {
	LogID, GrantID int64
	AwardVersion   int
	GrantedAt      time.Time
}

// Allot gives every grant that was won since it was called last its badge:
// an address and a place in a list of revocations, which no other badge ever
// gets. It must be called in the transaction of the grants, by who holds
// lockGrant: so a grant is never seen without its badge, and lines come in order.
func Allot(ctx context.Context, tx *gorm.DB, now time.Time) error {
	for {
		won, last, err := wonSince(ctx, tx)
		if err != nil {
			return fmt.Errorf("grants without a badge: %w", err)
		}
		if len(won) == 0 {
			return nil
		}
		if err := makeBadges(ctx, tx, won, now); err != nil {
			return fmt.Errorf("make badges: %w", err)
		}
		if err := tx.WithContext(ctx).Exec(`UPDATE badge_position SET log_id = @last`, pg.Named("last", last)).Error; err != nil {
			return fmt.Errorf("position of badges: %w", err)
		}
	}
}

// wonSince reads on in the log. What is won again counts from then on, for it
// was not held meanwhile, and by the version that runs.
func wonSince(ctx context.Context, tx *gorm.DB) (won []wonLine, last int64, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT l.id AS log_id, l.grant_id,
			CASE WHEN l.what = 'granted' THEN g.award_version ELSE a.version END AS award_version,
			CASE WHEN l.what = 'granted' THEN g.granted_at ELSE l.at END AS granted_at
		FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id JOIN awards a ON a.id = g.award_id
		WHERE l.id > (SELECT log_id FROM badge_position) AND l.what IN ('granted', 'granted again') ORDER BY l.id LIMIT @limit`,
		pg.Named("limit", allotAtOnce)).Scan(&won).Error
	if err == nil && len(won) > 0 {
		last = won[len(won)-1].LogID
	}
	return won, last, err
}

// Redate makes new badges of grants whose dates are others now. The old ones are superseded: they say the old date, and
// are no longer current. What was lost is dated as it is.
func Redate(ctx context.Context, tx *gorm.DB, grants []int64, now time.Time) error {
	var stale []struct {
		ID  string
		Won wonLine `gorm:"embedded"`
	}
	err := tx.WithContext(ctx).Exec(queries.Must("date_lost"), pg.Named("grants", &grants)).Error
	if err == nil {
		err = tx.WithContext(ctx).Raw(queries.Must("stale"), pg.Named("grants", &grants)).Scan(&stale).Error
	}
	if err != nil {
		return fmt.Errorf("badges of other dates: %w", err)
	}
	if len(stale) == 0 {
		return nil
	}
	ids, won := make([]string, len(stale)), make([]wonLine, len(stale))
	for i, s := range stale {
		ids[i], won[i] = s.ID, s.Won
	}
	if err = makeBadges(ctx, tx, won, now); err == nil {
		err = tx.WithContext(ctx).Exec(queries.Must("supersede"), pg.Named("stale", &ids, "now", now)).Error
	}
	if err != nil {
		return fmt.Errorf("supersede badges: %w", err)
	}
	return nil
}

func makeBadges(ctx context.Context, tx *gorm.DB, won []wonLine, now time.Time) error {
	lists, places, err := takePlaces(ctx, tx, len(won))
	if err != nil {
		return err
	}
	logs, grants, versions, ats := make([]int64, len(won)), make([]int64, len(won)), make([]int64, len(won)), make([]time.Time, len(won))
	for i, w := range won {
		logs[i], grants[i], versions[i], ats[i] = w.LogID, w.GrantID, int64(w.AwardVersion), w.GrantedAt
	}
	return tx.WithContext(ctx).Exec(`
		INSERT INTO badges (id, list, place, grant_id, log_id, award_version, granted_at, made_at)
		SELECT gen_random_uuid(), list, place, grant_id, log_id, version, at, @now
		FROM unnest(CAST(@lists AS integer[]), CAST(@places AS integer[]), CAST(@grants AS bigint[]),
			CAST(@logs AS bigint[]), CAST(@versions AS integer[]), CAST(@ats AS timestamptz[]))
			AS w(list, place, grant_id, log_id, version, at)`,
		pg.Named("lists", &lists, "places", &places, "grants", &grants, "logs", &logs, "versions", &versions,
			"ats", &ats, "now", now)).Error
}

// A badgeList is a list of revocations that is being filled.
type badgeList struct {
	Number  int64
	Shuffle []byte
	Used    int
}

// takePlaces takes n places out of the newest list, and begins another one when
// it is full.
func takePlaces(ctx context.Context, tx *gorm.DB, n int) (lists, places []int64, err error) {
	var l badgeList
	if err := tx.WithContext(ctx).Raw(`SELECT number, shuffle, used FROM badge_lists ORDER BY number DESC LIMIT 1
		FOR UPDATE`).Scan(&l).Error; err != nil {
		return nil, nil, err
	}
	for len(places) < n {
		if l.Number == 0 || l.Used == openbadge.ListSize {
			l = badgeList{Number: l.Number + 1, Shuffle: make([]byte, 16)}
			_, _ = rand.Read(l.Shuffle) // Never fails.
		}
		for ; len(places) < n && l.Used < openbadge.ListSize; l.Used++ {
			lists, places = append(lists, l.Number), append(places, int64(shuffled(l.Shuffle, l.Used)))
		}
		err := tx.WithContext(ctx).Exec(`INSERT INTO badge_lists (number, shuffle, used) VALUES (@number, @shuffle, @used)
			ON CONFLICT (number) DO UPDATE SET used = EXCLUDED.used`,
			pg.Named("number", l.Number, "shuffle", l.Shuffle, "used", l.Used)).Error
		if err != nil {
			return nil, nil, err
		}
	}
	return lists, places, nil
}

// shuffled is the place of the nth badge of a list: each place is somebody's
// once, in an order that looks random without the key (a Feistel network on 8
// and 9 bits). So places are never searched for, however full the list is.
func shuffled(key []byte, n int) int {
	left, right := n>>9, n&0x1ff
	for round := range byte(10) {
		half := right
		if round%2 == 1 {
			half = left
		}
		sum := sha256.Sum256(append(append([]byte(nil), key...), round, byte(half), byte(half>>8)))
		if mix := int(sum[0])<<8 | int(sum[1]); round%2 == 0 {
			left ^= mix & 0xff
		} else {
			right ^= mix & 0x1ff
		}
	}
	return left<<9 | right
}
