package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// How often an account is read whole again: while its member is active, and when not.
const (
	auditActive  = finalAfter
	auditDormant = 6 * finalAfter
)

// StartAudits has one account of each site read whole again: the one that has waited longest,
// where a tenth of all requests to the site is left for that. It takes as many
// requests as the last time.
func StartAudits(ctx context.Context, db *gorm.DB, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var ids []int64
		err := tx.Raw(queries.Must("start_audits"), pg.Named("now", now)).Scan(&ids).Error
		if err != nil {
			return fmt.Errorf("start audits: %w", err)
		}
		return readWhole(ctx, tx, ids, now)
	})
}

// readWhole has accounts read whole by their next fetch, which is due now. One of which that is
// under way goes on with it.
func readWhole(ctx context.Context, tx *gorm.DB, ids []int64, now time.Time) error {
	var begun []int64
	err := tx.WithContext(ctx).Raw(`
		UPDATE account_schedule SET audit_at = @now, audit_requests = 0 WHERE account_id = ANY(CAST(@ids AS bigint[])) AND audit_at IS NULL
		RETURNING account_id`, pg.Named("ids", &ids, "now", now)).Scan(&begun).Error
	if err != nil {
		return fmt.Errorf("read whole: %w", err)
	}
	return dueNow(ctx, tx, begun, SourceAudit, now)
}

// ReadWhole has the accounts of a member read whole again: on one site, or on all with site "".
func ReadWhole(ctx context.Context, db *gorm.DB, memberID int64, site string, now time.Time) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if _, err := members.Lock(ctx, tx, memberID); err != nil {
			return err
		}
		var ids []int64
		err := tx.Raw(`
			SELECT s.account_id FROM account_schedule s JOIN accounts a ON a.id = s.account_id
			WHERE a.member_id = @id AND @site IN ('', s.site) AND s.state = 'active'
			ORDER BY s.account_id FOR NO KEY UPDATE OF s`, pg.Named("id", memberID, "site", site)).Scan(&ids).Error
		if err != nil {
			return fmt.Errorf("read member %d whole: %w", memberID, err)
		}
		return readWhole(ctx, tx, ids, now)
	})
}

// noteListed notes what the whole reading under way has shown of an account.
func noteListed(ctx context.Context, tx *gorm.DB, a *members.Account, rows []Found) error {
	if a.AuditAt == nil || len(rows) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		INSERT INTO audit_rows (account_id, site_id) SELECT @id, unnest(CAST(@ids AS text[])) ON CONFLICT DO NOTHING`,
		pg.Named("id", a.ID, "ids", pg.Column(rows, func(f *Found) string { return pg.CleanText(f.ID) }))).Error
	if err != nil {
		return fmt.Errorf("note what is listed: %w", err)
	}
	return nil
}

// audited ends a whole reading, and plans the next one. began is since when it was under way as the
// fetch was claimed, or nil: then it was none.
func audited(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, began *time.Time, now time.Time) error {
	whole := began != nil || a.AuditedAt == nil // The first one always is.
	if whole {
		a.AuditRequests += res.Requests // It may have been interrupted.
	}
	if res.Outcome != pg.OutcomeOK {
		return nil
	}
	if whole {
		if err := endAudit(ctx, tx, a, res, began); err != nil {
			return err
		}
	}
	stats, err := gorm.G[members.Stats](tx).Table("account_stats").Where("account_id = ?", a.ID).Take(ctx)
	if err != nil {
		return fmt.Errorf("counts of %s: %w", a, err)
	}
	planAudit(a, res, stats, now)
	return nil
}

// endAudit marks the rows that a whole reading did not show, and takes the mark from those that it
// did. Where the site lists the newest only, nothing is said of the rows before them.
func endAudit(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, began *time.Time) error {
	var since *time.Time
	if res.Reported != nil && !res.Reported.Oldest.IsZero() {
		since = &res.Reported.Oldest
	}
	if began != nil && !res.Blank {
		err := tx.WithContext(ctx).Exec(queries.Must("mark_unlisted"), pg.Named("id", a.ID, "began", began, "since", since)).Error
		if err != nil {
			return fmt.Errorf("mark what is not listed: %w", err)
		}
	}
	if a.AuditedAt, a.AuditedFrom, a.AuditAt = began, since, nil; began == nil {
		a.AuditedAt = a.StartedAt
	}
	a.AuditDueAt, a.LeftSolved, a.LeftSubmissions = nil, nil, nil
	return tx.WithContext(ctx).Exec(`DELETE FROM audit_rows WHERE account_id = @id`, pg.Named("id", a.ID)).Error
}

// planAudit says when the account is read whole again: after a while, or at once where the site
// counts more or less than is stored. A difference that a whole reading left is remembered: only
// its change matters. Of a site that lists the newest only, the total is compared with what the rows
// and the counts of days account for; which problems were solved before, it does not say, but fewer than before
// means that something was judged again.
func planAudit(a *members.Account, res *Result, stats members.Stats, now time.Time) {
	every := auditDormant
	if stats.NewestAt != nil && stats.NewestAt.After(now.Add(-finalAfter)) {
		every = auditActive
	}
	auditBy(a, a.AuditedAt.Add(every))
	if res.Reported != nil {
		whole := a.LeftSubmissions == nil // It has just ended.
		if changed(&a.LeftSubmissions, &res.Reported.Total, res.explained) || res.unsolved && !whole {
			auditBy(a, now)
		}
		return
	}
	if res.ReportedSolved == nil && res.ReportedSubmissions == nil {
		return
	}
	a.ReportedSolved = cmp.Or(res.ReportedSolved, a.ReportedSolved) // Of two, one may come with the list and one with the profile.
	a.ReportedSubmissions = cmp.Or(res.ReportedSubmissions, a.ReportedSubmissions)
	if !res.CountsAttempts && (changed(&a.LeftSolved, res.ReportedSolved, stats.Solved) ||
		changed(&a.LeftSubmissions, res.ReportedSubmissions, stats.Submissions)) {
		auditBy(a, now)
	}
}

// auditBy makes a whole reading due by then. One that waits keeps its place: a difference that is seen again
// at each look would else never be the one that has waited longest.
func auditBy(a *members.Account, at time.Time) {
	if a.AuditDueAt == nil || at.Before(*a.AuditDueAt) {
		a.AuditDueAt = &at
	}
}

// changed says whether the difference of a count is another one than was left, and notes the first.
func changed(left **int, reported *int, stored int) bool {
	switch {
	case reported == nil:
		return false
	case *left == nil:
		*left = new(*reported - stored)
		return false
	}
	return **left != *reported-stored
}
