package profiles

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/viewstest"
)

// Samples: an invented person in every state a page can be in.

func sampleCurves() []charts.Curve {
	r := rand.New(rand.NewPCG(3, 4))
	var curves []charts.Curve
	for i, site := range []string{"Codeforces", "AtCoder", "UVa"} {
		c := charts.Curve{Site: site, Handle: "ada_l"}
		rating := 1200 + 200*i
		for at := viewstest.Now.AddDate(-3, i*3, 0); at.Before(viewstest.Now); at = at.AddDate(0, 0, 14+r.IntN(30)) {
			rating += r.IntN(130) - 52
			c.Events = append(c.Events, charts.RatingEvent{Contest: fmt.Sprintf("%s Round %d (Div. 2)", site, 900+len(c.Events)),
				URL: "https://codeforces.com/contest/1854", Rank: 1 + r.IntN(4000), Rating: rating, At: at})
		}
		curves = append(curves, c)
	}
	return curves
}

func sampleRecent() []Submission {
	problems := []string{"1854D Michael and Hotel", "abc380_f Exchange Game", "10071 Back to High School Physics", "1900A Cover in Water"}
	sites := []string{"Codeforces", "AtCoder", "UVa", "Codeforces"}
	statuses := []string{"AC", "WA", "AC", "TLE", "PENDING", "PS", "CE", "SK"}
	languages := []string{"C++23 (GCC 14-64, msys2)", "Rust (rustc 1.70.0)", "C++11", "Python 3"}
	var rows []Submission
	for i := range 20 {
		rows = append(rows, Submission{
			At: viewstest.Now.Add(-time.Duration(i*i) * 17 * time.Minute), Site: sites[i%4], Problem: problems[i%4],
			ProblemURL: "https://codeforces.com/contest/1854/problem/D", Page: "/problems/codeforces/1854D",
			Status: statuses[i%8], Language: languages[i%4], URL: "https://codeforces.com/contest/1854/submission/23456789",
		})
	}
	return rows
}

func sampleAccounts() []Account {
	at := func(h, m int) time.Time { return time.Date(2026, 11, 21, h, m, 0, 0, viewstest.Riga) }
	return []Account{
		{Site: "atcoder", Title: "AtCoder", Handle: "adal", URL: "https://atcoder.jp/users/adal", State: "active", Outcome: "ok",
			CompleteUntil: at(13, 58), CheckedThrough: at(-200, 0), Due: at(37, 58), LastAttempt: at(13, 58), Submissions: 903, Accepted: 512,
			Solved: 301, Statuses: []parts.StatusCount{{Status: "AC", Count: 512}, {Status: "WA", Count: 300}, {Status: "TLE", Count: 60},
				{Status: "CE", Count: 31}}},
		{Site: "codeforces", Title: "Codeforces", Handle: "ada_l", Former: "lovelace", Renamed: at(-400, 0),
			URL: "https://codeforces.com/profile/ada_l", State: "active", Outcome: "ok", CompleteUntil: at(14, 2), CheckedThrough: at(-200, 0),
			Due: at(38, 2), Delay: 6, Newest: at(-178, 2), LastAttempt: at(14, 2), Submissions: 2907, Accepted: 1610, Solved: 979,
			Statuses: []parts.StatusCount{{Status: "AC", Count: 1610}, {Status: "WA", Count: 901}, {Status: "TLE", Count: 250},
				{Status: "RE", Count: 100}, {Status: "CE", Count: 40}, {Status: "PS", Count: 6}}},
		{Site: "uva", Title: "UVa", Handle: "ada", URL: "https://uhunt.onlinejudge.org/id/1", State: "active", Outcome: "unreachable",
			Message: "connection refused", FailingSince: at(9, 12), CompleteUntil: at(-15, 40), CheckedThrough: at(-200, 0), Due: at(14, 20),
			Submissions: 100, Accepted: 4, Solved: 4, Statuses: []parts.StatusCount{{Status: "WA", Count: 96}, {Status: "AC", Count: 4}}},
	}
}

func sampleProfile() Profile {
	p := Profile{
		Frame: viewstest.Frame("Ada L.", "/u/ada", "ada"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada L. (sample)", Zone: "Europe/Riga",
		Accounts: AccountsCard{Name: "ada", Now: viewstest.Now, Own: true, Manage: true, Fix: "/settings",
			Asked: viewstest.Now.Add(-26 * time.Hour), Accounts: sampleAccounts()},
		Stats: Stats{Submissions: 3910, Accepted: 2126, Solved: 1284, DayStreak: 23, BestDayStreak: 57, TodayCounts: true, ACStreak: 4,
			BestACStreak: 19, Updated: viewstest.Now.Add(-3 * time.Minute)},
		Year: memberYear(), Ratings: sampleCurves(), Recent: sampleRecent(), ID: 4, Joined: viewstest.Now.AddDate(-2, 0, 0),
		Messages: 57, MessagesURL: "/u/ada/messages", Discussions: []Discussion{{"How to count inversions in n log n", "/messages/1200", 12,
			viewstest.Now.Add(-time.Hour)}, {"", "/messages/7", 1, viewstest.Now.AddDate(0, -1, 0)}},
		Awards: 12, Shelf: []ShelfAward{{Title: "Three weeks straight", Picture: "/awards/three/picture.svg", Path: "/awards/three",
			Rarity: "8 members have it", At: viewstest.Now}},
		Near:   []ShelfAward{{Title: "Century", Path: "/awards/century", Progress: 87, Goal: 100, ToGo: "13 more problems to Century"}},
		Titles: []string{"AtCoder 2 Dan", "Codeforces expert"}, Organisation: "University of Samples", Country: "Latvia", CompareWith: "bob",
	}
	p.Activity = ActivityOf(context.Background(), &p)
	return p
}

// runningProfile has asked a moment ago.
func runningProfile() Profile {
	p := sampleProfile()
	p.Frame.Refresh = 2
	c := &p.Accounts
	c.Running, c.Live, c.Asked = true, true, viewstest.Now.Add(-4*time.Second)
	c.Accounts[0].Phase, c.Accounts[0].New = "done", 3
	c.Accounts[1].Phase, c.Accounts[1].Page, c.Accounts[1].New = "running", 3, 14
	c.Accounts[2].Phase, c.Accounts[2].Outcome = "waiting", "ok"
	return p
}

// coolingProfile shows what must be done about handles and failures.
func coolingProfile() Profile {
	p := sampleProfile()
	p.Ratings = nil
	c := &p.Accounts
	c.Asked, c.Again = viewstest.Now.Add(-12*time.Minute), viewstest.Now.Add(18*time.Minute)
	c.Accounts[0].State, c.Accounts[0].Outcome, c.Accounts[0].Due = "invalid", "not_found", viewstest.Now.AddDate(0, 0, 6)
	c.Accounts[1].State = "paused"
	return p
}

// newProfile has handles that nobody checked yet.
func newProfile() Profile {
	p := sampleProfile()
	p.Stats, p.Ratings, p.Recent, p.Year.Days = Stats{}, nil, nil, nil
	p.Accounts.Accounts = []Account{{Site: "codeforces", Title: "Codeforces", Handle: "ada_l", State: "new", Due: viewstest.Now}}
	return p
}

// emptyProfile has no handles, and a visitor checks.
func emptyProfile() Profile {
	p := newProfile()
	p.Frame = viewstest.Frame("Ada L.", "/u/ada", "")
	p.Custom, p.FollowedBy = true, "bob"
	p.Accounts = AccountsCard{Name: "ada", Now: viewstest.Now}
	return p
}

// heldProfile has handles on sites that are not asked now.
func heldProfile() Profile {
	p := sampleProfile()
	p.Frame.Strip = "2 sites are not answering: AtCoder, Codeforces."
	p.Accounts.Accounts[0].Suspended = "site not answering"
	p.Accounts.Accounts[1].Suspended = "site paused: at their request"
	return p
}

func sampleMembers() []MemberRow {
	return []MemberRow{
		{Name: "ada", DisplayName: "Ada L. (sample)", Solved: 1284, DayStreak: 23, Newest: viewstest.Now.Add(-4 * time.Minute), Accounts: 3,
			CompleteUntil: viewstest.Now.Add(-7 * time.Minute)},
		{Name: "bob", DisplayName: "Bob (sample)", Solved: 812, DayStreak: 1, Newest: viewstest.Now.Add(-30 * time.Hour), Accounts: 2,
			Running: true, CompleteUntil: viewstest.Now.Add(-26 * time.Hour)},
		{Name: "carl", DisplayName: "Carl (sample)", Custom: true, Solved: 90, Newest: viewstest.Now.AddDate(-1, 0, 0), Accounts: 2, Failing: 1,
			CompleteUntil: viewstest.Now.Add(-26 * time.Hour)},
		{Name: "dora", DisplayName: "Dora (sample)", Accounts: 1, Unread: 1},
		{Name: "eve", DisplayName: "Eve (sample)", Accounts: 2, Invalid: 1, Solved: 12, Newest: viewstest.Now.AddDate(0, 0, -9),
			CompleteUntil: viewstest.Now},
		{Name: "fred", DisplayName: "Fred (sample)"},
	}
}

// samplePages is every page in every state.
func samplePages() map[string]templ.Component {
	subs := Submissions{
		Frame: viewstest.Frame("Submissions", "/u/ada/submissions", "ada"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada L. (sample)",
		Sites: []parts.Choice{{Value: "atcoder", Text: "AtCoder"}, {Value: "codeforces", Text: "Codeforces"}}, Rows: sampleRecent(),
		Older: "/u/ada/submissions?after=x", Newer: "/u/ada/submissions?before=x", Pending: true,
		Filter: SubmissionFilter{Site: "codeforces"},
	}
	none := subs
	none.Rows, none.Filter, none.Mistake, none.Older = nil, SubmissionFilter{From: "yesterday"},
		"From is not a day: write it as 2026-11-21.", ""
	notice := viewstest.Frame("Members", "/", "ada")
	notice.Notice = "You are signed in."
	return map[string]templ.Component{
		"members":         MembersPage(Members{Frame: notice, Now: viewstest.Now, Members: sampleMembers(), Total: 6, Older: "/members?page=1"}),
		"members-empty":   MembersPage(Members{Frame: viewstest.Frame("Members", "/members", "ada"), Now: viewstest.Now}),
		"profile":         Page(sampleProfile()),
		"profile-running": Page(runningProfile()),
		"profile-cooling": Page(coolingProfile()),
		"profile-new":     Page(newProfile()),
		"profile-empty":   Page(emptyProfile()),
		"submissions":     SubmissionsPage(subs),
		"submissions-bad": SubmissionsPage(none),
		"days": DaysPage(Days{Frame: viewstest.Frame("Days", "/u/ada/days", "ada"), DisplayName: "Ada L. (sample)",
			Year: memberYear(), Earlier: "/u/ada/days?year=2025"}),
		"ratings": RatingsPage(Ratings{Frame: viewstest.Frame("Ratings", "/u/ada/ratings", "ada"), Name: "ada", DisplayName: "Ada L. (sample)",
			Curves: sampleCurves(), Rows: RatingRows(sampleCurves())[:40], Pages: parts.Pages{Older: "?page=2"},
			Scopes: []parts.Scope{{Label: "All", Path: "/u/ada/ratings", Count: 60, Here: true},
				{Label: "Codeforces", Path: "/u/ada/ratings?site=codeforces", Count: 30}}}),
		"ratings-empty": RatingsPage(Ratings{Frame: viewstest.Frame("Ratings", "/u/ada/ratings", "ada"), Name: "ada",
			DisplayName: "Ada L. (sample)"}),
		"profile-held": Page(heldProfile()),
	}
}

// memberYear is 53 weeks with pauses.
func memberYear() charts.Year {
	y := charts.Year{Name: "ada", Zone: "Europe/Riga", First: time.Date(2025, 11, 17, 0, 0, 0, 0, time.UTC)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 370 {
		c := charts.DayCount{}
		if busy := r.IntN(10) < 3+i/80; busy && i%50 > 6 {
			c.Submissions = 1 + int(r.ExpFloat64()*5)
			c.Accepted = r.IntN(c.Submissions + 1)
		}
		y.Days = append(y.Days, c)
	}
	return y
}
