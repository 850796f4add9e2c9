package views

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/a-h/templ"
)

// Samples: an invented person in every state a page can be in.

func sampleCurves() []Curve {
	r := rand.New(rand.NewPCG(3, 4))
	var curves []Curve
	for i, site := range []string{"Codeforces", "AtCoder", "UVa"} {
		c := Curve{Site: site, Handle: "ada_l"}
		rating := 1200 + 200*i
		for at := now.AddDate(-3, i*3, 0); at.Before(now); at = at.AddDate(0, 0, 14+r.IntN(30)) {
			rating += r.IntN(130) - 52
			c.Events = append(c.Events, RatingEvent{fmt.Sprintf("%s Round %d (Div. 2)", site, 900+len(c.Events)), "https://codeforces.com/contest/1854", 1 + r.IntN(4000), rating, at})
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
			At: now.Add(-time.Duration(i*i) * 17 * time.Minute), Site: sites[i%4], Problem: problems[i%4], ProblemURL: "https://codeforces.com/contest/1854/problem/D", Page: "/problems/codeforces/1854D",
			Status: statuses[i%8], Language: languages[i%4], URL: "https://codeforces.com/contest/1854/submission/23456789",
		})
	}
	return rows
}

func sampleAccounts() []Account {
	at := func(h, m int) time.Time { return time.Date(2026, 11, 21, h, m, 0, 0, riga) }
	return []Account{
		{Site: "atcoder", Title: "AtCoder", Handle: "adal", URL: "https://atcoder.jp/users/adal", State: "active", Outcome: "ok", CompleteUntil: at(13, 58), Due: at(37, 58), LastAttempt: at(13, 58), Submissions: 903, Accepted: 512, Solved: 301, Statuses: []StatusCount{{"AC", 512}, {"WA", 300}, {"TLE", 60}, {"CE", 31}}},
		{Site: "codeforces", Title: "Codeforces", Handle: "ada_l", Former: "lovelace", Renamed: at(-400, 0), URL: "https://codeforces.com/profile/ada_l", State: "active", Outcome: "ok", CompleteUntil: at(14, 2), Due: at(38, 2), Delay: 6, Newest: at(-178, 2), LastAttempt: at(14, 2), Submissions: 2907, Accepted: 1610, Solved: 979, Statuses: []StatusCount{{"AC", 1610}, {"WA", 901}, {"TLE", 250}, {"RE", 100}, {"CE", 40}, {"PS", 6}}},
		{Site: "uva", Title: "UVa", Handle: "ada", URL: "https://uhunt.onlinejudge.org/id/1", State: "active", Outcome: "unreachable", Message: "connection refused", FailingSince: at(9, 12), CompleteUntil: at(-15, 40), Due: at(14, 20), Submissions: 100, Accepted: 4, Solved: 4, Statuses: []StatusCount{{"WA", 96}, {"AC", 4}}},
	}
}

func sampleProfile() Profile {
	return Profile{
		Frame: frame("Ada L.", "/u/ada", "ada"), Now: now, Name: "ada", DisplayName: "Ada L. (sample)", Zone: "Europe/Riga",
		Accounts: AccountsCard{Name: "ada", Now: now, Own: true, Manage: true, Fix: "/settings", Asked: now.Add(-26 * time.Hour), Accounts: sampleAccounts()},
		Stats:    Stats{Submissions: 3910, Accepted: 2126, Solved: 1284, DayStreak: 23, BestDayStreak: 57, TodayCounts: true, ACStreak: 4, BestACStreak: 19, Updated: now.Add(-3 * time.Minute)},
		Year:     memberYear(), Ratings: sampleCurves(), Recent: sampleRecent(), Discussions: templ.Raw(`<p class="soft"><a href="/u/ada/messages">57 messages</a></p>`),
	}
}

// runningProfile has asked a moment ago.
func runningProfile() Profile {
	p := sampleProfile()
	p.Frame.Refresh = 2
	c := &p.Accounts
	c.Running, c.Live, c.Asked = true, true, now.Add(-4*time.Second)
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
	c.Asked, c.Again = now.Add(-12*time.Minute), now.Add(18*time.Minute)
	c.Accounts[0].State, c.Accounts[0].Outcome, c.Accounts[0].Due = "invalid", "not_found", now.AddDate(0, 0, 6)
	c.Accounts[1].State = "paused"
	return p
}

// newProfile has handles that nobody looked at yet.
func newProfile() Profile {
	p := sampleProfile()
	p.Stats, p.Ratings, p.Recent, p.Year.Days = Stats{}, nil, nil, nil
	p.Accounts.Accounts = []Account{{Site: "codeforces", Title: "Codeforces", Handle: "ada_l", State: "new", Due: now}}
	return p
}

// emptyProfile has no handles, and a visitor looks.
func emptyProfile() Profile {
	p := newProfile()
	p.Frame = frame("Ada L.", "/u/ada", "")
	p.Custom, p.FollowedBy = true, "bob"
	p.Accounts = AccountsCard{Name: "ada", Now: now}
	return p
}

// heldProfile has handles on sites that are not asked now.
func heldProfile() Profile {
	p := sampleProfile()
	p.Frame.Strip = "2 sites are not answering: AtCoder, Codeforces."
	p.Accounts.Accounts[0].Held = "site not answering"
	p.Accounts.Accounts[1].Held = "site paused: at their wish"
	return p
}

func sampleMembers() []MemberRow {
	return []MemberRow{
		{Name: "ada", DisplayName: "Ada L. (sample)", Solved: 1284, DayStreak: 23, Newest: now.Add(-4 * time.Minute), Accounts: 3, CompleteUntil: now.Add(-7 * time.Minute)},
		{Name: "bob", DisplayName: "Bob (sample)", Solved: 812, DayStreak: 1, Newest: now.Add(-30 * time.Hour), Accounts: 2, Running: true, CompleteUntil: now.Add(-26 * time.Hour)},
		{Name: "carl", DisplayName: "Carl (sample)", Custom: true, Solved: 90, Newest: now.AddDate(-1, 0, 0), Accounts: 2, Failing: 1, CompleteUntil: now.Add(-26 * time.Hour)},
		{Name: "dora", DisplayName: "Dora (sample)", Accounts: 1, Unread: 1},
		{Name: "eve", DisplayName: "Eve (sample)", Accounts: 2, Invalid: 1, Solved: 12, Newest: now.AddDate(0, 0, -9), CompleteUntil: now},
		{Name: "fred", DisplayName: "Fred (sample)"},
	}
}

// samplePages is every page in every state.
func samplePages() map[string]templ.Component {
	subs := Submissions{
		Frame: frame("Submissions", "/u/ada/submissions", "ada"), Now: now, Name: "ada", DisplayName: "Ada L. (sample)",
		Sites: []Choice{{"atcoder", "AtCoder"}, {"codeforces", "Codeforces"}}, Rows: sampleRecent(), Older: "/u/ada/submissions?after=x", Newer: "/u/ada/submissions?before=x", Pending: true,
		Filter: SubmissionFilter{Site: "codeforces"},
	}
	none := subs
	none.Rows, none.Filter, none.Mistake, none.Older = nil, SubmissionFilter{From: "yesterday"}, "From is not a day: write it as 2026-11-21.", ""
	notice := frame("Members", "/", "ada")
	notice.Notice = "You are signed in."
	return map[string]templ.Component{
		"home":            HomePage(Home{Frame: notice, Now: now, Members: sampleMembers(), Total: 6, Older: "/?after=fred"}),
		"home-visitor":    HomePage(Home{Frame: frame("Members", "/", ""), Now: now, SignUp: "/sign-up", Members: sampleMembers(), Total: 6}),
		"home-empty":      HomePage(Home{Frame: frame("Members", "/", "ada"), Now: now}),
		"profile":         ProfilePage(sampleProfile()),
		"profile-running": ProfilePage(runningProfile()),
		"profile-cooling": ProfilePage(coolingProfile()),
		"profile-new":     ProfilePage(newProfile()),
		"profile-empty":   ProfilePage(emptyProfile()),
		"submissions":     SubmissionsPage(subs),
		"submissions-bad": SubmissionsPage(none),
		"days":            DaysPage(Days{Frame: frame("Days", "/u/ada/days", "ada"), DisplayName: "Ada L. (sample)", Year: memberYear(), Earlier: "/u/ada/days?year=2025"}),
		"ratings":         RatingsPage(Ratings{Frame: frame("Ratings", "/u/ada/ratings", "ada"), Name: "ada", DisplayName: "Ada L. (sample)", Curves: sampleCurves()}),
		"ratings-empty":   RatingsPage(Ratings{Frame: frame("Ratings", "/u/ada/ratings", "ada"), Name: "ada", DisplayName: "Ada L. (sample)"}),
		"profile-held":    ProfilePage(heldProfile()),
	}
}

// memberYear is 53 weeks with pauses.
func memberYear() Year {
	y := Year{Name: "ada", Zone: "Europe/Riga", First: time.Date(2025, 11, 17, 0, 0, 0, 0, time.UTC)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 370 {
		c := DayCount{}
		if busy := r.IntN(10) < 3+i/80; busy && i%50 > 6 {
			c.Submissions = 1 + int(r.ExpFloat64()*5)
			c.Accepted = r.IntN(c.Submissions + 1)
		}
		y.Days = append(y.Days, c)
	}
	return y
}
