package sites

import (
	"encoding/json"
	"testing"
	"time"
)

// A goldenRow is what another crawler once read of a real account, live. No page
// of these sites was kept, so tests put the rows back into pages of their formats.
type goldenRow struct {
	Time   string `json:"time_ist"`
	Link   string `json:"problem_link"`
	Name   string `json:"problem_name"`
	Status string
	Points json.RawMessage // 0 also where the site told none.
	Lang   string
	View   string `json:"view_link"`
}

// at reads the time, which is that of a clock in India.
func (r goldenRow) at(t *testing.T) time.Time {
	t.Helper()
	india, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.ParseInLocation(time.DateTime, r.Time, india)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

// golden returns the rows of a site, oldest first.
func golden(t *testing.T, site string) []goldenRow {
	t.Helper()
	var all map[string][]goldenRow
	if err := json.Unmarshal([]byte(recorded(t, "golden_stopstalk/submissions_expected.json")), &all); err != nil {
		t.Fatal(err)
	}
	if len(all[site]) == 0 {
		t.Fatalf("no rows of %s", site)
	}
	return all[site]
}

// A goldenRating is one rated contest; the time it stands under is one of India.
type goldenRating struct {
	At        goldenRow `json:"-"`
	Name, URL string
	Rating    any // A number, or a text with one.
	Rank      int
}

// goldenRatings returns the rated contests of a site, by their names.
func goldenRatings(t *testing.T, site string) map[string]goldenRating {
	t.Helper()
	var all map[string][]struct{ Data map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(recorded(t, "golden_stopstalk/rating_expected.json")), &all); err != nil {
		t.Fatal(err)
	}
	ratings := map[string]goldenRating{}
	for _, graph := range all[site] {
		for at, text := range graph.Data {
			var r goldenRating
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			r.At.Time = at
			ratings[r.Name] = r
		}
	}
	return ratings
}
