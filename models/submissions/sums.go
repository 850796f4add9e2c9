package submissions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// RefreshSums brings the sums over one account's submissions, and over its
// member's, up to the rows: the days from the first changed row on, and the
// counts. The member must be locked. from nil means from the beginning.
func RefreshSums(ctx context.Context, tx *gorm.DB, m *members.Member, accountID int64, from *time.Time, now time.Time) error {
	if err := refreshDays(ctx, tx, m, from, now); err != nil {
		return fmt.Errorf("days of member %d: %w", m.ID, err)
	}
	err := tx.WithContext(ctx).Exec(`
		WITH sums AS ( -- One pass: a row for each status, and one for all.
			SELECT status, count(*) AS n, count(DISTINCT problem_id) FILTER (WHERE status = 'AC') AS solved, max(submitted_at) AS newest
			FROM submissions WHERE account_id = @id GROUP BY GROUPING SETS ((status), ()))
		UPDATE accounts SET
			submissions = total.n, solved = total.solved, newest_at = total.newest,
			accepted = coalesce((SELECT n FROM sums WHERE status = 'AC'), 0),
			statuses = coalesce((SELECT jsonb_object_agg(status, n) FROM sums WHERE status IS NOT NULL), '{}')
		FROM (SELECT * FROM sums WHERE status IS NULL) total
		WHERE id = @id`, pg.Named("id", accountID)).Error
	if err != nil {
		return fmt.Errorf("counts of account %d: %w", accountID, err)
	}
	return refreshStats(ctx, tx, m.ID)
}

// refreshDays counts again the member's days from the day before that of from on:
// where clocks are put back over midnight, a later moment may lie in an earlier
// day. For the same reason rows are told by their day; the moment is for the
// index alone.
func refreshDays(ctx context.Context, tx *gorm.DB, m *members.Member, from *time.Time, now time.Time) error {
	args := pg.Named("member", m.ID, "zone", m.Location().String(), "from", from)
	var was string
	err := tx.WithContext(ctx).Raw(`
		WITH gone AS (
			DELETE FROM days WHERE member_id = @member
				AND (CAST(@from AS timestamptz) IS NULL OR day >= CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1)
			RETURNING day, submissions, accepted)
		SELECT coalesce(CAST(json_agg(gone) AS text), '[]') FROM gone`, args).Scan(&was).Error
	if err != nil {
		return err
	}
	err = tx.WithContext(ctx).Exec(`
		INSERT INTO days (member_id, day, submissions, accepted)
		SELECT @member, CAST(submitted_at AT TIME ZONE @zone AS date) AS day, count(*), count(*) FILTER (WHERE status = 'AC')
		FROM submissions
		WHERE member_id = @member AND (CAST(@from AS timestamptz) IS NULL OR (submitted_at > CAST(@from AS timestamptz) - interval '3 days'
			AND CAST(submitted_at AT TIME ZONE @zone AS date) >= CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1))
		GROUP BY day`, args).Error
	if err != nil {
		return err
	}
	return EmitDays(ctx, tx, m, was, from, now)
}

// refreshStats counts the member's totals and streaks again: days in a row with
// a submission, and accepted submissions in a row (a row still being judged
// neither counts nor breaks).
func refreshStats(ctx context.Context, tx *gorm.DB, memberID int64) error {
	err := tx.WithContext(ctx).Exec(`
		WITH islands AS (SELECT day, day - CAST(row_number() OVER (ORDER BY day) AS integer) AS island FROM days WHERE member_id = @id),
		day_runs AS (SELECT count(*) AS n, max(day) AS last FROM islands GROUP BY island),
		judged AS (
			SELECT status = 'AC' AS ok, row_number() OVER w AS i, row_number() OVER w - row_number() OVER (PARTITION BY status = 'AC' ORDER BY submitted_at, id) AS island
			FROM submissions WHERE member_id = @id AND status <> 'PENDING' WINDOW w AS (ORDER BY submitted_at, id)),
		ac_runs AS (SELECT count(*) AS n, max(i) AS last FROM judged WHERE ok GROUP BY island)
		INSERT INTO member_stats AS s (member_id, submissions, accepted, solved, day_streak, best_day_streak, last_day, ac_streak, best_ac_streak, newest_at)
		SELECT @id, t.submissions, t.accepted, t.solved,
			coalesce((SELECT n FROM day_runs ORDER BY last DESC LIMIT 1), 0), coalesce((SELECT max(n) FROM day_runs), 0), (SELECT max(last) FROM day_runs),
			coalesce((SELECT n FROM ac_runs WHERE last = (SELECT count(*) FROM judged)), 0), coalesce((SELECT max(n) FROM ac_runs), 0), t.newest_at
		FROM (
			SELECT coalesce(sum(submissions), 0) AS submissions, coalesce(sum(accepted), 0) AS accepted, coalesce(sum(solved), 0) AS solved, max(newest_at) AS newest_at
			FROM accounts WHERE member_id = @id) t
		ON CONFLICT (member_id) DO UPDATE SET submissions = EXCLUDED.submissions, accepted = EXCLUDED.accepted, solved = EXCLUDED.solved,
			day_streak = EXCLUDED.day_streak, best_day_streak = EXCLUDED.best_day_streak, last_day = EXCLUDED.last_day,
			ac_streak = EXCLUDED.ac_streak, best_ac_streak = EXCLUDED.best_ac_streak, newest_at = EXCLUDED.newest_at`, pg.Named("id", memberID)).Error
	if err != nil {
		return fmt.Errorf("totals of member %d: %w", memberID, err)
	}
	return nil
}

// RefreshMember counts everything about a member again, for when the zone
// changed (the days are other days now) or an account went away.
func RefreshMember(ctx context.Context, tx *gorm.DB, memberID int64, now time.Time) error {
	m, err := members.Lock(ctx, tx, memberID)
	if err != nil {
		return err
	}
	if err := refreshDays(ctx, tx, &m, nil, now); err != nil {
		return fmt.Errorf("days of member %d: %w", memberID, err)
	}
	return refreshStats(ctx, tx, memberID)
}
