// Package retrieval decides when an account is fetched, hands it to a worker and
// stores what the worker found.
package retrieval

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/notices"
)

// Kinds of alarms of a site.
const (
	AlarmCircuit    = "circuit"    // Several handles failed: the site is not asked.
	AlarmEmptied    = "emptied"    // A handle's list shows none of its rows any more.
	AlarmVerdict    = "verdict"    // A verdict that is stored as OTH.
	AlarmLanguage   = "language"   // A language never seen on the site before.
	AlarmUnreadable = "unreadable" // A good part of the answers could not be read.
	AlarmCanary     = "canary"     // A known history is not what it was.
)

// An Alarm is something amiss with a site, from when it began until it ended.
type Alarm struct {
	ID       int64
	Site     string
	Kind     string
	Subject  string // A handle, a verdict, a language; "" where it is the site.
	Message  string
	Times    int
	OpenedAt time.Time
	LastAt   time.Time
	ClosedAt *time.Time
}

// openAlarm opens an alarm of a site's kind and subject, or counts it once more where it is
// open.
func openAlarm(ctx context.Context, tx *gorm.DB, a Alarm, now time.Time) error {
	err := tx.WithContext(ctx).Exec(queries.Must("open_alarm"), pg.Named("site", a.Site, "kind", a.Kind, "subject", pg.CleanText(a.Subject),
		"message", pg.CleanText(a.Message), "now", now, "due", now.Add(notices.Delay))).Error
	if err != nil {
		return fmt.Errorf("alarm %s of %s: %w", a.Kind, a.Site, err)
	}
	return nil
}

// closeAlarm ends an alarm that is open.
func closeAlarm(ctx context.Context, tx *gorm.DB, site, kind, subject string, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE site_alarms SET closed_at = @now WHERE site = @site AND kind = @kind AND subject = @subject AND closed_at IS NULL`,
		pg.Named("site", site, "kind", kind, "subject", pg.CleanText(subject), "now", now)).Error
	if err != nil {
		return fmt.Errorf("close alarm %s of %s: %w", kind, site, err)
	}
	return nil
}

// verifyEmpty turns a complete fetch that shows none of an account's rows into one
// that was not understood: a changed page must not look like an idle member. It
// closes the alarm when rows are seen again.
func verifyEmpty(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, now time.Time) error {
	switch {
	case res.Outcome != pg.OutcomeOK || res.Requests == 0:
		return nil
	case res.Emptied:
		return verifyEmptied(ctx, tx, a, res, now)
	case res.Blank: // Of an account that never had rows: no proof while others lack theirs.
		var hollow bool
		err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM site_suspects WHERE site = @site AND emptied)`,
			pg.Named("site", a.Site)).Scan(&hollow).Error
		if err == nil && hollow {
			res.Outcome = pg.OutcomeParseError
			res.Message = "the site shows nothing of others who had submissions, so an empty list is not believed"
		}
		return err
	case a.Message == "": // The usual case: nothing was amiss.
		return nil
	}
	return closeAlarm(ctx, tx, a.Site, AlarmEmptied, a.Handle, now)
}

func verifyEmptied(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, now time.Time) error {
	var since *time.Time
	err := tx.WithContext(ctx).Raw(`
		SELECT opened_at FROM site_alarms WHERE site = @site AND kind = 'emptied' AND subject = @handle AND closed_at IS NULL
			AND site NOT IN (SELECT site FROM suspended_sites)`, pg.Named("site", a.Site, "handle", a.Handle)).Scan(&since).Error
	if err != nil {
		return fmt.Errorf("was %s emptied: %w", a, err)
	}
	message := fmt.Sprintf("the site shows none of the %d submissions that it showed before; they are kept", a.Submissions)
	if since != nil && !since.Add(confirmFor).After(now) {
		res.Message = message
		return nil
	}
	res.Outcome, res.Message = pg.OutcomeParseError, message
	return openAlarm(ctx, tx, Alarm{Site: a.Site, Kind: AlarmEmptied, Subject: a.Handle, Message: message}, now)
}

// noteTerms counts verdicts that have no status of ours and languages of new
// rows, unless they are known, and opens an alarm for each that is new.
func noteTerms(ctx context.Context, tx *gorm.DB, a *members.Account, counts string, now time.Time) error {
	if counts == "" {
		return nil
	}
	var fresh []struct{ Kind, Term string }
	err := tx.WithContext(ctx).Raw(queries.Must("note_terms"),
		pg.Named("site", a.Site, "counts", counts, "now", now, "learnt", now.Add(-learnFor), "handle", a.Handle)).Scan(&fresh).Error
	if err != nil {
		return fmt.Errorf("terms of %s: %w", a.Site, err)
	}
	for _, t := range fresh { // Hardly ever one.
		if err := openAlarm(ctx, tx, Alarm{Site: a.Site, Kind: t.Kind, Subject: t.Term, Message: termMessages[t.Kind]}, now); err != nil {
			return err
		}
	}
	return nil
}

var termMessages = map[string]string{
	AlarmVerdict:  "a verdict without a status of ours; its submissions are stored as OTH, with the site's word",
	AlarmLanguage: "a language never seen on this site before; it is stored as it is",
}
