package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// An accountState is what an account was before a failure that is its site's.
type accountState struct {
	State        string
	Failures     int
	FailingSince *time.Time
	NotFound     int
}

// report applies an answer that is of no account to the site's circuit and counts it. A good
// answer about many accounts shows nothing of their lists, so it does not close the circuit.
func (a Answer) report(ctx context.Context, tx *gorm.DB, rate float64, now time.Time) error {
	if a.Handle != "" || a.Outcome != pg.OutcomeOK {
		if _, err := a.judge(ctx, tx, accountState{}, rate, now); err != nil {
			return err
		}
	}
	return a.count(ctx, tx, now)
}

// count adds the answer to the hour of the site's health, unless nothing was asked. It comes last
// in a transaction, because all fetches of a site count in one row.
func (a Answer) count(ctx context.Context, tx *gorm.DB, now time.Time) error {
	return tx.WithContext(ctx).Exec(queries.Must("count_requests"), pg.Named("site", a.Site, "outcome", a.Outcome,
		"message", pg.CleanText(a.Message), "retrievals", a.Retrievals, "requests", a.Requests, "rows", a.NewRows,
		"audits", a.Audits, "now", now)).Error
}

// judge applies an answer to the site's circuit. If the failure is the site's, it returns what the
// account was before. The account is locked: accounts are always locked before circuits.
func (a Answer) judge(ctx context.Context, tx *gorm.DB, was accountState, rate float64, now time.Time) (*accountState, error) {
	c, err := CircuitOf(ctx, tx, a.Site)
	if err != nil || !c.concerns(a) {
		return nil, err
	}
	if a.Outcome, err = a.believed(ctx, tx); err != nil {
		return nil, err
	}
	if c, err = lockCircuit(ctx, tx, a.Site); err != nil {
		return nil, err
	}
	f, was, err := a.noteFailure(ctx, tx, was, now)
	if err != nil {
		return nil, err
	}
	after := c.After(a, f, rate, now)
	_, err = gorm.G[Circuit](tx).Table("site_circuits").Where("site = ?", a.Site).Select("*").
		Omit("site", "paused_at", "paused_by", "paused_reason").Updates(ctx, after)
	switch {
	case err != nil:
		return nil, fmt.Errorf("circuit of %s: %w", a.Site, err)
	case !c.Broken() && after.Broken():
		err = opened(ctx, tx, a.Site, rate, now)
	case a.Outcome == pg.OutcomeOK && (c.Broken() || c.Suspects > 0):
		err = cleared(ctx, tx, a.Site, c.Broken(), now)
	}
	if err != nil || !after.Broken() || a.Outcome == "" {
		return nil, err
	}
	return &was, nil
}

// concerns says whether an answer may change the circuit. Few do, so the circuit of a site that works
// is only read, not locked.
func (c *Circuit) concerns(a Answer) bool {
	return a.Requests > 0 && (c.Broken() || a.Failed() || a.Outcome == pg.OutcomeOK && c.Suspects > 0)
}

// believed returns the outcome, or "", which says nothing of the site. An empty list of an account
// that never had rows proves nothing while lists of accounts that have some cannot be read: a page
// that lost its rows looks the same.
func (a Answer) believed(ctx context.Context, tx *gorm.DB) (outcome string, err error) {
	if !a.Blank || a.Outcome != pg.OutcomeOK {
		return a.Outcome, nil
	}
	err = tx.WithContext(ctx).Raw(`
		SELECT CASE WHEN EXISTS (SELECT FROM site_suspects s JOIN account_stats t ON t.account_id = s.account_id
			WHERE s.site = @site AND s.outcome = @unread AND t.submissions > 0) THEN '' ELSE @ok END`,
		pg.Named("site", a.Site, "unread", pg.OutcomeParseError, "ok", pg.OutcomeOK)).Scan(&outcome).Error
	if err != nil {
		return "", fmt.Errorf("failures of %s: %w", a.Site, err)
	}
	return outcome, nil
}

// CircuitOf returns a site's circuit; one that was never stored is closed.
func CircuitOf(ctx context.Context, db *gorm.DB, site string) (Circuit, error) {
	c := Circuit{Site: site, State: CircuitClosed}
	err := db.WithContext(ctx).Raw(`SELECT `+pg.Columns[Circuit]("c")+` FROM site_circuits c WHERE site = @site`,
		pg.Named("site", site)).Scan(&c).Error
	if err != nil {
		return c, fmt.Errorf("circuit of %s: %w", site, err)
	}
	return c, nil
}

// lockCircuit returns a site's circuit, locked, and stores it the first time.
func lockCircuit(ctx context.Context, tx *gorm.DB, site string) (c Circuit, err error) {
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO site_circuits AS c (site) VALUES (@site) ON CONFLICT (site) DO UPDATE SET site = EXCLUDED.site
		RETURNING `+pg.Columns[Circuit]("c"), pg.Named("site", site)).Scan(&c).Error
	if err != nil {
		return c, fmt.Errorf("lock the circuit of %s: %w", site, err)
	}
	return c, nil
}

// noteFailure stores an answer that failed, and returns all failures of the site and what the
// account was before the first of its own.
func (a Answer) noteFailure(ctx context.Context, tx *gorm.DB, was accountState, now time.Time) (f Failures, first accountState, err error) {
	if !a.Failed() {
		return f, was, nil
	}
	err = tx.WithContext(ctx).Raw(queries.Must("note_failure"),
		pg.Named("site", a.Site, "handle", a.Handle, "account", a.Account, "now", now, "outcome", a.Outcome, "emptied", a.Emptied,
			"state", was.State, "failures", was.Failures, "since", was.FailingSince, "not_found", was.NotFound)).Scan(&first).Error
	if err == nil {
		err = tx.WithContext(ctx).Raw(`
			SELECT sum(times) AS times, count(*) AS handles, count(*) FILTER (WHERE account_id = 0) AS others,
				(SELECT count(*) FROM (SELECT FROM account_schedule WHERE site = @site AND state <> 'paused' LIMIT 2) two) AS accounts
			FROM site_suspects WHERE site = @site`, pg.Named("site", a.Site)).Scan(&f).Error
	}
	if err != nil {
		return f, first, fmt.Errorf("failures of %s: %w", a.Site, err)
	}
	return f, first, nil
}

// opened takes the failures that opened the circuit back from their accounts: they were the
// site's. An account that is being finished just now is skipped and reads the circuit itself.
func opened(ctx context.Context, tx *gorm.DB, site string, rate float64, now time.Time) error {
	var ids []int64
	err := tx.WithContext(ctx).Raw(queries.Must("take_back_failures"), pg.Named("site", site)).Scan(&ids).Error
	if err == nil && len(ids) > 0 {
		_, err = plan(ctx, tx, ids, rate, now)
	}
	if err != nil {
		return fmt.Errorf("open the circuit of %s: %w", site, err)
	}
	return openAlarm(ctx, tx, Alarm{Site: site, Kind: AlarmCircuit, Message: "several handles failed one after the other with no good " +
		"answer between them, so the site is not asked; one handle is tried from time to time"}, now)
}

// cleared forgets the failures of a site.
func cleared(ctx context.Context, tx *gorm.DB, site string, broken bool, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`DELETE FROM site_suspects WHERE site = @site`, pg.Named("site", site)).Error
	if err == nil && broken {
		err = closeAlarm(ctx, tx, site, AlarmCircuit, "", now)
	}
	if err != nil {
		return fmt.Errorf("close the circuit of %s: %w", site, err)
	}
	return nil
}
