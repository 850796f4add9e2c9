package retrieval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/standings"
	"laurel/models/submissions"
)

// Finish stores how a fetch ended: it applies the result to the account (see Apply), moves covered
// ground if the fetch was complete, counts what was stored, plans the next fetch and counts this
// one for the site's health. It is one short transaction; ErrLeaseLost means that nothing was
// stored.
func Finish(ctx context.Context, db *gorm.DB, d *Due, res Result, r Rule, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		m, a, err := lockFetched(ctx, tx, d)
		if err != nil {
			return err
		}
		res.changed = a.PendingFrom != nil
		// A stream, or attempts that failed, may have stored what this fetch covers.
		res.covers = res.changed || a.NewRows > 0 || a.Failures > 0 || a.NotFound > 0
		if err := applyResult(ctx, tx, a, &res, r, now); err != nil {
			return err
		}
		if err := storeFound(ctx, tx, &m, a, &res, now); err != nil {
			return err
		}
		if err := settleList(ctx, tx, a, d, &res, now); err != nil {
			return err
		}
		if err := moveCursor(ctx, tx, a, &res, r.Overlap, now); err != nil {
			return err
		}
		if err := observe(ctx, tx, &m, a, res, now); err != nil {
			return err
		}
		if err := storeApplied(ctx, tx, a); err != nil {
			return err
		}
		if err := replan(ctx, tx, a, &res, r.Rate, now); err != nil {
			return err
		}
		if err := wakeOthers(ctx, tx, &d.Account, a, now); err != nil {
			return err
		}
		if _, err := responses.Store(ctx, tx, responses.Owner{Fetch: res.Fetch}, res.Answers, now); err != nil {
			return err
		}
		return countFetch(ctx, tx, a, res, d.AuditAt != nil, now)
	})
	if err != nil {
		return fmt.Errorf("finish retrieval of %s: %w", &d.Account, err)
	}
	return nil
}

// settleList ends what the list showed and what it lacked.
func settleList(ctx context.Context, tx *gorm.DB, a *members.Account, d *Due, res *Result, now time.Time) error {
	waitFor(a, res)
	if err := settleUnread(ctx, tx, a, d, res); err != nil {
		return err
	}
	return audited(ctx, tx, a, res, d.AuditAt, now)
}

// lockFetched locks the member and then the account, in the order of everybody who needs both,
// and reads both anew: the member may have changed the time zone and pressed the button, and
// pages were stored, since the account was claimed.
func lockFetched(ctx context.Context, tx *gorm.DB, d *Due) (m members.Member, a *members.Account, err error) {
	m, err = members.Lock(ctx, tx, d.MemberID)
	if errors.Is(err, pg.ErrNotFound) {
		return m, nil, pg.ErrLeaseLost // Deleted, with its accounts.
	}
	if err != nil {
		return m, nil, err
	}
	list, err := lockAccounts(ctx, tx, []int64{d.ID})
	if err != nil {
		return m, nil, err
	}
	if len(list) == 0 || list[0].LeaseID != d.LeaseID {
		return m, nil, pg.ErrLeaseLost
	}
	a = &list[0].Account
	a.SiteKey = d.SiteKey // Learned during the fetch.
	return m, a, nil
}

// wakeOthers makes the member's other accounts due where this fetch shows that the member, who
// was quiet when it was claimed, is back.
func wakeOthers(ctx context.Context, tx *gorm.DB, claimed, a *members.Account, now time.Time) error {
	if a.Outcome != pg.OutcomeOK || a.LastNew == 0 || !wasQuiet(claimed, now) {
		return nil
	}
	return returned(ctx, tx, a.MemberID, SourceReturn, now)
}

// storeFound stores what was read beside the submissions, and brings the counts of the account up
// to the stored rows.
func storeFound(ctx context.Context, tx *gorm.DB, m *members.Member, a *members.Account, res *Result, now time.Time) error {
	ok, rated := res.Outcome == pg.OutcomeOK, false
	if res.RatingsRead {
		changed, err := storeRatings(ctx, tx, a, res.Ratings, now)
		if err != nil {
			return err
		}
		a.RatingsAt, rated = &now, changed
	}
	if res.ProfileRead {
		a.ProfileAt = &now
	}
	if ok && res.Reported != nil {
		if err := measureShortfall(ctx, tx, a, res, now); err != nil {
			return err
		}
	}
	if a.PendingFrom == nil && (rated || res.changed) {
		return standings.Refresh(ctx, tx, []int64{m.ID}, now)
	}
	if a.PendingFrom != nil {
		if err := submissions.RefreshSums(ctx, tx, m, a.ID, a.PendingFrom, now); err != nil {
			return err
		}
		a.PendingFrom = nil
		if ok {
			if err := learnHour(ctx, tx, a, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// applyResult applies the result to the account. A failure that is the site's leaves the account
// as it was before: see Circuit.
func applyResult(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, r Rule, now time.Time) error {
	if err := verifyEmpty(ctx, tx, a, res, now); err != nil {
		return err
	}
	answer := Answer{Site: a.Site, Handle: a.Handle, Account: a.ID, Outcome: res.Outcome, Message: res.Message, Requests: res.Requests,
		Known: a.LastRetrievedAt != nil, Emptied: res.Emptied, Blank: res.Blank, RetryAt: res.RetryAt}
	was, err := answer.judge(ctx, tx, accountState{a.State, a.Failures, a.FailingSince, a.NotFound}, r.Rate, now)
	if err != nil {
		return err
	}
	if err := answeredMeanwhile(ctx, tx, a, res); err != nil {
		return err
	}
	Apply(a, *res, now)
	if was != nil {
		a.State, a.Failures, a.FailingSince, a.NotFound = was.State, was.Failures, was.FailingSince, was.NotFound
	}
	return nil
}

// answeredMeanwhile asks whether the site gave a good answer since the account's first proof of absence.
func answeredMeanwhile(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result) error {
	if res.Outcome != pg.OutcomeNotFound || a.NotFound == 0 || a.FailingSince == nil {
		return nil
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM site_hours WHERE site = @site AND outcome = 'ok' AND last_at > @since)`,
		pg.Named("site", a.Site, "since", a.FailingSince)).Scan(&res.answered).Error
	if err != nil {
		return fmt.Errorf("good answers of %s: %w", a.Site, err)
	}
	return nil
}

// replan plans the next fetch, with what this one showed as evidence. A complete fetch has served
// all evidence from before it began.
func replan(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, rate float64, now time.Time) error {
	if res.Outcome == pg.OutcomeOK {
		err := tx.WithContext(ctx).Exec(`DELETE FROM account_evidence WHERE account_id = @id AND seen_at <= @started`,
			pg.Named("id", a.ID, "started", a.StartedAt)).Error
		if err != nil {
			return fmt.Errorf("delete evidence: %w", err)
		}
	}
	list := ownEvidence(a, res, now)
	if len(list) == 0 {
		_, err := plan(ctx, tx, []int64{a.ID}, rate, now)
		return err
	}
	_, err := note(ctx, tx, list, rate, now)
	return err
}

// ownEvidence is what an account's own list shows about the next fetch.
func ownEvidence(a *members.Account, res *Result, now time.Time) (list []Evidence) {
	switch {
	case res.Outcome != pg.OutcomeOK:
		if !res.RetryAt.IsZero() {
			list = append(list, Evidence{AccountID: a.ID, Source: SourceRetryAfter, SeenAt: res.RetryAt})
		}
	case res.Reported != nil && !res.Reported.Oldest.IsZero():
		half := max(now.Sub(res.Reported.Oldest)/2, Soonest)
		list = append(list, Evidence{AccountID: a.ID, Source: SourceOverflow, DueBy: new(now.Add(half)), SeenAt: now})
	}
	if res.Outcome == pg.OutcomeOK && !res.Withheld.IsZero() {
		list = append(list, Evidence{AccountID: a.ID, Source: SourceUnnamed, DueBy: new(now.Add(2 * CheckEvery)), SeenAt: now})
	}
	return list
}

// storeApplied stores an account after a fetch and ends its lease. Only the planner writes when it
// is due.
func storeApplied(ctx context.Context, tx *gorm.DB, a *members.Account) error {
	a.LeaseID, a.LeasedUntil = "", nil
	_, err := gorm.G[members.Schedule](tx).Table("account_schedule").Where("account_id = ?", a.ID).
		Select("*").Omit("due_at", "reason").Updates(ctx, a.Schedule)
	if err == nil {
		_, err = gorm.G[members.Coverage](tx).Table("account_coverage").Where("account_id = ?", a.ID).
			Select("*").Updates(ctx, a.Coverage)
	}
	if err == nil {
		_, err = gorm.G[members.Stats](tx).Table("account_stats").Where("account_id = ?", a.ID).
			Select("pending_from", "new_rows", "last_new").Updates(ctx, a.Stats)
	}
	if err == nil {
		err = standings.RefreshGaps(ctx, tx, a.MemberID)
	}
	if err != nil {
		return err
	}
	return tx.WithContext(ctx).Exec(`
		WITH key AS (UPDATE accounts SET site_key = @key WHERE id = @id AND site_key <> @key)
		SELECT pg_notify(@progress, CAST(CAST(@member AS bigint) AS text))`,
		pg.Named("key", a.SiteKey, "id", a.ID, "member", a.MemberID, "progress", pg.ChannelProgress)).Error
}

// countFetch counts the fetch for the site's health.
func countFetch(ctx context.Context, tx *gorm.DB, a *members.Account, res Result, whole bool, now time.Time) error {
	counted := Answer{Site: a.Site, Outcome: a.Outcome, Message: a.Message, Retrievals: 1, Requests: res.Requests}
	if res.Outcome == pg.OutcomeOK {
		counted.NewRows = a.LastNew
	}
	if whole {
		counted.Audits = res.Requests
	}
	return counted.count(ctx, tx, now)
}

// moveCursor moves covered ground up to the site's overlap before the newest row, never past a row
// that is still being judged, and never past now, whatever time a site gives a row.
func moveCursor(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, overlap time.Duration, now time.Time) error {
	if res.Outcome != pg.OutcomeOK || !res.covers {
		return nil
	}
	var to struct {
		CoveredAt *time.Time
		CoveredID string
	}
	err := tx.WithContext(ctx).Raw(queries.Must("cursor"), pg.Named("id", a.ID, "member", a.MemberID,
		"overlap", int(overlap.Seconds()), "pending", now.Add(-finalAfter), "now", now)).Scan(&to).Error
	a.CoveredAt, a.CoveredID = to.CoveredAt, to.CoveredID
	return err
}

// storeRatings makes the stored list equal to the given one, and says whether it was not: a site
// takes ratings back when a contest is declared unrated.
func storeRatings(ctx context.Context, tx *gorm.DB, a *members.Account, ratings []submissions.RatingFound, now time.Time) (bool, error) {
	if ratings == nil {
		ratings = []submissions.RatingFound{}
	}
	text, err := json.Marshal(ratings)
	if err != nil {
		return false, err
	}
	var gone, changed string
	err = tx.WithContext(ctx).Raw(`
		SELECT coalesce(CAST(json_agg(contest) AS text), '') FROM ratings WHERE account_id = @id AND contest NOT IN (
			SELECT contest FROM jsonb_to_recordset(CAST(@ratings AS jsonb)) AS r(contest text))`,
		pg.Named("ratings", string(text), "id", a.ID)).Scan(&gone).Error
	if err != nil {
		return false, fmt.Errorf("ratings: %w", err)
	}
	if err := submissions.EmitRatings(ctx, tx, a.ID, gone, now); err != nil {
		return false, err
	}
	err = tx.WithContext(ctx).Raw(queries.Must("store_ratings"),
		pg.Named("ratings", string(text), "id", a.ID, "now", now)).Scan(&changed).Error
	if err != nil {
		return false, fmt.Errorf("ratings: %w", err)
	}
	return gone != "" || changed != "", submissions.EmitRatings(ctx, tx, a.ID, changed, now)
}

// learnHour computes the usual hour of an account from the submissions of the last year: the hour of
// UTC at the beginning of which a daily retrieval finds them youngest.
func learnHour(ctx context.Context, tx *gorm.DB, a *members.Account, now time.Time) error {
	err := tx.WithContext(ctx).Raw(queries.Must("usual_hour"),
		pg.Named("id", a.ID, "member", a.MemberID, "now", now, "since", now.AddDate(-1, 0, 0), "least", usualHourRows)).
		Scan(&a.UsualHour).Error
	if err != nil {
		return fmt.Errorf("usual hour: %w", err)
	}
	return nil
}
