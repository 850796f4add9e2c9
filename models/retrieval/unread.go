package retrieval

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// An Unread row is one of a list that could not be understood.
type Unread struct {
	Key   string     `json:"key"` // The site's own number; else '#' and a hash of the text.
	Text  string     `json:"text"`
	Why   string     `json:"why"`
	Since *time.Time `json:"since"` // It was not made before; nil: nobody knows.
}

// unreadTexts is of how many unread rows of an account the text is kept.
const unreadTexts = 1000

// storeUnread notes the rows of a page that could not be read, and forgets those that were
// unread and are among its rows now.
func storeUnread(ctx context.Context, tx *gorm.DB, account int64, rows []Found, unread []Unread, at time.Time) error {
	if len(rows) > 0 {
		err := tx.WithContext(ctx).Exec(`DELETE FROM unread_rows WHERE account_id = @id AND key = ANY(CAST(@keys AS text[]))`,
			pg.Named("id", account, "keys", pg.Column(rows, func(f *Found) string { return pg.CleanText(f.ID) }))).Error
		if err != nil {
			return fmt.Errorf("rows that can be read now: %w", err)
		}
	}
	_, err := insertUnread(ctx, tx, account, unread, at)
	return err
}

// insertUnread stores unread rows, and returns how many were not known.
func insertUnread(ctx context.Context, tx *gorm.DB, account int64, unread []Unread, at time.Time) (added int, err error) {
	if len(unread) == 0 {
		return 0, nil
	}
	for i := range unread {
		u := &unread[i]
		u.Key, u.Text, u.Why = pg.CleanText(u.Key), pg.CleanText(u.Text), pg.CleanText(u.Why)
	}
	text, err := json.Marshal(unread)
	if err != nil {
		return 0, err
	}
	err = tx.WithContext(ctx).Raw(queries.Must("store_unread"), pg.Named("id", account, "rows", string(text), "at", at,
		"texts", unreadTexts)).Scan(&added).Error
	if err != nil {
		return 0, fmt.Errorf("unread rows: %w", err)
	}
	return added, nil
}

// settleUnread ends a fetch. What it went over and did not show as unread any more was read or is
// no longer listed. An account with unread rows is complete only until the first of them.
func settleUnread(ctx context.Context, tx *gorm.DB, a *members.Account, d *Due, res *Result) error {
	if res.Outcome == pg.OutcomeOK && !res.Blank {
		began, from := d.StartedAt, d.CoveredAt
		if d.AuditAt != nil {
			began, from = d.AuditAt, nil
		}
		err := tx.WithContext(ctx).Exec(`
			DELETE FROM unread_rows WHERE account_id = @id AND last_seen_at < @began
				AND (CAST(@from AS timestamptz) IS NULL AND @cursor = '' OR since >= @from)`,
			pg.Named("id", a.ID, "began", began, "from", from, "cursor", wholeFrom(d))).Error
		if err != nil {
			return fmt.Errorf("unread rows that are read: %w", err)
		}
	}
	since, err := countUnread(ctx, tx, a)
	if err != nil || res.Outcome != pg.OutcomeOK || a.Unread == 0 {
		return err
	}
	if a.CompleteUntil != nil && (since == nil || since.Before(*a.CompleteUntil)) {
		a.CompleteUntil = since
	}
	return nil
}

// wholeFrom is where a fetch of all there is began: "" at the beginning. A whole reading that was
// interrupted counts from where it first began.
func wholeFrom(d *Due) string {
	if d.AuditAt != nil {
		return ""
	}
	return d.Cursor
}

// countUnread counts the unread rows of an account, and returns since when there are some; nil
// where one may be of any time.
func countUnread(ctx context.Context, tx *gorm.DB, a *members.Account) (*time.Time, error) {
	var found struct {
		N     int
		Since *time.Time
	}
	err := tx.WithContext(ctx).Raw(`
		WITH counted AS (
			SELECT count(*) AS n, CASE WHEN bool_and(since IS NOT NULL) THEN min(since) END AS since
			FROM unread_rows WHERE account_id = @id),
		noted AS (
			UPDATE account_coverage c SET unread = n FROM counted WHERE c.account_id = @id AND c.unread <> n)
		SELECT n, since FROM counted`, pg.Named("id", a.ID)).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("count unread rows: %w", err)
	}
	a.Unread = found.N
	return found.Since, nil
}

// An UnreadRow is one as admins see it, with whose it is.
type UnreadRow struct {
	Member, Site, Handle    string
	Key, Text, Why          string
	FirstSeenAt, LastSeenAt time.Time
	Of                      int // How many the site has.
}

// Number is the site's own number of the row; "" where that could not be read either.
func (u *UnreadRow) Number() string {
	if strings.HasPrefix(u.Key, "#") {
		return ""
	}
	return u.Key
}

// UnreadRows returns the newest unread rows of each site, at most so many.
func UnreadRows(ctx context.Context, db *gorm.DB, most int) (rows []UnreadRow, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("unread_rows"), pg.Named("most", most)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("unread rows: %w", err)
	}
	return rows, nil
}
