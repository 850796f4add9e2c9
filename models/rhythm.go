package models

import (
	"context"
	"fmt"
	"math"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// The rhythm of an account is how often, and until what hour, it has something
// new. Looks follow it: submissions per look are worth most where the pause goes
// with the square root of how long one waits for the next day with news. The
// numbers are what did best on real traces; docs/retrieval.md has the comparison.
const (
	activityDays = 50.0 // A day counts e times less after so many days.
	activityIdle = 0.3  // Of somebody without recent days: these per day, divided by the days since the newest submission.
	rhythmPause  = 0.8  // Days, times the square root of the days between days with news.

	rhythmLeast     = 0.9   // Days.
	rhythmSoon      = 2.7   // Days at most, or
	rhythmShare     = 0.045 // of the time since the newest submission: the longer ago, the fewer come back.
	rhythmMost      = 12.0  // Who does so does not wait for it, where another site shows that: see welcome.
	nextHour        = 0.4   // Days after a look begins the wait for the usual hour.
	hourIsHabit     = 5     // Submissions of the last year tell an hour.
	rhythmLooksBack = 365 * 24 * time.Hour
)

// Who submits something within cameBack of the end of a pause of awayFor at least, on all
// sites, has come back.
const (
	cameBack = 3 * 24 * time.Hour
	awayFor  = 14 * 24 * time.Hour
)

// rhythmDays returns how many days should pass after a look at now.
func (a *Account) rhythmDays(now time.Time) float64 {
	idle, activity := now.Sub(a.CreatedAt), 0.0
	if a.NewestAt != nil {
		idle = now.Sub(*a.NewestAt)
	}
	idle = max(idle, 0)
	if a.ActivityAt != nil {
		activity = a.Activity * math.Exp(-days(now.Sub(*a.ActivityAt))/activityDays)
	}
	wait := rhythmPause / math.Sqrt(activity+activityIdle/(days(idle)+1))
	wait = min(wait, max(rhythmSoon, rhythmShare*days(idle)), rhythmMost)
	return max(wait, rhythmLeast)
}

// rhythmNext returns the moment of the next routine look: about rhythmDays after
// the last one, at the account's usual hour. A delay that was reset, by the button
// or a probe, brings it forward to as many days as it counts, and one.
func (a *Account) rhythmNext(r Rule) time.Time {
	last, day := *a.LastRetrievedAt, 24*time.Hour
	wait := min(a.rhythmDays(last), float64(a.Delay+1))
	if r.MaxWait > 0 {
		wait = min(wait, float64(r.MaxWait))
	}
	next := last.Add(time.Duration(wait * float64(day)))
	if a.UsualHour == nil {
		return next
	}
	hour := time.Duration(*a.UsualHour)*time.Hour + time.Duration(a.spread()%uint64(time.Hour))
	next = next.Add(-hour).Round(day).Add(hour) // Since the year 1, days of UTC are whole.
	if next.Before(last.Add(time.Duration(nextHour * float64(day)))) {
		next = next.Add(day)
	}
	return next
}

func days(d time.Duration) float64 { return d.Hours() / 24 }

// welcome lets accounts be looked at next whose member has come back, as another account
// of theirs has just shown; once each. Whoever practises again often does so on several
// sites, and who was away is looked at rarely. An account that somebody is at is left alone.
func welcome(ctx context.Context, tx *gorm.DB, shown int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		WITH back AS MATERIALIZED (
			SELECT s.member_id, min(s.submitted_at) AS at FROM submissions s JOIN accounts a ON a.member_id = s.member_id
			WHERE a.id = @id AND s.submitted_at > @back AND s.submitted_at <= @now
				AND NOT EXISTS (SELECT FROM submissions o WHERE o.member_id = a.member_id AND o.submitted_at > @away AND o.submitted_at <= @back)
			GROUP BY s.member_id),
		others AS (
			SELECT a.id FROM accounts a JOIN back b ON b.member_id = a.member_id
			WHERE a.id <> @id AND a.state = 'active' AND a.failures = 0 AND a.last_retrieved_at < b.at AND a.due_at > @now AND (a.leased_until IS NULL OR a.leased_until <= @now)
			ORDER BY a.id FOR NO KEY UPDATE OF a SKIP LOCKED)
		UPDATE accounts a SET due_at = @now FROM others o WHERE a.id = o.id`,
		pg.Named("id", shown, "now", now, "back", now.Add(-cameBack), "away", now.Add(-cameBack-awayFor))).Error
	if err != nil {
		return fmt.Errorf("welcome: %w", err)
	}
	return nil
}

// followRhythm brings the next look of an account that was just settled up to what
// was stored of it. Where the first look shows that nothing is new for long, the
// delay begins where it would be by now.
func followRhythm(ctx context.Context, tx *gorm.DB, a *Account, first, changed bool, r Rule, now time.Time) error {
	if changed {
		if err := learnRhythm(ctx, tx, []int64{a.ID}, now); err != nil {
			return err
		}
		var learned Account
		if err := tx.WithContext(ctx).Raw(`SELECT newest_at, activity, activity_at, usual_hour FROM accounts WHERE id = @id`, pg.Named("id", a.ID)).Scan(&learned).Error; err != nil {
			return fmt.Errorf("rhythm: %w", err)
		}
		a.NewestAt, a.Activity, a.ActivityAt, a.UsualHour = learned.NewestAt, learned.Activity, learned.ActivityAt, learned.UsualHour
		if err := welcome(ctx, tx, a.ID, now); err != nil {
			return err
		}
	}
	if first {
		a.Delay = max(a.Delay, int(a.rhythmDays(now))-1)
	}
	a.DueAt = a.rhythmNext(r)
	return nil
}

// learnRhythm counts the rhythm of accounts again, from the submissions of the
// last year. The usual hour is the one at the beginning of which a daily look
// finds submissions that are youngest.
func learnRhythm(ctx context.Context, tx *gorm.DB, accounts []int64, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		WITH recent AS MATERIALIZED (
			SELECT a.id, s.submitted_at AS at, CAST(extract(hour FROM s.submitted_at AT TIME ZONE 'UTC') AS integer) AS hour
			FROM accounts a JOIN submissions s ON s.member_id = a.member_id AND s.account_id = a.id
			WHERE a.id = ANY(CAST(@ids AS bigint[])) AND s.submitted_at > @since AND s.submitted_at <= @now),
		active AS (
			SELECT id, sum(exp(-extract(epoch FROM CAST(@now AS timestamptz) - first) / 86400 / @days)) / @days AS activity
			FROM (SELECT id, min(at) AS first FROM recent GROUP BY id, CAST(at AT TIME ZONE 'UTC' AS date)) d GROUP BY id),
		hours AS (SELECT id, hour, count(*) AS n FROM recent GROUP BY id, hour),
		usual AS (
			SELECT DISTINCT ON (id) id, look FROM (
				SELECT id, look, sum(n * ((look - hour + 23) % 24)) AS late FROM hours, generate_series(0, 23) look GROUP BY id, look HAVING sum(n) >= @habit) looks
			ORDER BY id, late, look)
		UPDATE accounts a SET activity = coalesce(active.activity, 0), activity_at = @now, usual_hour = usual.look
		FROM unnest(CAST(@ids AS bigint[])) g(id) LEFT JOIN active USING (id) LEFT JOIN usual USING (id) WHERE a.id = g.id`,
		pg.Named("ids", &accounts, "now", now, "since", now.Add(-rhythmLooksBack), "days", activityDays, "habit", hourIsHabit)).Error
	if err != nil {
		return fmt.Errorf("rhythm: %w", err)
	}
	return nil
}
