package retrieval

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

func troubledFrame(title, path, viewer string) parts.Frame {
	f := viewstest.Frame(title, path, viewer)
	f.Strip, f.Health = StripLine(parts.English, troubledSites()[:1], viewstest.Now), HealthLine(parts.English, troubledSites(), viewstest.Now)
	return f
}

func sampleSites() []SiteHealth {
	return []SiteHealth{
		{Name: "atcoder", Title: "AtCoder", Home: "https://atcoder.jp", Accounts: 220, LastSuccess: viewstest.Now.Add(-2 * time.Minute), Requests: 312, Queue: 4, Stream: "auto", OldestDue: viewstest.Now.Add(-3 * time.Minute), Running: 2, Done: 88, New: 430},
		{Name: "codeforces", Title: "Codeforces", Home: "https://codeforces.com", Accounts: 301, LastSuccess: viewstest.Now.Add(-time.Minute), Requests: 1480, Running: 1, Done: 240, Failed: 1, New: 1200, Invalid: 3, Paused: 1},
		{Name: "uva", Title: "UVa", Home: "https://onlinejudge.org", Accounts: 41, LastSuccess: viewstest.Now.Add(-20 * time.Hour), FailingSince: viewstest.Now.Add(-5 * time.Hour), Outcome: "unreachable", Why: "connection refused", Requests: 12, Queue: 41, OldestDue: viewstest.Now.Add(-5 * time.Hour), Failed: 12},
	}
}

// troubledSites are one of each state that the circuit has.
func troubledSites() []SiteHealth {
	s := sampleSites()
	s[0].Broken, s[0].OpenedAt, s[0].AnsweredAt, s[0].NextTry, s[0].Outcome, s[0].Why = true, viewstest.Now.Add(-4*time.Hour), viewstest.Now.Add(-5*time.Hour), viewstest.Now.Add(20*time.Minute), "parse_error", "page not understood: no table of submissions"
	s[1].PausedAt, s[1].PausedBy, s[1].PausedReason = viewstest.Now.Add(-50*time.Hour), "ada", "Codeforces asked us to stay away during the finals"
	return s
}

func sampleAlarms() []Alarm {
	return []Alarm{
		{Site: "AtCoder", Kind: "circuit", Message: "several handles failed one after the other with no good answer between them, so the site is not asked; one handle is tried from time to time", Times: 1, Opened: viewstest.Now.Add(-4 * time.Hour), Last: viewstest.Now.Add(-4 * time.Hour)},
		{Site: "UVa", Kind: "verdict", Subject: "<b>Half</b> accepted", Message: "a verdict without a status of ours; its submissions are stored as OTH, with the site's own verdict", Times: 12, Opened: viewstest.Now.AddDate(0, 0, -3), Last: viewstest.Now.Add(-time.Hour)},
		{Site: "Codeforces", Kind: "emptied", Subject: "ada_l", Message: "the site shows none of the 2907 submissions that it showed before; they are still stored", Times: 3, Opened: viewstest.Now.AddDate(0, 0, -6), Last: viewstest.Now.AddDate(0, 0, -5), Closed: viewstest.Now.AddDate(0, 0, -5)},
	}
}

// sampleCanaries are one of each state; who is no admin sees no handle.
func sampleCanaries(admin bool) []Canary {
	all := []Canary{
		{Site: "atcoder", Title: "AtCoder", Handle: "ada", Checked: viewstest.Now.Add(-3 * time.Hour), Due: viewstest.Now.Add(21 * time.Hour), AsKnown: true, Outcome: "ok", Least: 2904, Seen: 2907},
		{Site: "codeforces", Title: "Codeforces", Handle: "<i>tourist</i>", Checked: viewstest.Now.Add(-time.Hour), Due: viewstest.Now.Add(time.Hour), Outcome: "parse_error", Why: "3 of at least 50 submissions; 12 of 50 known submissions missing (submission 1278001)", Least: 50, Seen: 3},
		{Site: "codeforces", Title: "Codeforces", Handle: "gone", Checked: viewstest.Now.Add(-time.Hour), Due: viewstest.Now, Outcome: "not_found", Least: 1},
		{Site: "uva", Title: "UVa", Handle: "ada_l", Due: viewstest.Now, Least: 12},
		{Site: "uva", Title: "UVa", Handle: "bob", Checked: viewstest.Now.Add(-30 * time.Hour), Due: viewstest.Now, Outcome: "unreachable", Why: "connection refused", Least: 12, Seen: 12},
	}
	for i := range all {
		if !admin {
			all[i].Handle, all[i].Why, all[i].Least, all[i].Seen = "", "", 0, 0
		}
	}
	return all
}

// sampleUnread are rows with hostile texts, and one of which nothing is known.
func sampleUnread() []Unread {
	return []Unread{
		{Title: "SPOJ", Of: 1201, Member: "ada", Handle: "ada_l", Row: "13755299", Why: `"yesterday" is not a time`, Text: `<tr class="kol1"><td><script>alert(1)</script></td></tr>`, First: viewstest.Now.AddDate(0, 0, -2)},
		{Title: "SPOJ", Of: 1201, Member: "bob", Handle: "bob", Why: "a submission without a number", First: viewstest.Now.AddDate(0, 0, -3)},
		{Title: "UVa", Of: 1, Member: "ada", Handle: "ada_l", Why: "a submission of 4 values", Text: `[1,2,90,0]`, First: viewstest.Now.AddDate(0, 0, -3)},
	}
}

func sampleWords() []Term {
	return []Term{
		{Name: "uva", Title: "UVa", Kind: "verdict", Term: "<b>Half</b> accepted", Times: 12, First: viewstest.Now.AddDate(0, 0, -3), Last: viewstest.Now.Add(-time.Hour), Handle: "ada"},
		{Name: "uva", Title: "UVa", Kind: "language", Times: 1, First: viewstest.Now, Last: viewstest.Now, Handle: "ada"},
	}
}

func sitePages() map[string]templ.Component {
	return map[string]templ.Component{
		"sites":          SitesPage(Sites{Frame: viewstest.Frame("Sites", "/sites", "ada"), Now: viewstest.Now, Admin: true, Sites: sampleSites()}),
		"sites-troubled": SitesPage(Sites{Frame: troubledFrame("Sites", "/sites", "ada"), Now: viewstest.Now, Admin: true, Wrong: "UVa: say why the site is paused: everybody reads it", Sites: troubledSites(), Alarms: sampleAlarms(), Words: sampleWords(), Unread: sampleUnread(), Canaries: sampleCanaries(true)}),
		"sites-canary":   SitesPage(Sites{Frame: viewstest.Frame("Sites", "/sites", "ada"), Now: viewstest.Now, Admin: true, Sites: sampleSites(), Canary: parts.Form{Values: map[string]string{"site": "uva", "handle": "no handle!", "least": "many"}, Errors: map[string]string{"handle": "This cannot be a handle on UVa: want its username.", "least": "Say how many submissions the handle has at least: a number from 1 to 1,000,000."}}}),
		"outside-empty":  OutsidePage(Outside{Frame: viewstest.Frame("Added sites", "/admin/sites", "ada"), Now: viewstest.Now}),
		"outside": OutsidePage(Outside{Frame: viewstest.Frame("Added sites", "/admin/sites", "ada"), Now: viewstest.Now, Wrong: "This site has submissions.",
			Sites: []OutsideSite{{Name: "cses", Title: "CSES", Home: "https://cses.fi", Accounts: 12, Pushed: viewstest.Now.Add(-time.Hour)}, {Name: "b", Title: "<b>B</b>", Home: "https://b.example"}},
			Kinds: []HostKind{{"dmoj", "DMOJ", "https://dmoj.ca"}},
			Hosts: []Host{{Name: "dmoj", Title: "DMOJ", Base: "https://dmoj.ca", Kind: "DMOJ", Accounts: 12, Success: viewstest.Now.Add(-time.Hour)},
				{Name: "school", Title: "<b>School</b>", Base: "https://judge.school.example", Kind: "DMOJ", Token: true}},
			Host: parts.Form{Values: map[string]string{"kind": "dmoj", "name": "school", "title": "School", "base": "https://judge.school.example"},
				Errors: map[string]string{"base": "https://judge.school.example does not answer as DMOJ does: not found."}},
			Form: parts.Form{Values: map[string]string{"name": "B!"}, Errors: map[string]string{"name": "A name has 1 to 32 small letters, digits or _."}}}),
		"sites-visitor": SitesPage(Sites{Frame: viewstest.Frame("Sites", "/sites", ""), Now: viewstest.Now, Sites: sampleSites(), Canaries: sampleCanaries(false)}),
	}
}

func TestSitePages(t *testing.T) { viewstest.CheckPages(t, sitePages()) }

func TestHealthLine(t *testing.T) {
	never := SiteHealth{Title: "UVa", FailingSince: viewstest.Now.Add(-time.Hour)}
	down := never
	down.LastSuccess = viewstest.Now.Add(-2 * time.Hour)
	for _, tt := range []struct {
		sites []SiteHealth
		want  string
	}{
		{nil, ""},
		{[]SiteHealth{{Title: "AtCoder"}}, "All sites up"},
		{[]SiteHealth{{Title: "AtCoder"}, down}, "UVa has not answered since 13:05. Newer submissions appear once it is back"},
		{[]SiteHealth{{Title: "AtCoder"}, never}, "UVa has not answered since 13:05"},
		{[]SiteHealth{{Title: "AtCoder"}, down, down}, "Not answering: UVa since 13:05, UVa since 13:05"},
		{[]SiteHealth{down}, "No site is answering: UVa since 13:05"},
	} {
		if got := HealthLine(t.Context(), tt.sites, viewstest.Now); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.sites, got, tt.want)
		}
	}
}

func TestStripLine(t *testing.T) {
	broken := SiteHealth{Title: "CodeChef", Broken: true, AnsweredAt: time.Date(2026, 11, 21, 9, 12, 0, 0, viewstest.Riga), OpenedAt: viewstest.Now}
	never := SiteHealth{Title: "Timus", Broken: true, OpenedAt: viewstest.Now.Add(-26 * time.Hour)}
	paused := SiteHealth{Title: "SPOJ", PausedAt: viewstest.Now.AddDate(0, 0, -9), PausedReason: "at their wish"}
	for _, tt := range []struct {
		sites []SiteHealth
		now   time.Time
		want  string
	}{
		{nil, viewstest.Now, ""},
		{[]SiteHealth{broken}, viewstest.Now, "CodeChef has not answered since 09:12. Newer submissions appear once it is back."},
		{[]SiteHealth{broken}, viewstest.Now.UTC(), "CodeChef has not answered since 07:12 UTC. Newer submissions appear once it is back."},
		{[]SiteHealth{never}, viewstest.Now, "Timus has not answered since yesterday 12:05."},
		{[]SiteHealth{paused}, viewstest.Now, "SPOJ has been paused since 12 Nov 14:05 (at their wish). Newer submissions appear once it is resumed."},
		{[]SiteHealth{broken, paused}, viewstest.Now, "2 sites are not answering: CodeChef, SPOJ."},
	} {
		if got := StripLine(t.Context(), tt.sites, tt.now); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
