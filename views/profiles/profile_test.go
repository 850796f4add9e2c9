package profiles

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"laurel/views/charts"
	"laurel/views/viewstest"
)

func TestPages(t *testing.T) { viewstest.CheckPages(t, samplePages()) }

// TestProfileIsSmall keeps the promise of 25 KB for a full profile, before it is compressed.
func TestProfileIsSmall(t *testing.T) {
	html := viewstest.Rendered(t, Page(sampleProfile()))
	t.Logf("%d bytes", len(html))
	if len(html) > 25<<10 {
		t.Errorf("a full profile takes %d bytes, want at most %d", len(html), 25<<10)
	}
}

// TestProfileSays looks for the words of each state.
func TestProfileSays(t *testing.T) {
	for _, tt := range []struct {
		name    string
		profile Profile
		want    []string
	}{
		{"idle", sampleProfile(), []string{
			"up to date at 14:02; whole history checked as of 12 Nov; next check tomorrow (nothing new since 13 Nov)",
			"not answering since 09:12 (connection refused)", "up to date as of yesterday 09:40; whole history checked as of 12 Nov; next check 14:20",
			"Last requested yesterday 12:05", "Up to date at 13:58, except UVa", "Retrieve my submissions", "best ", "Nearly there",
			"13 more problems to Century", "Recent activity", "AtCoder 2 Dan", "University of Samples", "12 messages", "joined November 2024",
		}},
		{"running", runningProfile(), []string{
			"Started 14:04:56 · 1 of 3 sites checked, 17 new", "3 new", "up to date at 13:58", "retrieving: 14 new so far", "waiting",
			`sse-connect="/u/ada/retrieval/events"`, `<meta http-equiv="refresh" content="2">`,
		}},
		{"cooling down", coolingProfile(), []string{
			"Requested 12 minutes ago; available again at 14:23", `aria-disabled="true"`, "handle not found", "next check 27 Nov", "Correct it",
			"paused",
		}},
		{"new", newProfile(), []string{"first check starting now", "Loading your first submissions"}},
		{"without handles", emptyProfile(), []string{"No handles yet.", "no account here, followed by bob", "Sign in"}},
	} {
		html := viewstest.Rendered(t, Page(tt.profile))
		for _, want := range tt.want {
			if !strings.Contains(html, want) {
				t.Errorf("%s: the page does not say %q", tt.name, want)
			}
		}
	}
}

// TestFactsAreTheProfile compares the figures of the profile and of its facts alone.
func TestFactsAreTheProfile(t *testing.T) {
	figures := func(html string) map[string]string {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		doc.Find("[data-figure]").Each(func(_ int, s *goquery.Selection) { all[s.AttrOr("data-figure", "")] = s.Text() })
		return all
	}
	p := sampleProfile()
	got, want := figures(viewstest.Rendered(t, Facts(p))), figures(viewstest.Rendered(t, Page(p)))
	for _, name := range []string{"solved", "day_streak", "ac_streak", "accepted", "codeforces.solved", "codeforces.submitted",
		"codeforces.accepted", "codeforces.rating"} {
		if want[name] == "" || got[name] != want[name] {
			t.Errorf("%s is %q among the facts and %q on the profile", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d figures among the facts, %d on the profile", len(got), len(want))
	}
}

func TestLegendText(t *testing.T) {
	c := charts.Curve{Site: "Codeforces", Events: []charts.RatingEvent{{Rating: 1602}, {Rating: 1764}}}
	if text := legendText(t.Context(), c); text != "Codeforces 1764" {
		t.Errorf("%q", text)
	}
}
