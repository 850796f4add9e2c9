package home

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

// sampleLeaders are rows in every state.
func sampleLeaders() Leaders {
	return Leaders{Label: "Leaderboard", Value: "Solved", Solved: "In all", Change: true, Streak: true, Weeks: true, Data: true,
		Own: &Leader{ID: 7, Name: "ada", DisplayName: "Ada L.", Own: true, Rank: 1234, Was: 1230, Value: 3, Solved: 1284},
		Rows: []Leader{
			{ID: 1, Name: "bob", DisplayName: "Bob <sample>", Rank: 1, Was: 3, Value: 12345, Solved: 12345, Streak: 400, Weeks: []int{0, 1, 2, 3, 4, 5, 6, 7}},
			{ID: 2, Name: "star", DisplayName: "Star", Custom: true, Rank: 2, Was: 2, Value: 9, Incomplete: []string{"UVa", "SPOJ", "Timus"}},
			{DisplayName: "Former member", Rank: 2, Value: 9, Incomplete: []string{"UVa"}},
		}}
}

// pages are the pages of home in every state.
func pages() map[string]templ.Component {
	board := Leaderboard{Frame: viewstest.Frame("Leaderboard", "/leaderboard", "ada"), Title: "Everyone, last 7 days", Size: 1234,
		Orders: []Choice{{"solved", "Solved", true}, {"streak", "Streak", false}}, In: "week", Since: viewstest.Now, Table: sampleLeaders(),
		Months: []Choice{{"", "Now", true}, {"2026-10", "End of October 2026", false}}, Older: "/leaderboard?cursor=x"}
	none := Leaderboard{Frame: board.Frame, Title: "Everyone, by streak"}
	before := none
	before.Past, before.Begin = true, viewstest.Then
	today := Today{Frame: viewstest.Frame("Today", "/", "ada"), Name: "Ada", When: "Saturday 21 November, 14:05 in Europe/Riga", Accounts: templ.NopComponent,
		Facts: []Fact{{Figure: "23 days", Line: "streak ·", Strong: "10 h left today", Alive: true}, {Figure: "#4", Line: "this week"}},
		Note:  &Nothing{"Nothing submitted yet today.", "/u/ada/submissions", "See what you tried last"},
		Cards: []Card{{Title: "Leaderboard this week", More: parts.Link{Href: "/leaderboard", Text: "Full leaderboard"}, Body: LeadersTable(sampleLeaders())},
			{Title: "Awards nearly there", Body: NearAwards([]NearAward{{"Night shift", "/awards/night", "/awards/night/picture.svg", "3 more", 17, 20}})},
			{Title: "Latest discussions", Empty: Nothing{"No discussions yet.", "/forums", "See the forums"}}},
		Choices: []Choice{{"week", "Leaderboard this week", true}, {"threads", "Latest discussions", false}}}
	landing := Landing{Frame: viewstest.Frame("Home", "/", ""), Welcome: "We train on Tuesdays.", SignUp: "/sign-up", Sites: "AtCoder and 8 more",
		Title: "Leaderboard this week", More: "/leaderboard?in=week", Board: sampleLeaders(),
		Talks: []Talk{{"DP on <trees>", "/forums/news/threads/1", parts.Person{ID: 1, Name: "Bob"}, "Bob · News", "1 reply", "20 min ago"}},
		Facts: []Fact{{Figure: "312", Line: "members here, 9 new in 30 days", Alive: true}, {Figure: "64,389", Line: "submissions"}}, Counted: "Updated 14:02",
		Awards: []RecentAward{{"Problem <solver>: Ten", "/awards/solver", "/awards/solver/picture.svg", "Bob", "/u/bob", "yesterday"}}}
	return map[string]templ.Component{
		"leaderboard": LeaderboardPage(board), "leaderboard-none": LeaderboardPage(none), "leaderboard-before": LeaderboardPage(before),
		"today": TodayPage(today), "landing": LandingPage(landing),
		"landing-empty": LandingPage(Landing{Frame: viewstest.Frame("Home", "/", ""), SetUp: true}),
	}
}

func TestPages(t *testing.T) { viewstest.CheckPages(t, pages()) }

func TestLeadersSay(t *testing.T) {
	html := viewstest.Rendered(t, LeadersTable(sampleLeaders()))
	for _, want := range []string{"▲ 2", "2 places up", "▼ 4", "no change", "not known", "12,345", "1,234", "3 sites incomplete", "UVa incomplete", "Bob &lt;sample&gt;",
		"Solved in each of the last 8 weeks: 0, 1, 2, 3, 4, 5, 6, 7", "Last 8 weeks", "Up to date", "Former member", `class="own"`} {
		if !strings.Contains(html, want) {
			t.Errorf("the table does not say %q:\n%s", want, html)
		}
	}
}
