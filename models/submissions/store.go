package submissions

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// Who showed a row.
const (
	SourceSite   = "site"
	SourceMember = "member" // Who brought it: see models/pushes.
)

// UnknownTime stands for a moment that nobody knows, as in a list of solved problems. It is one
// moment, so that bringing such a list again changes nothing, and it lies before all that is
// known, so that it fills no day of the year and makes no streak longer.
var UnknownTime = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

// A Found submission is one row of a site's list, or one that a member brings, before it is stored.
type Found struct {
	ID          string    `json:"id"` // The site's own.
	At          time.Time `json:"at"`
	ProblemKey  string    `json:"problem_key"`
	ProblemName string    `json:"problem_name"` // "" if the list does not show it.
	ProblemURL  string    `json:"problem_url"`
	Status      string    `json:"status"`
	Verdict     string    `json:"verdict"`
	Language    string    `json:"language"`
	Points      *float64  `json:"points"`
	URL         string    `json:"url"`
	ToMinute    bool      `json:"to_minute"` // The site shows no seconds; At is the beginning of the minute.
	About       bool      `json:"-"`         // At may be half an hour off, so a stored time is better.
	Expected    bool      `json:"expected"`  // The site's reader knows the verdict.
	FinalAt     time.Time `json:"-"`         // Until then the verdict may change; zero: it will not.
	Formerly    string    `json:"formerly"`  // The ID while the site showed no number; "" if it always does.

	Difficulty    *int     `json:"difficulty"` // Of the problem; nil: the list tells none.
	Tags          []string `json:"tags"`       // Of the problem, in order.
	Contest       string   `json:"contest"`    // The site's own key of the contest; "" for none.
	ContestName   string   `json:"contest_name"`
	ContestURL    string   `json:"contest_url"`
	Participation string   `json:"participation"` // contest, virtual, practice or unknown; "": the contest's times will tell.
}

// An Origin is the account that rows are of, and who shows them.
type Origin struct {
	AccountID, MemberID int64
	Site, Source        string
	// ShownAt is when the rows were shown, where they are read again; zero: now. What a newer
	// answer showed stays.
	ShownAt time.Time
}

// Stored says what rows changed.
type Stored struct {
	Inserted, Revised int
	First             *time.Time // The first moment whose day changed; nil where none did.
	IDs, Terms        string     // As JSON; "" for none.
}

// withoutNUL removes from JSON the one character that PostgreSQL cannot store. The first pair
// passes over escaped backslashes.
var withoutNUL = strings.NewReplacer(`\\`, `\\`, `\u0000`, ``)

// Encode writes rows as statements read them: []Found, or structs with more fields.
func Encode(rows any) (string, error) {
	text, err := json.Marshal(rows)
	return withoutNUL.Replace(string(text)), err
}

// StoreProblems stores the problems of rows, which comes first, and their contests.
func StoreProblems(ctx context.Context, tx *gorm.DB, of Origin, rows string) error {
	err := tx.WithContext(ctx).Exec(queries.Must("store_problems"), pg.Named("rows", rows, "site", of.Site, "source", of.Source,
		"again", !of.ShownAt.IsZero())).Error
	if err != nil {
		return fmt.Errorf("problems: %w", err)
	}
	if strings.Count(rows, `"contest":""`) == strings.Count(rows, `"contest":"`) {
		return nil // Most sites name none.
	}
	err = tx.WithContext(ctx).Exec(queries.Must("store_contests"), pg.Named("rows", rows, "site", of.Site)).Error
	if err != nil {
		return fmt.Errorf("contests: %w", err)
	}
	return nil
}

// Store stores rows, revises those that are stored already where they differ, and emits both as
// events. A row is identified by its account and the site's id. What a member brings never changes
// what the site showed.
func Store(ctx context.Context, tx *gorm.DB, of Origin, rows string, now time.Time) (s Stored, err error) {
	again, at := !of.ShownAt.IsZero(), now
	if again {
		at = of.ShownAt
	}
	err = tx.WithContext(ctx).Raw(queries.Must("store_rows"), pg.Named("rows", rows, "site", of.Site, "account", of.AccountID,
		"member", of.MemberID, "source", of.Source, "now", at, "again", again)).Scan(&s).Error
	if err != nil {
		return s, fmt.Errorf("submissions: %w", err)
	}
	return s, EmitSubmissions(ctx, tx, of.MemberID, s.IDs, now)
}
