package badges_test

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/badges"
	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// wins writes grants by the dozen, as if they had been won.
func wins(t *testing.T, db *gorm.DB, n int) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO awards (slug, state, version, latest, created_at) VALUES ('many', 'active', 3, 3, @now) ON CONFLICT DO NOTHING`,
		`WITH won AS (
			INSERT INTO award_grants (award_id, member_id, period, level, award_version, granted_at, found_at)
			SELECT a.id, i, CAST(@now AS text), 1, 2, CAST(@now AS timestamptz), CAST(@now AS timestamptz) FROM awards a, generate_series(1, CAST(@n AS integer)) i WHERE slug = 'many' RETURNING id)
		INSERT INTO award_grant_log (grant_id, at, what, reason) SELECT id, @now, 'granted', '' FROM won`,
	} {
		if err := db.Exec(statement, map[string]any{"n": n, "now": time.Now()}).Error; err != nil {
			t.Fatal(err)
		}
	}
}

func count(t *testing.T, db *gorm.DB, query string) (n int) {
	t.Helper()
	if err := db.Raw(query).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBadgesAreAllottedOnce(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	wins(t, tx, 12_000)
	for range 2 {
		if err := badges.Allot(t.Context(), tx, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		if n := count(t, tx, `SELECT count(DISTINCT grant_id) FROM badges`); n != 12_000 {
			t.Fatalf("%d grants have a badge, want 12,000", n)
		}
	}
	if n := count(t, tx, `SELECT used FROM badge_lists`); n != 12_000 {
		t.Errorf("%d places are taken, want 12,000", n)
	}
}

func TestAFullListIsFollowedByAnother(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	wins(t, tx, 10)
	if err := badges.Allot(t.Context(), tx, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := tx.Exec(`UPDATE badge_lists SET used = ?`, openbadge.ListSize-4).Error; err != nil {
		t.Fatal(err)
	}
	wins(t, tx, 10)
	if err := badges.Allot(t.Context(), tx, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if one, two := count(t, tx, `SELECT count(*) FROM badges WHERE list = 1`), count(t, tx, `SELECT count(*) FROM badges WHERE list = 2`); one != 14 || two != 6 {
		t.Errorf("%d and %d badges in the two lists, want 14 and 6", one, two)
	}
	if n := count(t, tx, `SELECT used FROM badge_lists WHERE number = 2`); n != 6 {
		t.Errorf("%d places of the second list are taken, want 6", n)
	}
}

func TestRevokedPlaces(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	if _, err := badges.RevokedPlaces(t.Context(), tx, 1); !errors.Is(err, pg.ErrNotFound) {
		t.Errorf("a list that there is not: %v", err)
	}
	wins(t, tx, 1000)
	if err := badges.Allot(t.Context(), tx, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	if err := tx.Exec(`INSERT INTO award_grant_log (grant_id, at, what, reason) SELECT id, granted_at, 'revoked', '' FROM award_grants WHERE id % 10 = 0`).Error; err != nil {
		t.Fatal(err)
	}
	if places, err := badges.RevokedPlaces(t.Context(), tx, 1); err != nil || len(places) != 100 {
		t.Errorf("%d places are revoked (%v), want 100", len(places), err)
	}
}
