package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// AskAgain lets accounts that were claimed for a question that failed, or was never asked,
// be as if they had been asked about at a moment.
func AskAgain(ctx context.Context, db *gorm.DB, ids []int64, asked time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := db.WithContext(ctx).Exec(`
		WITH mine AS MATERIALIZED (SELECT id FROM accounts WHERE id = ANY(CAST(@ids AS bigint[])) ORDER BY id FOR NO KEY UPDATE)
		UPDATE accounts a SET probed_at = @at FROM mine WHERE a.id = mine.id`, pg.Named("ids", &ids, "at", asked)).Error
	if err != nil {
		return fmt.Errorf("ask again: %w", err)
	}
	return nil
}

// ProbeEvery is how often accounts are asked about at least that have submitted something within the
// last weeks, where nothing else tells of them: of twenty submissions nineteen are seen within a
// quarter of a day. ProbeEarly is how long ago each was known at least: more than that is not worth a question.
const (
	ProbeEvery = 6 * time.Hour
	ProbeEarly = ProbeEvery / 3
)

// A ProbeClaim is what a question about many accounts of a site should be like.
type ProbeClaim struct {
	Site  string
	Every time.Duration // How often each is asked about at least.
	Early time.Duration // Who has waited for so long comes along,
	Full  int           // and nobody waits for longer where so many have; 0: for everybody's Every.
	Limit int
}

// ClaimProbe returns at most c.Limit accounts of a site that were read completely and
// were not asked about for long; none where all were, or where the site
// is not asked now. They are asked about together as soon as c.Full
// have waited for c.Early, or one of them for c.Every. Other claims pass them
// over from then on: who dies before FinishProbe costs one round.
func ClaimProbe(ctx context.Context, db *gorm.DB, c ProbeClaim, now time.Time) (accounts []Account, err error) {
	err = db.WithContext(ctx).Raw(`
		WITH waiting AS MATERIALIZED (
			SELECT id, probed_at FROM accounts
			WHERE site = @site AND state = 'active' AND requested_at IS NULL AND last_retrieved_at IS NOT NULL AND probed_at <= @soon
				AND failures = 0 AND CASE WHEN missing = 0 THEN complete_until ELSE last_retrieved_at END <= @soon AND (leased_until IS NULL OR leased_until <= @now)
				AND NOT EXISTS (SELECT FROM turns WHERE key = 'source:' || @site AND next_at > @closed) AND NOT EXISTS (`+heldSites+` INTERSECT SELECT @site)
			ORDER BY probed_at, id LIMIT @limit),
		mine AS MATERIALIZED ( -- Locked when it is time only.
			SELECT a.id FROM accounts a JOIN waiting USING (id)
			WHERE a.probed_at <= @soon AND (SELECT min(probed_at) <= @due OR @full > 0 AND count(*) >= @full FROM waiting)
			FOR UPDATE OF a SKIP LOCKED)
		UPDATE accounts a SET probed_at = @now FROM mine WHERE a.id = mine.id
		RETURNING a.*`,
		pg.Named("site", c.Site, "now", now, "due", now.Add(-c.Every), "soon", now.Add(-c.Early), "full", c.Full, "closed", now.Add(closedFor), "limit", c.Limit)).Scan(&accounts).Error
	if err != nil {
		return nil, fmt.Errorf("claim a probe of %s: %w", c.Site, err)
	}
	return accounts, nil
}
