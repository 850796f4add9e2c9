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
	AlarmEmptied    = "emptied"    // A list is empty that had rows.
	AlarmVerdict    = "verdict"    // A verdict that is stored as OTH.
	AlarmLanguage   = "language"   // A language never seen on the site before.
	AlarmUnreadable = "unreadable" // Too many answers could not be read.
	AlarmCanary     = "canary"     // A known history is not what it was.
)

// An Alarm is something about a site that an admin must look at, from when it began until it ended.
type Alarm struct {
	ID       int64
	Site     string
	Kind     string
	Subject  string // A handle, a verdict, a language; "" if it is the site.
	Message  string
	Times    int
	OpenedAt time.Time
	LastAt   time.Time
	ClosedAt *time.Time
}

// openAlarm opens an alarm, or counts it once more if it is open.
func openAlarm(ctx context.Context, tx *gorm.DB, a Alarm, now time.Time) error {
	err := tx.WithContext(ctx).Exec(queries.Must("open_alarm"), pg.Named("site", a.Site, "kind", a.Kind, "subject", pg.CleanText(a.Subject),
		"message", pg.CleanText(a.Message), "now", now, "due", now.Add(notices.Delay))).Error
	if err != nil {
		return fmt.Errorf("alarm %s of %s: %w", a.Kind, a.Site, err)
	}
	return nil
}

// closeAlarm closes an alarm if it is open.
func closeAlarm(ctx context.Context, tx *gorm.DB, site, kind, subject string, now time.Time) error {
	err := tx.WithContext(ctx).Exec(`
		UPDATE site_alarms SET closed_at = @now WHERE site = @site AND kind = @kind AND subject = @subject AND closed_at IS NULL`,
		pg.Named("site", site, "kind", kind, "subject", pg.CleanText(subject), "now", now)).Error
	if err != nil {
		return fmt.Errorf("close alarm %s of %s: %w", kind, site, err)
	}
	return nil
}

// verifyEmpty makes a parse_error of a complete fetch that shows none of an account's rows: a changed
// page must not pass for an idle member. It closes the alarm when rows are seen again.
func verifyEmpty(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, now time.Time) error {
	switch {
	case res.Outcome != pg.OutcomeOK || res.Requests == 0:
		return nil
	case res.Emptied:
		return verifyEmptied(ctx, tx, a, res, now)
	case res.Blank: // Of an account that never had rows: no proof while others lack theirs.
		var emptied bool
		err := tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM site_suspects WHERE site = @site AND emptied)`,
			pg.Named("site", a.Site)).Scan(&emptied).Error
		if err == nil && emptied {
			res.Outcome = pg.OutcomeParseError
			res.Message = "the site shows nothing of others who had submissions, so an empty list is not believed"
		}
		return err
	case a.Message == "": // The usual case: no alarm is open.
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
	message := fmt.Sprintf("the site shows none of the %d submissions that it showed before; they are still stored", a.Submissions)
	if since != nil && !since.Add(confirmFor).After(now) {
		res.Message = message
		return nil
	}
	res.Outcome, res.Message = pg.OutcomeParseError, message
	return openAlarm(ctx, tx, Alarm{Site: a.Site, Kind: AlarmEmptied, Subject: a.Handle, Message: message}, now)
}

// noteTerms counts verdicts without a status of ours, and languages of new rows, that nobody has
// acknowledged, and opens an alarm for each.
func noteTerms(ctx context.Context, tx *gorm.DB, a *members.Account, counts string, now time.Time) error {
	if counts == "" {
		return nil
	}
	var unknown []struct{ Kind, Term string }
	err := tx.WithContext(ctx).Raw(queries.Must("note_terms"),
		pg.Named("site", a.Site, "counts", counts, "now", now, "learned", now.Add(-learnFor), "handle", a.Handle)).Scan(&unknown).Error
	if err != nil {
		return fmt.Errorf("terms of %s: %w", a.Site, err)
	}
	for _, t := range unknown { // Hardly ever one.
		if err := openAlarm(ctx, tx, Alarm{Site: a.Site, Kind: t.Kind, Subject: t.Term, Message: termMessages[t.Kind]}, now); err != nil {
			return err
		}
	}
	return nil
}

var termMessages = map[string]string{
	AlarmVerdict:  "a verdict without a status of ours; its submissions are stored as OTH, with the site's own verdict",
	AlarmLanguage: "a language never seen on this site before; it is stored as it is",
}
