package retrieval

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// Counted is what an account has by the count of a site that lists only the newest submissions.
type Counted struct {
	Total  int
	Solved int
	Days   map[time.Time]int // By the midnights of UTC.
	Whole  bool              // Days are all that there are; else those before the first may have some.
	Oldest time.Time         // The oldest row of a list that is full, else zero.
}

// days are the counts by day as JSON.
func (c *Counted) days() (string, error) {
	type day struct {
		Day string `json:"day"`
		N   int    `json:"n"`
	}
	days := []day{}
	for at, n := range c.Days {
		days = append(days, day{at.UTC().Format(time.DateOnly), n})
	}
	text, err := json.Marshal(days)
	return string(text), err
}

// measureShortfall stores what a site counts and compares it with the rows that are stored. A
// shortfall leaves the account incomplete from its first day on, however often it is fetched, until
// the rows are stored.
func measureShortfall(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, now time.Time) error {
	if err := storeDays(ctx, tx, a, res, now); err != nil {
		return err
	}
	found, err := submissions.MeasureShortfall(ctx, tx, a.ID, res.Reported.Whole || len(res.Reported.Days) > 0)
	if err != nil {
		return err
	}
	was := a.Missing
	res.explained = found.Stored + found.Short
	a.Missing, a.MissingFrom, a.MissingUntil = found.Short, found.First, found.Last
	if total := res.Reported.Total - found.Stored; total > found.Short { // Some are older than the days.
		a.Missing, a.MissingFrom = total, nil
	}
	a.Missing = min(a.Missing, 1_000_000_000) // A site may claim anything.
	switch {
	case a.Missing == 0:
	case a.MissingFrom == nil:
		a.CompleteUntil = nil
	case a.CompleteUntil.After(*a.MissingFrom):
		a.CompleteUntil = a.MissingFrom
	}
	return storeTotals(ctx, tx, a, res, was)
}

// storeDays stores what the site counts by day. The member's sums are due again from the first
// day that changed.
func storeDays(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, now time.Time) error {
	days, err := res.Reported.days()
	if err != nil {
		return err
	}
	var from sql.NullTime
	err = tx.WithContext(ctx).Raw(queries.Must("store_reported_days"), pg.Named("days", days, "whole", res.Reported.Whole,
		"id", a.ID, "now", now)).Row().Scan(&from)
	if err != nil {
		return fmt.Errorf("reported days: %w", err)
	}
	if from.Valid && (a.PendingFrom == nil || from.Time.Before(*a.PendingFrom)) {
		a.PendingFrom, res.changed = &from.Time, true
	}
	return nil
}

// storeTotals stores how much the site counts; was is how many submissions were missing before.
func storeTotals(ctx context.Context, tx *gorm.DB, a *members.Account, res *Result, was int) error {
	total, solved := res.Reported.Total, res.Reported.Solved
	res.unsolved = a.ReportedSolved != nil && *a.ReportedSolved > solved
	if was == a.Missing && same(a.ReportedSubmissions, total) && same(a.ReportedSolved, solved) {
		return nil
	}
	a.ReportedSubmissions, a.ReportedSolved = &total, &solved
	err := tx.WithContext(ctx).Exec(`
		UPDATE account_coverage SET missing = @missing, reported_submissions = @total, reported_solved = @solved
		WHERE account_id = @id`, pg.Named("missing", a.Missing, "total", total, "solved", solved, "id", a.ID)).Error
	if err == nil && a.PendingFrom == nil { // Else the totals are counted with the days.
		res.changed = true
		err = submissions.RefreshTotals(ctx, tx, a.MemberID)
	}
	return err
}

func same(n *int, to int) bool { return n != nil && *n == to }

// waitFor leaves an account incomplete from the first row that cannot be stored yet.
func waitFor(a *members.Account, res *Result) {
	if res.Outcome == pg.OutcomeOK && !res.Withheld.IsZero() && a.CompleteUntil != nil && res.Withheld.Before(*a.CompleteUntil) {
		a.CompleteUntil = &res.Withheld
	}
}
