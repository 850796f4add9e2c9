// Package submissions holds submissions, problems and ratings, the sums that are
// kept of them, and the events that they become.
package submissions

import (
	"context"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/members"
)

// What members do becomes events of Laurel's own sources, in the transaction that
// stores it: submissions judged and revised, ratings, and days with submissions.
// Their producer's number comes from the bus's own sequence, so that it grows
// from one transaction about an account to the next, whatever the clock says.
// Custom members earn nothing, so nothing is told of them.

// EventsOfSubmissions tells of submissions s. Accepted is what counts; what is
// being judged may yet; all else is rejected.
const EventsOfSubmissions = `
	SELECT s.member_id, m.name, m.time_zone AS zone, s.site || '/' || s.site_id || '@' || s.account_id AS item, 'submission' AS type, s.site || '/' || p.key AS object,
		CASE WHEN CAST(@gone AS boolean) THEN 'deleted' WHEN s.status = 'AC' THEN 'active' WHEN s.status = 'PENDING' THEN 'moderation' ELSE 'rejected' END AS status, s.submitted_at AS at,
		json_build_object('site', s.site, 'language', s.language, 'verdict', s.status, 'points', s.points, 'problem', nullif(p.name, ''), 'url', s.url, 'first_solve', s.status = 'AC' AND NOT EXISTS (
			SELECT FROM submissions o WHERE o.member_id = s.member_id AND o.problem_id = s.problem_id AND o.status = 'AC' AND (o.submitted_at, o.id) < (s.submitted_at, s.id))) AS facts
	FROM submissions s JOIN members m ON m.id = s.member_id AND NOT m.custom JOIN problems p ON p.id = s.problem_id`

// EmitSubmissions tells of rows that were stored, and of the one that is, or no
// longer is, the member's first accepted of its problem because of them.
func EmitSubmissions(ctx context.Context, tx *gorm.DB, memberID int64, ids string, now time.Time) error {
	if ids == "" {
		return nil
	}
	return events.Emit(ctx, tx, "submissions", `
		WITH stored AS MATERIALIZED (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint) AS id),
		rows AS MATERIALIZED (
			SELECT s.id, s.problem_id, s.submitted_at, s.status = 'AC' OR s.past -> -1 ->> 'status' = 'AC' AS mattered FROM submissions s JOIN stored USING (id)),
		next AS (
			SELECT o.id FROM (SELECT problem_id, min(submitted_at) AS at FROM rows WHERE mattered GROUP BY problem_id) r, LATERAL (
				SELECT id, submitted_at FROM submissions o
				WHERE o.member_id = @member AND o.problem_id = r.problem_id AND o.status = 'AC' AND o.id NOT IN (SELECT id FROM stored)
				ORDER BY submitted_at, o.id LIMIT 1) o
			WHERE o.submitted_at >= r.at)`+EventsOfSubmissions+`
		WHERE s.id IN (SELECT id FROM stored UNION SELECT id FROM next) ORDER BY s.submitted_at, s.id`,
		pg.Named("ids", ids, "member", memberID, "gone", false), now)
}

// EmitGone tells that accounts go, with all that was known of them.
func EmitGone(ctx context.Context, tx *gorm.DB, accounts []int64, now time.Time) error {
	if len(accounts) == 0 {
		return nil
	}
	err := events.Emit(ctx, tx, "submissions", EventsOfSubmissions+` WHERE s.account_id = ANY(CAST(@accounts AS bigint[]))`, pg.Named("accounts", &accounts, "gone", true), now)
	if err != nil {
		return err
	}
	return events.Emit(ctx, tx, "ratings", `SELECT * FROM (`+EventsOfRatings+`) r WHERE account_id = ANY(CAST(@accounts AS bigint[]))`, pg.Named("accounts", &accounts, "gone", true), now)
}

// EventsOfRatings tells of rated contests r.
const EventsOfRatings = `
	SELECT a.member_id, m.name, m.time_zone AS zone, a.site || '/' || r.contest || '@' || a.id AS item, 'rating' AS type, a.site || '/' || r.contest AS object,
		CASE WHEN CAST(@gone AS boolean) THEN 'deleted' ELSE 'active' END AS status, r.rated_at AS at,
		json_build_object('site', a.site, 'contest', r.contest, 'name', r.name, 'rank', r.rank, 'rating', r.rating) AS facts, a.id AS account_id, r.contest
	FROM ratings r JOIN accounts a ON a.id = r.account_id JOIN members m ON m.id = a.member_id AND NOT m.custom`

// EmitRatings tells of the contests of an account that changed, by name.
func EmitRatings(ctx context.Context, tx *gorm.DB, account int64, contests string, gone bool, now time.Time) error {
	if contests == "" {
		return nil
	}
	return events.Emit(ctx, tx, "ratings", `SELECT * FROM (`+EventsOfRatings+`) r WHERE account_id = @account AND contest IN (SELECT json_array_elements_text(CAST(@contests AS json)))`,
		pg.Named("account", account, "contests", contests, "gone", gone), now)
}

// EmitDays tells of the member's days, from the day before that of from on, that
// are not as they were: was is what they were, as JSON. A day's event is at its
// noon, whatever its length.
func EmitDays(ctx context.Context, tx *gorm.DB, m *members.Member, was string, from *time.Time, now time.Time) error {
	return events.Emit(ctx, tx, "days", `
		SELECT m.id AS member_id, m.name, m.time_zone AS zone, coalesce(d.day, w.day) || '@' || m.id AS item, 'day' AS type, CAST(coalesce(d.day, w.day) AS text) AS object,
			CASE WHEN d.day IS NULL THEN 'deleted' ELSE 'active' END AS status, (coalesce(d.day, w.day) + time '12:00') AT TIME ZONE @zone AS at,
			json_build_object('submissions', coalesce(d.submissions, 0), 'accepted', coalesce(d.accepted, 0)) AS facts
		FROM (SELECT * FROM json_to_recordset(CAST(@was AS json)) AS w(day date, submissions integer, accepted integer)) w
		FULL JOIN (SELECT * FROM days WHERE member_id = @member AND (CAST(@from AS timestamptz) IS NULL OR day >= CAST(CAST(@from AS timestamptz) AT TIME ZONE @zone AS date) - 1)) d ON d.day = w.day
		JOIN members m ON m.id = @member AND NOT m.custom
		WHERE (d.submissions, d.accepted) IS DISTINCT FROM (w.submissions, w.accepted) ORDER BY coalesce(d.day, w.day)`,
		pg.Named("member", m.ID, "zone", m.Location().String(), "was", was, "from", from), now)
}
