package submissions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

// A Found submission is one row of a site's list, or one that a member brings, before it is stored.
type Found struct {
	ID          string    `json:"id"` // The site's own.
	At          time.Time `json:"at"`
	ProblemKey  string    `json:"problem_key"`
	ProblemName string    `json:"problem_name"` // "" where the list does not tell it.
	ProblemURL  string    `json:"problem_url"`
	Status      string    `json:"status"`
	Verdict     string    `json:"verdict"`
	Language    string    `json:"language"`
	Points      *float64  `json:"points"`
	URL         string    `json:"url"`
	ToMinute    bool      `json:"to_minute"` // The site tells no seconds; At is the beginning of the minute.
	About       bool      `json:"-"`         // At may be half an hour off: what is stored of the row is better.
	Expected    bool      `json:"expected"`  // Not a verdict that the site's reader does not know.
	FinalAt     time.Time `json:"-"`         // Until then its verdict may change; zero: it will not.
	Formerly    string    `json:"formerly"`  // The ID while the site showed no number of it; "" where it always does.
}

// An Origin is the account that rows are of, and who shows them.
type Origin struct {
	AccountID, MemberID int64
	Site, Source        string
}

// Stored says what rows changed.
type Stored struct {
	Inserted, Revised int
	First             *time.Time // The first moment whose day changed; nil where none did.
	IDs, Terms        string     // As JSON; "" for none.
}

// Encode writes rows as StoreProblems and Store want them.
func Encode(rows []Found) (string, error) {
	text, err := json.Marshal(rows)
	if err == nil {
		text, err = withoutNUL(text, rows)
	}
	return string(text), err
}

// withoutNUL returns the rows' JSON without the one character that PostgreSQL
// cannot store. Hardly any page has one, so most are only searched for it.
func withoutNUL(text []byte, rows []Found) ([]byte, error) {
	if !bytes.Contains(text, []byte(`\u0000`)) {
		return text, nil
	}
	rows = slices.Clone(rows)
	for i := range rows {
		f := &rows[i]
		for _, s := range []*string{&f.ID, &f.ProblemKey, &f.ProblemName, &f.ProblemURL, &f.Status, &f.Verdict, &f.Language, &f.URL,
			&f.Formerly} {
			*s = strings.ReplaceAll(*s, "\x00", "")
		}
	}
	return json.Marshal(rows)
}

// StoreProblems stores the problems of rows, which comes first.
func StoreProblems(ctx context.Context, tx *gorm.DB, of Origin, rows string) error {
	err := tx.WithContext(ctx).Exec(queries.Must("store_problems"), pg.Named("rows", rows, "site", of.Site, "source", of.Source)).Error
	if err != nil {
		return fmt.Errorf("problems: %w", err)
	}
	return nil
}

// Store stores rows, revises those that are there already where they differ, and tells of both
// as events. Rows are told by their account and the site's id. What a member brings never
// changes what the site showed.
func Store(ctx context.Context, tx *gorm.DB, of Origin, rows string, now time.Time) (s Stored, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("store_rows"), pg.Named("rows", rows, "site", of.Site, "account", of.AccountID,
		"member", of.MemberID, "source", of.Source, "now", now)).Scan(&s).Error
	if err != nil {
		return s, fmt.Errorf("submissions: %w", err)
	}
	return s, EmitSubmissions(ctx, tx, of.MemberID, s.IDs, now)
}
