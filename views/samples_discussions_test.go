package views

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
)

func sampleTrack() Track {
	t := Track{Messages: 57, More: 8, All: "/u/ada/messages"}
	for i := range 12 {
		t.Discussions = append(t.Discussions, Discussion{Serial: int64(1200 - i), Forum: "reality", Subject: []string{"Re: How to count inversions in n log n", "", "<b>\u202eevil\u202c"}[i%3], Author: []string{"Ada L.", "", "Bob"}[i%3],
			Messages: 1 << (i % 7), At: now.Add(-time.Duration(i*i*i) * time.Hour)})
	}
	t.Discussions[11].At = time.Time{}
	return t
}

func sampleComparison() Comparison {
	curves := sampleCurves()
	for i := range curves {
		curves[i].Handle = "x"
	}
	return Comparison{Frame: forumsFrame("Ada and Bob", "/compare/ada/bob", "ada"), Now: now, Active: 88,
		People: [2]Compared{{Name: "ada", DisplayName: "Ada L.", Solved: 1284, Submissions: 3910, Accepted: 2126, DayStreak: 23, BestDayStreak: 57, Active: 143},
			{Name: "bob", DisplayName: "Bob with a long name", Solved: 840, Submissions: 2904, Accepted: 1400, DayStreak: 0, BestDayStreak: 61, Active: 190, Pending: true}},
		Sites: []ComparedSite{{Title: "AtCoder", First: 301, Handles: [2]string{"adal", ""}, Curves: curves[1:2], Ratings: [2]int{1832, 0}, Best: [2]int{1861, 0}},
			{Title: "Codeforces", First: 600, Second: 461, Both: 379, Handles: [2]string{"ada_l", "bobby"}, Curves: []Curve{curves[0], curves[2]}, Ratings: [2]int{1760, 2440}, Best: [2]int{1846, 2476}},
			{Title: "UVa", First: 4, Handles: [2]string{"ada", "bob"}}},
		Discussions: sampleTrack()}
}

// discussionPages are the pages of comparisons, problems and authors in every state.
func discussionPages() map[string]templ.Component {
	f, both, forums := forumsFrame, sampleComparison(), []Choice{{"reality", "reality"}, {"talk", "Talk"}}
	none := Comparison{Frame: f("Ada and Bob", "/compare/ada/bob", ""), Now: now, People: [2]Compared{{Name: "ada", DisplayName: "Ada"}, {Name: "bob", DisplayName: "Bob"}}}
	problem := ProblemPage{Frame: f("1854D Michael and Hotel", "/problems/codeforces/1854D", "ada"), Now: now, Site: "codeforces", Key: "1854D", SiteTitle: "Codeforces", Words: "1854D Michael and Hotel", URL: "https://codeforces.com/contest/1854/problem/D", Known: true,
		Attempts: 31, Accepted: 4, Tried: 6, Solvers: 104, Discussions: sampleTrack(),
		Solved: []Solver{{"ada", "Ada L.", now.AddDate(0, 0, -400), 1, "C++23 (GCC 14-64, msys2)", "https://codeforces.com/contest/1854/submission/1"}, {"bob", "Bob", now.Add(-time.Hour), 4, "Rust", "javascript:x"}}}
	tried, heard := problem, problem
	tried.Solved, tried.Solvers, tried.Accepted, tried.Discussions = nil, 0, 0, Track{}
	heard.Known, heard.URL = false, ""
	list := SolvedList{Frame: f("Problems", "/compare/ada/bob/problems", ""), Now: now, People: both.People, Which: "first", Older: "/compare/ada/bob/problems?after=x", Newest: "/compare/ada/bob/problems",
		Problems: []SolvedProblem{{"codeforces", "Codeforces", "1854D", "1854D Michael and Hotel", now}, {"uva", "UVa", "36", "100 - The 3n + 1 problem", now.AddDate(-1, 0, 0)}}}
	nothing := list
	nothing.Problems, nothing.Which, nothing.Older, nothing.Newest = nil, "both", "", ""
	authors := []Author{{1, "ada", "", "ada@example.org", "", "said", "ada", now, ""}, {2, "ada", "Ada Byron", "list@example.org", "reality", "asked", "ada", now.AddDate(0, 0, -3), ""}, {3, "ada", "ada", "", "talk", "dismissed", "ada", now, "root"}, {4, "", "", "bot@example.org", "", "said", "", now, ""}}
	admin := AuthorsAdmin{Frame: f("Authors", "/admin/authors", "ada"), Now: now, Said: authors[:1], Nobody: authors[3:], Forums: forums, Older: "/admin/authors?before=1", Suggestions: []SuggestedAuthor{
		{"2", authors[1], []string{"Ada says so"}, 0, true},
		{"x", Author{Member: "bob", Name: `"><script>`, Address: "bob@example.org"}, []string{"The address is the one at which bob gets e-mails", "The name is bob's, and a handle of theirs stands in the address"}, 12, false}}}
	return map[string]templ.Component{
		"compare":           ComparePage(Compare{Frame: f("Compare", "/compare", "ada")}),
		"compare-wrong":     ComparePage(Compare{Frame: f("Compare", "/compare", ""), Form: Form{Values: map[string]string{"a": "ada", "b": "x"}, Errors: map[string]string{"b": "No member is named x"}}}),
		"comparison":        ComparisonPage(both),
		"comparison-none":   ComparisonPage(none),
		"compared-problems": SolvedListPage(list),
		"compared-nothing":  SolvedListPage(nothing),
		"problem":           OneProblemPage(problem),
		"problem-tried":     OneProblemPage(tried),
		"problem-heard":     OneProblemPage(heard),
		"names":             OwnNamesPage(OwnNames{Frame: f("Names", "/settings/names", "ada"), Now: now, Name: "ada", Authors: authors[:3], Forums: forums}),
		"names-none":        OwnNamesPage(OwnNames{Frame: f("Names", "/settings/names", "ada"), Now: now, Name: "ada", Forums: forums, Form: Form{Values: map[string]string{"name": "Ada"}, Errors: map[string]string{"forum": "One forum only", "address": "Must be given"}}}),
		"authors":           AuthorsAdminPage(admin),
		"authors-none":      AuthorsAdminPage(AuthorsAdmin{Frame: admin.Frame, Now: now, Wrong: "This is bob already"}),
	}
}

// A track says who, when and how many; a profile's is short.
func TestTrackSays(t *testing.T) {
	html := rendered(t, ComparisonPage(sampleComparison()))
	for _, want := range []string{"57 messages in 20 discussions, the last just now", "Re: How to count inversions in n log n: Ada L., just now", "(no subject): somebody and others, 2 messages", "8 older discussions", "&lt;b&gt;"} {
		if !strings.Contains(html, want) {
			t.Errorf("the comparison does not say %q", want)
		}
	}
	html = rendered(t, ProfilePage(sampleProfile()))
	for _, want := range []string{`<a href=/messages/1200><title>Re: How to count inversions…: Ada L., just now</title>`, "57 messages in 13 discussions", "&lt;b&gt;"} {
		if !strings.Contains(html, want) {
			t.Errorf("the profile does not say %q", want)
		}
	}
	if strings.Count(html, "<circle") != 5 {
		t.Error("not every discussion is drawn")
	}
}

// profileTrack is as long as a profile's may be.
func profileTrack() Track {
	t := sampleTrack()
	t.Discussions = t.Discussions[:5]
	return t
}
