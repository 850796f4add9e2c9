// Package submissions holds submissions, problems and ratings, the sums over
// them, and the events that they become.
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
// Custom members earn nothing, so nothing is emitted about them.

// EmitSubmissions emits rows that were stored, and the row that is, or no longer is, the
// member's first accepted one of its problem because of them.
func EmitSubmissions(ctx context.Context, tx *gorm.DB, memberID int64, ids string, now time.Time) error {
	if ids == "" {
		return nil
	}
	return events.Emit(ctx, tx, "submissions", queries.Must("changed_submissions"), pg.Named("ids", ids, "member", memberID), now)
}

// EmitDeleted emits that rows are deleted: ids are theirs, as JSON.
func EmitDeleted(ctx context.Context, tx *gorm.DB, ids string, now time.Time) error {
	return events.Emit(ctx, tx, "submissions", `
		SELECT member_id, item FROM submissions_events WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint))`,
		pg.Named("ids", ids), now)
}

// EmitFirstSolutions emits the submissions that are the member's first accepted ones of
// problems, by their ids as JSON, after others went.
func EmitFirstSolutions(ctx context.Context, tx *gorm.DB, memberID int64, problems string, now time.Time) error {
	return events.Emit(ctx, tx, "submissions", `
		SELECT member_id, item FROM submissions_events WHERE id IN (
			SELECT (
				SELECT s.id FROM submissions s WHERE s.member_id = @member AND s.problem_id = CAST(p.id AS bigint) AND s.status = 'AC'
				ORDER BY s.submitted_at, s.id LIMIT 1)
			FROM json_array_elements_text(CAST(@problems AS json)) AS p(id))`,
		pg.Named("member", memberID, "problems", problems), now)
}

// EmitGone emits that accounts are deleted, with all their rows.
func EmitGone(ctx context.Context, tx *gorm.DB, accounts []int64, now time.Time) error {
	if len(accounts) == 0 {
		return nil
	}
	for _, source := range []string{"submissions", "ratings"} {
		err := events.Emit(ctx, tx, source, `
			SELECT member_id, item FROM `+source+`_events WHERE account_id = ANY(CAST(@accounts AS bigint[]))`,
			pg.Named("accounts", &accounts), now)
		if err != nil {
			return err
		}
	}
	return nil
}

// EmitRatings emits the contests of an account whose rating changed or goes, by name.
func EmitRatings(ctx context.Context, tx *gorm.DB, account int64, contests string, now time.Time) error {
	if contests == "" {
		return nil
	}
	return events.Emit(ctx, tx, "ratings", `
		SELECT member_id, item FROM ratings_events
		WHERE account_id = @account AND contest IN (SELECT json_array_elements_text(CAST(@contests AS json)))`,
		pg.Named("account", account, "contests", contests), now)
}

// EmitDays emits the member's days that changed, from the day before that of from on: was is what
// they were, as JSON.
func EmitDays(ctx context.Context, tx *gorm.DB, m *members.Member, was string, from *time.Time, now time.Time) error {
	return events.Emit(ctx, tx, "days", queries.Must("changed_days"),
		pg.Named("member", m.ID, "zone", m.Location().String(), "was", was, "from", from), now)
}

// EmitMoved emits all days of a member who lives in another zone now: their noons are others.
func EmitMoved(ctx context.Context, tx *gorm.DB, memberID int64, now time.Time) error {
	return events.Emit(ctx, tx, "days", `SELECT member_id, item FROM days_events WHERE member_id = @member`,
		pg.Named("member", memberID), now)
}
