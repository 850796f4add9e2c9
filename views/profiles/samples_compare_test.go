package profiles

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/viewstest"
)

// trackStand is where a page shows discussions.
var trackStand = templ.Raw(`<section id="discussions"><h2>Discussions</h2></section>`)

func sampleComparison() Comparison {
	curves := sampleCurves()
	for i := range curves {
		curves[i].Handle = "x"
	}
	return Comparison{Frame: viewstest.ForumsFrame("Ada and Bob", "/compare/ada/bob", "ada"), Now: viewstest.Now, Active: 88,
		People: [2]Compared{{Name: "ada", DisplayName: "Ada L.", Solved: 1284, Submissions: 3910, Accepted: 2126, DayStreak: 23, BestDayStreak: 57, Active: 143},
			{Name: "bob", DisplayName: "Bob with a long name", Solved: 840, Submissions: 2904, Accepted: 1400, DayStreak: 0, BestDayStreak: 61, Active: 190, Pending: true}},
		Sites: []ComparedSite{{Title: "AtCoder", First: 301, Handles: [2]string{"adal", ""}, Curves: curves[1:2], Ratings: [2]int{1832, 0}, Best: [2]int{1861, 0}},
			{Title: "Codeforces", First: 600, Second: 461, Both: 379, Handles: [2]string{"ada_l", "bobby"}, Curves: []charts.Curve{curves[0], curves[2]}, Ratings: [2]int{1760, 2440}, Best: [2]int{1846, 2476}},
			{Title: "UVa", First: 4, Handles: [2]string{"ada", "bob"}}},
		Discussions: trackStand}
}

// comparePages are the pages of comparisons and problems in every state.
func comparePages() map[string]templ.Component {
	f, both := viewstest.ForumsFrame, sampleComparison()
	none := Comparison{Frame: f("Ada and Bob", "/compare/ada/bob", ""), Now: viewstest.Now, People: [2]Compared{{Name: "ada", DisplayName: "Ada"}, {Name: "bob", DisplayName: "Bob"}}}
	problem := Problem{Frame: f("1854D Michael and Hotel", "/problems/codeforces/1854D", "ada"), Now: viewstest.Now, Site: "codeforces", Key: "1854D", SiteTitle: "Codeforces", Words: "1854D Michael and Hotel", URL: "https://codeforces.com/contest/1854/problem/D", Known: true,
		Attempts: 31, Accepted: 4, Tried: 6, Solvers: 104, Discussions: trackStand,
		Solved: []Solver{{"ada", "Ada L.", viewstest.Now.AddDate(0, 0, -400), 1, "C++23 (GCC 14-64, msys2)", "https://codeforces.com/contest/1854/submission/1"}, {"bob", "Bob", viewstest.Now.Add(-time.Hour), 4, "Rust", "javascript:x"}}}
	tried, heard := problem, problem
	tried.Solved, tried.Solvers, tried.Accepted, tried.Discussions = nil, 0, 0, nil
	heard.Known, heard.URL = false, ""
	list := SolvedList{Frame: f("Problems", "/compare/ada/bob/problems", ""), Now: viewstest.Now, People: both.People, Which: "first", Older: "/compare/ada/bob/problems?after=x", Newest: "/compare/ada/bob/problems",
		Problems: []SolvedProblem{{"codeforces", "Codeforces", "1854D", "1854D Michael and Hotel", viewstest.Now}, {"uva", "UVa", "36", "100 - The 3n + 1 problem", viewstest.Now.AddDate(-1, 0, 0)}}}
	nothing := list
	nothing.Problems, nothing.Which, nothing.Older, nothing.Newest = nil, "both", "", ""
	return map[string]templ.Component{
		"compare":           ComparePage(Compare{Frame: f("Compare", "/compare", "ada")}),
		"compare-wrong":     ComparePage(Compare{Frame: f("Compare", "/compare", ""), Form: parts.Form{Values: map[string]string{"a": "ada", "b": "x"}, Errors: map[string]string{"b": "No member is named x"}}}),
		"comparison":        ComparisonPage(both),
		"comparison-none":   ComparisonPage(none),
		"compared-problems": SolvedListPage(list),
		"compared-nothing":  SolvedListPage(nothing),
		"problem":           ProblemPage(problem),
		"problem-tried":     ProblemPage(tried),
		"problem-heard":     ProblemPage(heard),
	}
}

// A track says who, when and how many; a profile's is short.

func TestComparePages(t *testing.T) { viewstest.CheckPages(t, comparePages()) }
