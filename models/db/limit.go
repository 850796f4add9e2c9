package db

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A Limit is how often one thing may be done: Burst times at once, and Burst
// times more in each Per.
type Limit struct {
	Burst int
	Per   time.Duration
}

// Take takes one token out of the bucket called key, or returns an error of CodeLimited.
// It is one statement, so any number of processes share the bucket exactly. A
// bucket that is refused stays as it is: asking on does not make the wait longer.
func (l Limit) Take(ctx context.Context, db *gorm.DB, key, what string, now time.Time) error {
	var b struct {
		Taken  bool
		Tokens float64 // Before the refused attempt.
	}
	err := db.WithContext(ctx).Raw(`
		WITH taken AS (
			INSERT INTO limits AS l (key, tokens, seen_at) VALUES (@key, @burst - 1, @now)
			ON CONFLICT (key) DO UPDATE
			SET tokens = `+refilled+` - 1, seen_at = greatest(l.seen_at, @now)
			WHERE `+refilled+` >= 1
			RETURNING key)
		SELECT EXISTS (SELECT FROM taken) AS taken, coalesce((SELECT `+refilled+` FROM limits l WHERE key = @key), 0) AS tokens`,
		l.named(key, now)).Scan(&b).Error
	if err != nil {
		return fmt.Errorf("limit %q: %w", key, err)
	}
	if b.Taken {
		return nil
	}
	wait := time.Duration(max(0, 1-b.Tokens) / l.rate() * float64(time.Second))
	return &Error{Code: CodeLimited, Message: "too many " + what, After: max(wait.Round(time.Second), time.Second)}
}

// GiveBack returns a token that Take took, where the attempt turned out to be a good one.
func (l Limit) GiveBack(ctx context.Context, db *gorm.DB, key string) error {
	err := db.WithContext(ctx).Exec(`UPDATE limits SET tokens = least(@burst, tokens + 1) WHERE key = @key`,
		Named("key", key, "burst", float64(l.Burst))).Error
	if err != nil {
		return fmt.Errorf("limit %q: %w", key, err)
	}
	return nil
}

// refilled is how many tokens a bucket l holds at @now. A clock that goes back takes none away.
const refilled = `least(CAST(@burst AS double precision),
	l.tokens + greatest(0, EXTRACT(epoch FROM CAST(@now AS timestamptz) - l.seen_at)) * CAST(@rate AS double precision))`

func (l Limit) rate() float64 { return float64(l.Burst) / l.Per.Seconds() }

func (l Limit) named(key string, now time.Time) map[string]any {
	return Named("key", key, "burst", float64(l.Burst), "rate", l.rate(), "now", now)
}
