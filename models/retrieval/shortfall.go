package retrieval

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Counted is how many submissions an account has by the count of a site that lists only the newest.
type Counted struct {
	Total  int
	Days   map[time.Time]int // By the midnights of UTC.
	Oldest time.Time         // The oldest row of a list that is full, else zero.
}

// measureShortfall compares what a site counts with what is stored. A shortfall leaves the account
// incomplete from its first day on, however often it is fetched, until the rows are stored.
func measureShortfall(ctx context.Context, tx *gorm.DB, a *members.Account, reported *Counted) error {
	type day struct {
		Day string `json:"day"`
		N   int    `json:"n"`
	}
	days := []day{}
	for at, n := range reported.Days {
		days = append(days, day{at.UTC().Format(time.DateOnly), n})
	}
	text, err := json.Marshal(days)
	if err != nil {
		return err
	}
	var found struct {
		Stored, Short int
		First, Last   *time.Time
	}
	err = tx.WithContext(ctx).Raw(queries.Must("shortfall"), pg.Named("days", string(text), "id", a.ID)).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("shortfall: %w", err)
	}
	a.Missing, a.MissingFrom, a.MissingUntil = found.Short, found.First, found.Last
	if total := reported.Total - found.Stored; total > found.Short { // Some are older than the days.
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
	return nil
}

// waitFor leaves an account incomplete from the first row that cannot be stored yet.
func waitFor(a *members.Account, res *Result) {
	if res.Outcome == pg.OutcomeOK && !res.Withheld.IsZero() && a.CompleteUntil != nil && res.Withheld.Before(*a.CompleteUntil) {
		a.CompleteUntil = &res.Withheld
	}
}
