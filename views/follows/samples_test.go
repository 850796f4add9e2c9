package follows

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

// pages are the pages of following in every state.
func pages() map[string]templ.Component {
	person := func(id int64, name string, hours int) Person {
		return Person{ID: id, Name: name, DisplayName: name + " <sample>", At: viewstest.Now.Add(time.Duration(-hours) * time.Hour)}
	}
	asked := person(4, "dan", 30)
	asked.Requested = true
	feed := Feed{Frame: viewstest.Frame("What people I follow did", "/feed", "ada"), Now: viewstest.Now, Waiting: 2, Older: "/feed?after=x",
		Days: []Day{
			{Person: person(1, "bob", 1), Solved: 4, Problems: []Problem{{"1854D Garden Wall", "codeforces", "1854D"},
				{"FIXPTS", "codechef", "FIXPTS"}, {"<b>", "uva", "100"}},
				Awards: []Award{{"Night Owl", "", "night-owl"}, {"Explorer", "Gold", "explorer"}}},
			{Person: person(2, "cyd", 2), Awards: []Award{{"Night Owl", "", "night-owl"}}},
			{Person: person(1, "bob", 30), Solved: 1, Problems: []Problem{{"1A", "codeforces", "1A"}}},
		}}
	list := func(path string, people ...Person) List {
		return List{Frame: viewstest.Frame("People", path, "ada"), Now: viewstest.Now, People: people, Waiting: 1}
	}
	all := list("/following", person(1, "bob", 1), asked)
	all.Custom, all.Older = []Custom{{person(3, "star", 0), "Codeforces: star, UVa: star9"}}, "/following?after=x"
	refused := list("/following")
	refused.Form = parts.Form{Values: map[string]string{"name": "<ada>"},
		Errors: map[string]string{"name": "This is you; follow somebody else"}}
	return map[string]templ.Component{
		"feed":              FeedPage(feed),
		"feed-none":         FeedPage(Feed{Frame: feed.Frame, Now: viewstest.Now, Newest: "/feed"}),
		"following":         FollowingPage(all),
		"following-refused": FollowingPage(refused),
		"followers":         FollowersPage(list("/following/followers", person(1, "bob", 1))),
		"followers-none":    FollowersPage(list("/following/followers")),
		"requests":          RequestsPage(list("/following/requests", person(1, "bob", 1))),
		"requests-none":     RequestsPage(list("/following/requests")),
		"blocked":           BlockedPage(list("/following/blocked", person(1, "bob", 1))),
	}
}

func TestPages(t *testing.T) { viewstest.CheckPages(t, pages()) }

func TestSentence(t *testing.T) {
	t.Parallel()
	mira := Person{DisplayName: "Mira"}
	for want, d := range map[string]Day{
		"Mira solved 1 problem":                       {Person: mira, Solved: 1},
		"Mira solved 4 problems and earned Night Owl": {Person: mira, Solved: 4, Awards: []Award{{Title: "Night Owl"}}},
		"Mira earned Night Owl, Explorer, Gold": {Person: mira,
			Awards: []Award{{Title: "Night Owl"}, {Title: "Explorer", Level: "Gold"}}},
		"Mira solved 1,200 problems and earned Night Owl": {Person: mira, Solved: 1200, Awards: []Award{{Title: "Night Owl"}}},
	} {
		if got := Sentence(t.Context(), d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDaysOnACard(t *testing.T) {
	t.Parallel()
	at := func(hours int) Day {
		return Day{Person: Person{At: viewstest.Now.Add(time.Duration(-hours) * time.Hour)}, Solved: 1}
	}
	text := viewstest.Rendered(t, Days([]Day{at(1), at(20), at(60)}, viewstest.Now))
	for _, want := range []string{">13:05<", ">yesterday<", ">19 Nov<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the card does not say %q: %s", want, text)
		}
	}
}
