package archive

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"laurel/views/viewstest"
)

// TestBanner is the summary of a history in every case.
func TestBanner(t *testing.T) {
	known := Certainty{Class: Known, SeenBefore: viewstest.Then}
	close := Certainty{Class: Confirmed, SeenBefore: viewstest.Then.Add(-time.Hour), SeenAfter: viewstest.Then.Add(2 * time.Minute)}
	sure := Certainty{Class: Confirmed, SeenBefore: viewstest.Then.Add(-time.Hour), SeenAfter: viewstest.Then.Add(time.Hour)}
	last := Certainty{Class: LastKnown, SeenBefore: viewstest.Then.Add(-time.Hour), Ended: viewstest.Then.Add(time.Hour)}
	open, gone, never := Certainty{Class: StillOpen, SeenBefore: viewstest.Then.Add(-time.Hour)}, Certainty{Class: Removed}, Certainty{}
	groups := func(n int, cs ...Certainty) (gs []NumberGroup) {
		for _, c := range cs {
			gs = append(gs, NumberGroup{Numbers: make([]Figure, n), Certainty: c})
		}
		return gs
	}
	first := viewstest.Then.AddDate(-1, 0, 0)
	steps := Steps{PrevCheck: viewstest.Then.Add(-3 * time.Minute), NextCheck: viewstest.Then.Add(2 * time.Minute)}
	both := " The nearest checks: 3 min before, 2 min after."
	for _, tt := range []struct {
		name    string
		history History
		want    string
	}{
		{"never checked", History{At: viewstest.Then}, "No checks yet. No check is stored yet. "},
		{"before", History{At: viewstest.Then, FirstCheck: viewstest.March(9, 10, 0), Steps: Steps{NextCheck: viewstest.March(9, 10, 0)}}, "Before the first check. Laurel's first check was on 9 March, 5 days later. Earlier values are unknown. "},
		{"to come", History{At: viewstest.Now.Add(time.Hour), FirstCheck: first}, "Not yet. This time is in the future; these are the current values. "},
		{"nothing", History{At: viewstest.Then, FirstCheck: first, Steps: steps}, "No data. No numbers of this member had been seen by then." + both},
		{"all never", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(1, never, never)}, "No data. 2 numbers: 2 not known yet." + both},
		{"all known", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(2, known, close)},
			"Exact. 4 numbers: 4 checked within 5 minutes of this time. One check was at this exact time. The nearest others: 3 min before, 2 min after."},
		{"one", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(1, close)}, "Exact. 1 number: 1 checked within 5 minutes of this time." + both},
		{"all sure", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(1, sure, sure)}, "Exact. 2 numbers: 2 the same before and after." + both},
		{"mostly", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(3, close, close, close, last)},
			"Mostly exact. 12 numbers: 9 checked within 5 minutes of this time, 3 last known." + both},
		{"partly", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(1, sure, last, open, gone, never)},
			"Partly exact. 5 numbers: 1 the same before and after, 2 last known, 1 out of date by then, 1 not known yet." + both},
		{"after the last", History{At: viewstest.Then, FirstCheck: first, Steps: Steps{PrevCheck: viewstest.Then.AddDate(0, 0, -9)}, Numbers: groups(1, open, open)},
			"Last known. 2 numbers: 2 last known. The nearest checks: 9 days before, none after."},
		{"all gone", History{At: viewstest.Then, FirstCheck: first, Steps: steps, Numbers: groups(1, gone)}, "Out of date. 1 number: 1 out of date by then." + both},
	} {
		tt.history.Now = viewstest.Now
		if got := bannerTitle(t.Context(), tt.history) + " " + bannerText(t.Context(), tt.history) + " " + nearestText(t.Context(), tt.history); strings.TrimSpace(got) != strings.TrimSpace(tt.want) {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.want)
		}
	}
}

func TestBecameText(t *testing.T) {
	for _, tt := range []struct {
		numbers []Figure
		want    string
	}{
		{[]Figure{{Value: "1", Next: "2"}}, " to 2"},
		{[]Figure{{Value: "1"}}, ""},
		{[]Figure{{Title: "Rating", Value: "1", Next: "2"}, {Title: "Best", Value: "3", Next: "3"}}, " (Rating → 2)"},
		{[]Figure{{Title: "Rating", Value: "1", Next: "2"}, {Title: "Best", Value: "1", Next: "2"}}, " (Rating → 2, Best → 2)"},
	} {
		if got := becameText(t.Context(), tt.numbers); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.numbers, got, tt.want)
		}
	}
}

func TestEvidenceText(t *testing.T) {
	for _, tt := range []struct {
		e    Evidence
		want string
	}{
		{sampleHistory().Evidence[0], "checked 4 Mar 12:00, unchanged since 3 Mar 22:14 (14 checks). Next change 4 Mar 18:40."},
		{sampleHistory().Evidence[1], "checked 1 Mar 19:00; then 9 checks failed. Next change 9 Mar 08:00."},
		{Evidence{}, "not checked by then."},
		{Evidence{Failed: 1}, "not checked by then; then 1 check failed."},
	} {
		if got := evidenceText(t.Context(), tt.e, viewstest.Now); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestHistoryIsSmall keeps a page with 50 numbers in 25 rows near 60 KB.
func TestHistoryIsSmall(t *testing.T) {
	p := fullHistory()
	p.Evident = true
	html := viewstest.Rendered(t, HistoryPage(p))
	t.Logf("%d bytes", len(html))
	if len(html) > 66<<10 {
		t.Errorf("a full history takes %d bytes", len(html))
	}
}

func TestCheckTable(t *testing.T) {
	c := CheckCalendar{Base: "/l?ladder=x", First: time.Date(2026, 1, 30, 0, 0, 0, 0, time.UTC), Days: []CheckDay{
		{3, 0, viewstest.Then}, {2, 2, viewstest.Then}, {}, {5, 1, viewstest.Then},
	}}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(appendCheckTable(t.Context(), nil, c))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	doc.Find("tbody tr").Each(func(_ int, tr *goquery.Selection) {
		got = append(got, tr.Find("th").Text())
		tr.Find("td").Each(func(i int, td *goquery.Selection) {
			if a := td.Find("a"); a.Length() > 0 {
				day := doc.Find("thead th").Eq(i + 1).Text()
				got = append(got, day+": "+a.Text()+" "+td.AttrOr("class", "")+" "+a.AttrOr("href", ""))
			}
		})
	})
	at := " ?ladder=x&at=2026-03-04T10:00:00Z"
	want := []string{"Jan 2026", "30: 3 h1" + at, "31: △2 failed x" + at, "Feb 2026", "2: 4△1 failed h4" + at}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("%q, want %q", got, want)
	}
	if text := checkSum(t.Context(), c); text != "10 checks on 3 days, 3 failed" {
		t.Errorf("%q", text)
	}
}

// TestSharedTicks looks for ticks that are drawn once and used by the others.
func TestSharedTicks(t *testing.T) {
	p := fullHistory()
	p.Evident = true
	html := viewstest.Rendered(t, HistoryPage(p))
	if drawn, used := strings.Count(html, "<g id=k"), strings.Count(html, `<use href="#k`); drawn != 3 || used != 22 {
		t.Errorf("%d drawn and %d used, want 3 and 22", drawn, used)
	}
}
