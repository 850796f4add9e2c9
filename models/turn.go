package models

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A Turn is the answer to TakeTurn.
type Turn struct {
	Taken bool
	// At is when to try again where the turn was not taken: the moment the gap
	// ends, or now where another holder has yet to finish.
	At time.Time
}

// TakeTurn takes the turn at every one of keys (a host, a source), all or none,
// for all processes together: it is taken where the gap after the last request
// is over and nobody else is asking. The holder gives it back with EndTurn; one
// that dies is passed over after hold. One statement.
func TakeTurn(ctx context.Context, db *gorm.DB, keys []string, holder string, gap, hold time.Duration, now time.Time) (Turn, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return Turn{}, err
	}
	args := named("keys", string(list), "n", len(keys), "holder", holder, "now", now, "next", now.Add(gap), "until", now.Add(hold))
	for {
		var got struct {
			Known int
			Free  bool
			At    time.Time
		}
		err = db.WithContext(ctx).Raw(`
			WITH seen AS MATERIALIZED (
				SELECT next_at, held_until FROM turns WHERE key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb)))
				ORDER BY key FOR UPDATE),
			answer AS MATERIALIZED (
				SELECT count(*) AS known, coalesce(count(*) = @n AND bool_and(next_at <= @now AND (held_until IS NULL OR held_until <= @now)), false) AS free,
					greatest(coalesce(max(next_at), @now), CAST(@now AS timestamptz)) AS at FROM seen),
			taken AS (
				UPDATE turns SET next_at = @next, holder = @holder, held_until = @until FROM answer
				WHERE free AND key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb))))
			SELECT * FROM answer`, args).Scan(&got).Error
		if err != nil {
			return Turn{}, fmt.Errorf("take turn at %v: %w", keys, err)
		}
		if got.Known == len(keys) {
			return Turn{Taken: got.Free, At: got.At}, nil
		}
		err = db.WithContext(ctx).Exec(`
			INSERT INTO turns (key, next_at) SELECT key, CAST(@now AS timestamptz) FROM jsonb_array_elements_text(CAST(@keys AS jsonb)) AS key ORDER BY key
			ON CONFLICT DO NOTHING`, args).Error
		if err != nil {
			return Turn{}, fmt.Errorf("first turn at %v: %w", keys, err)
		}
	}
}

// RenewTurn keeps a turn whose request goes on.
func RenewTurn(ctx context.Context, db *gorm.DB, keys []string, holder string, hold time.Duration, now time.Time) error {
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`
		UPDATE turns SET held_until = @until
		FROM (SELECT key AS k FROM turns WHERE key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb))) AND holder = @holder ORDER BY key FOR UPDATE) held
		WHERE key = held.k`, named("keys", string(list), "holder", holder, "until", now.Add(hold))).Error
	if err != nil {
		return fmt.Errorf("renew turn at %v: %w", keys, err)
	}
	return nil
}

// EndTurn gives the turn back. The next one is not before next: the gap after
// the answer began, or the moment the host asked us to wait for.
func EndTurn(ctx context.Context, db *gorm.DB, keys []string, holder string, next time.Time) error {
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	err = db.WithContext(ctx).Exec(`
		UPDATE turns SET holder = '', held_until = NULL, next_at = greatest(next_at, CAST(@next AS timestamptz))
		FROM (SELECT key AS k FROM turns WHERE key IN (SELECT jsonb_array_elements_text(CAST(@keys AS jsonb))) AND holder = @holder ORDER BY key FOR UPDATE) held
		WHERE key = held.k`, named("keys", string(list), "holder", holder, "next", next)).Error
	if err != nil {
		return fmt.Errorf("end turn at %v: %w", keys, err)
	}
	return nil
}
