package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A suspect is a handle whose fetch failed since the site's last good answer, and
// what its account was before.
type suspect struct {
	State        string
	Failures     int
	FailingSince *time.Time
	NotFound     int
}

// judgeFailure lets the site's circuit see how a fetch of an account ended. Where the
// failure is the site's it returns what the account was before, and else nil. It
// is called under the account's lock: accounts are always locked before circuits.
// The usual case, all well before and after, is one read by key.
func judgeFailure(ctx context.Context, tx *gorm.DB, a *members.Account, res Result, rate float64, now time.Time) (*suspect, error) {
	if res.Requests == 0 { // Nobody was asked.
		return nil, nil
	}
	answer := Answer{Site: a.Site, Handle: a.Handle, Account: a.ID, Outcome: res.Outcome, Message: res.Message,
		Known: a.LastRetrievedAt != nil, Emptied: res.Emptied, Blank: res.Blank, RetryAt: res.RetryAt}
	return judge(ctx, tx, answer, suspect{a.State, a.Failures, a.FailingSince, a.NotFound}, rate, now)
}

// A bulkAnswer is how a question about many accounts at once ended.
type bulkAnswer struct {
	site, outcome, message string
	requests, rows         int // Rows that were new.
}

// finish lets the site's circuit see the answer, and counts it for the site's health. A
// failure is one suspicious answer, of no account. A good one says nothing of the lists, so
// it neither closes the circuit nor clears anybody.
func (b bulkAnswer) finish(ctx context.Context, tx *gorm.DB, rate float64, now time.Time) error {
	if b.requests > 0 && b.outcome != pg.OutcomeOK {
		if _, err := judge(ctx, tx, Answer{Site: b.site, Outcome: b.outcome, Message: b.message}, suspect{}, rate, now); err != nil {
			return err
		}
	}
	return requestCount{site: b.site, outcome: b.outcome, message: pg.CleanText(b.message),
		requests: b.requests, rows: b.rows}.store(ctx, tx, now)
}

// A requestCount is what the health of a site counts of requests.
type requestCount struct {
	site, outcome, message     string
	retrievals, requests, rows int
}

// store adds it to the hour, unless nothing was asked: that says nothing of the site. It comes
// last in a transaction, for all fetches of a site count in one row.
func (c requestCount) store(ctx context.Context, tx *gorm.DB, now time.Time) error {
	return tx.WithContext(ctx).Exec(queries.Must("count_requests"), pg.Named("site", c.site, "outcome", c.outcome, "message", c.message,
		"retrievals", c.retrievals, "requests", c.requests, "rows", c.rows, "now", now)).Error
}

// judge lets the site's circuit see an answer. Where its failure is the site's, it returns
// what the account was before.
func judge(ctx context.Context, tx *gorm.DB, answer Answer, was suspect, rate float64, now time.Time) (*suspect, error) {
	c, err := CircuitOf(ctx, tx, answer.Site)
	if err != nil || !c.concerns(answer) {
		return nil, err
	}
	if answer.Outcome, err = believed(ctx, tx, answer); err != nil {
		return nil, err
	}
	if c, err = lockCircuit(ctx, tx, answer.Site); err != nil {
		return nil, err
	}
	s, was, err := suspected(ctx, tx, answer, was, now)
	if err != nil {
		return nil, err
	}
	after := c.After(answer, s, rate, now)
	if err := storeCircuit(ctx, tx, &after); err != nil {
		return nil, err
	}
	switch {
	case !c.Broken() && after.Broken():
		err = opened(ctx, tx, &after, rate, now)
	case answer.Outcome == pg.OutcomeOK && (c.Broken() || c.Suspects > 0):
		err = cleared(ctx, tx, answer.Site, c.Broken(), now)
	}
	if err != nil || !after.Broken() || answer.Outcome == "" {
		return nil, err
	}
	return &was, nil
}

// concerns says whether an answer may change the circuit. Hardly any does: a good one of a
// site of which nobody failed is not even locked.
func (c *Circuit) concerns(a Answer) bool {
	return c.Broken() || a.Failed() || a.Outcome == pg.OutcomeOK && c.Suspects > 0
}

// believed returns the outcome of an answer, or "", which says nothing of the site, for the
// empty list of one who never had rows while lists of others who have some cannot be read:
// a page that lost its rows looks like that for somebody new.
func believed(ctx context.Context, tx *gorm.DB, a Answer) (outcome string, err error) {
	if !a.Blank || a.Outcome != pg.OutcomeOK {
		return a.Outcome, nil
	}
	var unread bool
	err = tx.WithContext(ctx).Raw(`
		SELECT EXISTS (SELECT FROM site_suspects s JOIN account_stats t ON t.account_id = s.account_id
			WHERE s.site = @site AND s.outcome = @unread AND t.submissions > 0)`,
		pg.Named("site", a.Site, "unread", pg.OutcomeParseError)).Scan(&unread).Error
	if err != nil {
		return "", fmt.Errorf("suspects of %s: %w", a.Site, err)
	}
	if unread {
		return "", nil
	}
	return a.Outcome, nil
}

// CircuitOf returns a site's circuit; one that nobody ever wrote is closed.
func CircuitOf(ctx context.Context, db *gorm.DB, site string) (Circuit, error) {
	c := Circuit{Site: site, State: CircuitClosed}
	err := db.WithContext(ctx).Raw(`SELECT `+pg.Columns[Circuit]("c")+` FROM site_circuits c WHERE site = @site`,
		pg.Named("site", site)).Scan(&c).Error
	if err != nil {
		return c, fmt.Errorf("circuit of %s: %w", site, err)
	}
	return c, nil
}

// lockCircuit returns a site's circuit, locked, and writes the first row of it.
func lockCircuit(ctx context.Context, tx *gorm.DB, site string) (c Circuit, err error) {
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO site_circuits AS c (site) VALUES (@site) ON CONFLICT (site) DO UPDATE SET site = EXCLUDED.site
		RETURNING `+pg.Columns[Circuit]("c"), pg.Named("site", site)).Scan(&c).Error
	if err != nil {
		return c, fmt.Errorf("lock the circuit of %s: %w", site, err)
	}
	return c, nil
}

// suspected notes an answer that is a failure, and counts what speaks against the site. A handle that failed
// before keeps what its account was before the first time.
func suspected(ctx context.Context, tx *gorm.DB, a Answer, was suspect, now time.Time) (s Failures, first suspect, err error) {
	if !a.Failed() {
		return s, was, nil
	}
	err = tx.WithContext(ctx).Raw(queries.Must("note_failure"),
		pg.Named("site", a.Site, "handle", a.Handle, "account", a.Account, "now", now, "outcome", a.Outcome, "emptied", a.Emptied,
			"state", was.State, "failures", was.Failures, "since", was.FailingSince, "not_found", was.NotFound)).Scan(&first).Error
	if err == nil {
		err = tx.WithContext(ctx).Raw(`
			SELECT sum(times) AS failures, count(*) AS handles, count(*) FILTER (WHERE account_id = 0) AS others,
				(SELECT count(*) FROM (SELECT FROM account_schedule WHERE site = @site AND state <> 'paused' LIMIT 2) two) AS accounts
			FROM site_suspects WHERE site = @site`, pg.Named("site", a.Site)).Scan(&s).Error
	}
	if err != nil {
		return s, first, fmt.Errorf("suspects of %s: %w", a.Site, err)
	}
	return s, first, nil
}

func storeCircuit(ctx context.Context, tx *gorm.DB, c *Circuit) error {
	_, err := gorm.G[Circuit](tx).Table("site_circuits").Where("site = ?", c.Site).
		Select("state", "suspects", "opened_at", "answered_at", "outcome", "message", "tries", "next_try_at", "trial_account",
			"trial_until").Updates(ctx, *c)
	if err != nil {
		return fmt.Errorf("circuit of %s: %w", c.Site, err)
	}
	return nil
}

// opened gives the accounts whose failures opened the circuit back what they
// were: the failures were the site's. One that somebody is settling right now
// learns of the circuit by itself.
func opened(ctx context.Context, tx *gorm.DB, c *Circuit, rate float64, now time.Time) error {
	var ids []int64
	err := tx.WithContext(ctx).Raw(queries.Must("take_back_failures"), pg.Named("site", c.Site)).Scan(&ids).Error
	if err == nil && len(ids) > 0 {
		_, err = plan(ctx, tx, ids, rate, now)
	}
	if err != nil {
		return fmt.Errorf("open the circuit of %s: %w", c.Site, err)
	}
	return openAlarm(ctx, tx, Alarm{Site: c.Site, Kind: AlarmCircuit, Message: "several handles failed one after the other with no good " +
		"answer between them, so the site is not asked; one handle is tried from time to time"}, now)
}

// cleared forgets what spoke against the site.
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
