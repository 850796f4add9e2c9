package modelstest

import (
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/profiles"
	"laurel/models/retrieval"
	"laurel/models/submissions"
)

// Profile returns a member's profile with all its days.
func Profile(t testing.TB, db *gorm.DB, name string) profiles.Profile {
	t.Helper()
	p, err := profiles.Of(t.Context(), db, name, time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Days returns the days of a profile as text: 2026-11-21 3/1 is three submissions, one accepted.
func Days(p profiles.Profile) []string {
	out := []string{}
	for _, d := range p.Days {
		out = append(out, dayText(d))
	}
	return out
}

func dayText(d submissions.Day) string {
	return fmt.Sprintf("%s %d/%d", d.Day.Format(time.DateOnly), d.Submissions, d.Accepted)
}

// Stored returns a member's rows by the site's id.
func Stored(t testing.TB, db *gorm.DB, memberID int64) map[string]submissions.Submission {
	t.Helper()
	page, err := submissions.Of(t.Context(), db, submissions.Filter{MemberID: memberID}, pg.Cursor{}, false, 1000)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]submissions.Submission{}
	for _, s := range page.Items {
		rows[s.SiteID] = s
	}
	return rows
}

// Seen is a submission as a site shows it.
type Seen struct {
	retrieval.Found
	Site  string
	Order int // Of arrival: ties in time go by it.
}
