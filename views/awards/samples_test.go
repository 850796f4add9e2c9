package awards

import (
	"testing"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/viewstest"
)

// Samples of the awards' pages.

func awardsFrame(title, path, viewer string) parts.Frame {
	f := viewstest.Frame(title, path, viewer)
	f.Awards = true
	return f
}

func sampleCards() []Card {
	half := &Standing{Value: "8", Goal: "15", Part: 53, ToGo: "7 more in navi to Explorer", Started: true, Missing: []string{"7 more in navi (3 so far)"}, Updated: viewstest.Now.Add(-time.Minute),
		Counters: []Counter{{"photo", "active", "5"}, {"photo", "moderation", "1"}, {"photo", "blocked", "2"}}}
	gold := &Standing{Value: "50", Goal: "50", Part: 100, Done: true, Started: true, Has: true, Level: "Gold", Reached: 2, Updated: viewstest.Now,
		Grants: []Grant{{Level: "Gold", At: viewstest.Now.AddDate(0, -1, 0)}, {Level: "Bronze", At: viewstest.Now.AddDate(-1, 0, 0), By: "root"}}}
	return []Card{
		{Slug: "explorer", Title: "Explorer", Text: "Five reviews or photos, and ten kilometres.", State: "active", Goal: "15", Holders: 118, Registered: 1204, Mine: half},
		{Slug: "photographer", Title: "Photographer", State: "paused", Goal: "50", Levels: []Level{{Title: "Bronze", Goal: "5", Members: 3}, {Title: "Gold", Goal: "50", Members: 1, At: viewstest.Now}}, Holders: 1, Registered: 1204, Mine: gold},
		{Slug: "night-owl", Title: "Night owl", State: "retired", Secret: true, Goal: "1", Registered: 1204, Mine: &Standing{Value: "0", Goal: "1", Recounting: true}},
	}
}

func sampleScopes(path string) []parts.Scope {
	return []parts.Scope{{Label: "All", Path: path, Count: 30, Here: true}, {Label: "Earned", Path: path + "?show=earned"}, {Label: "Close", Path: path + "?show=close", Count: 2}}
}

func sampleEditor() Editor {
	return Editor{
		Frame: awardsFrame("Explorer", "/admin/awards/explorer", "ada"), Now: viewstest.Now, Slug: "explorer", Title: "Explorer", State: "active", Version: 3, Latest: 4, Shown: 4, Basis: 4,
		About: "Version 3 runs.", Document: "{\n  \"slug\": \"explorer\"\n}", Before: "{}", Filters: []string{"SourceFilter", "TagFilter"},
		Fields: []EditorField{{Path: "slug", Label: "Address", Value: "explorer"}, {Path: "text", Label: "Text", Long: true, Help: "What members read."}},
		Tasks: []TaskForm{{ID: "reviews", Field: EditorField{Path: "objectives[0].id", Label: "Name of the task", Value: "reviews"},
			Rule:    EditorField{Path: "objectives[0].rule.name", Label: "Rule", Value: "CountRule", Options: []string{"CountRule", "SumRule"}},
			Filters: []PartForm{{Name: "SourceFilter", Wants: "The source is \"reviews\".", Keys: []EditorField{{Path: "objectives[0].filters[0].config.sources", Label: "SourceFilter: sources", Error: "must not be empty", Many: true, List: "names-source"}}}}}},
		Names: map[string][]string{"source": {"reviews"}}, Look: []EditorField{{Path: "picture.icon", Label: "Icon", Options: []string{"", "sun"}, Drawn: map[string]string{"": "<svg></svg>", "sun": "<svg></svg>"}}},
		Mistakes: []Mistake{{Path: "objectives[0].filters[0].config.sources", Text: "must not be empty", Field: "objectives[0].filters[0].config.sources", Line: 3}, {Path: "strategy", Text: "is missing"}, {Text: "is not JSON"}},
		Tree:     []TreeNode{{Words: "goal 15: the sum of", Parts: []TreeNode{{Words: "reviews"}, {Words: "photo"}}}},
		Versions: []Version{{Number: 4, Author: "root", Note: "more of it", At: viewstest.Now}, {Number: 3, Author: "root", Note: "first", At: viewstest.Now.AddDate(0, 0, -3), Runs: true}},
		Moves:    []string{"paused", "retired", "hidden"}, Delete: true,
	}
}

// busyEditor has every part that a button brings.
func busyEditor() Editor {
	p := sampleEditor()
	p.Wrong, p.Done = "Not saved yet.", "The JSON counts."
	p.DryRun = &DryRun{Took: 1400 * time.Millisecond, Gained: 310, Lost: 27, Kept: 3, Near: 55, Notices: 41, TooOld: 269, Backfill: 6, Permanence: "confirmed_after:7d", Members: 100, Of: 10000, Items: 5000,
		Samples: []DrySample{{"ada", "gains", "14.9 of 15", "/admin/awards/explorer/members/ada"}, {"bob", "loses", "8.3 of 15", ""}}}
	p.Try = TryForm{Member: "ada", Event: "{}", Done: true, Outside: "its day is outside the window", Before: "2 of 5", After: "3 of 5", Changes: true, Recent: []RecentEvent{{"a b", "ada: review"}},
		Tasks: []TriedTask{{ID: "reviews", Words: "counter active from 2 to 3", Verdicts: []Verdict{{"SourceFilter", "the source is \"reviews\"", true}, {"ReviewsLengthFilter", "the text has more than 100 characters", false}}}}}
	p.Conflict = &Conflict{Latest: 4, Author: "root", Note: "more of it", At: viewstest.Now, Theirs: []DiffLine{{' ', "{"}, {'-', "a"}, {'+', "b"}}}
	return p
}

func awardPages() map[string]templ.Component {
	cards := sampleCards()
	one := Award{Frame: awardsFrame("Explorer", "/awards/explorer", "ada"), Now: viewstest.Now, Card: cards[0], Tree: sampleEditor().Tree[0], Rules: []string{"earned for good"}, Edit: "/admin/awards/explorer", Older: "?after=x", Newest: "/awards/explorer",
		Objectives: []ObjectiveWords{{"reviews", "every item", []string{"the source is \"reviews\""}}, {"all", "every item", nil}},
		Holders:    []Holder{{Name: "bob", DisplayName: "Bob", At: viewstest.Now, Level: "Gold", Period: "2026-11-01", By: "root"}, {Name: "eve", DisplayName: "Eve", At: viewstest.Now.AddDate(-1, 0, 0)}}}
	item := ExplainedItem{Source: "reviews", Key: "item:r1", Status: "active", Event: "r1", At: viewstest.Now, Body: "{}", Tasks: []ExplainedTask{{ID: "reviews", Counted: "1 active"}, {ID: "photo", Why: "another source", Verdicts: []Verdict{{"SourceFilter", "the source is \"photo\"", false}}}}}
	explained := Explained{Frame: awardsFrame("Explorer of ada", "/admin/awards/explorer/members/ada", "ada"), Now: viewstest.Now, Slug: "explorer", Title: "Explorer", Name: "ada", DisplayName: "Ada", State: "active", Mine: *cards[0].Mine, Levels: cards[1].Levels,
		Why: []string{"Progress is 8 of 15."}, Wrong: "A note is missing.", Items: []ExplainedItem{item}, MoreItems: "?at=x", MoreLog: "?before=3", Log: []ExplainedChange{{At: viewstest.Now, Objective: "reviews", Item: "reviews item:r1", Reason: "event", Was: "nothing", Came: "1 active"}},
		Grants: []GrantLine{{viewstest.Now, "granted", "reached", ""}}, Bans: []GrantLine{{viewstest.Now, "banned", "cheated", "root"}}}
	own := Member{Frame: awardsFrame("Awards of Ada", "/u/ada/awards", "ada"), Now: viewstest.Now, Name: "ada", DisplayName: "Ada", Wrong: "3 awards are pinned already.",
		List: CardList{Now: viewstest.Now, Of: "ada", Own: true, Support: true, All: 30, Groups: []CardGroup{{"Pinned", cards[1:2]}, {"In progress", cards[:1]}, {"Not started", cards[2:]}},
			Scopes: sampleScopes("/u/ada/awards"), Pages: parts.Pages{Newer: "?page=1", Older: "?page=3", Plain: true}}}
	fresh := Editor{Frame: awardsFrame("New award", "/admin/awards/new", "ada"), Now: viewstest.Now, Title: "New award", Document: "{}"}
	return map[string]templ.Component{
		"awards":       IndexPage(Index{Frame: awardsFrame("Awards", "/awards", "ada"), List: CardList{Now: viewstest.Now, All: 3, Groups: []CardGroup{{"To earn", cards}}, Scopes: sampleScopes("/awards")}, Own: "/u/ada/awards"}),
		"awards-empty": IndexPage(Index{Frame: awardsFrame("Awards", "/awards", "")}),
		"award":        Page(one),
		"award-nobody": Page(Award{Frame: awardsFrame("Night owl", "/awards/night-owl", ""), Now: viewstest.Now, Card: Card{Slug: "night-owl", Title: "Night owl", Goal: "1"}, Broken: true}),
		"awards-of":    MemberPage(own),
		"awards-none":  MemberPage(Member{Frame: awardsFrame("Awards of Carl", "/u/carl/awards", "ada"), Now: viewstest.Now, Name: "carl", DisplayName: "Carl", Why: "Awards go to registered members only."}),
		"award-editor": EditorPage(sampleEditor()),
		"award-busy":   EditorPage(busyEditor()),
		"award-new":    EditorPage(fresh),
		"award-diff":   DiffPage(Diff{Frame: awardsFrame("Versions", "/admin/awards/explorer/versions", "ada"), Now: viewstest.Now, Slug: "explorer", Title: "Explorer", From: Version{Number: 1, At: viewstest.Now}, To: Version{Number: 2, At: viewstest.Now}, Lines: []DiffLine{{'+', "x"}}}),
		"awards-admin": AdminPage(Admin{Frame: awardsFrame("Awards", "/admin/awards", "ada"), Now: viewstest.Now, Starter: 15, Rows: []AdminRow{{Slug: "explorer", Title: "Explorer", State: "active", Version: 3, Latest: 4, Holders: 118, Recounting: true, Items: 1200}, {Slug: "x", Title: "X", State: "draft", Latest: 1, Mistake: "unknown filter"}}}),
		"awards-gallery": GalleryPage(Gallery{Frame: awardsFrame("New award", "/admin/awards/gallery", "ada"), Categories: []Sample{{Slug: "problems", About: "One task", Title: "Problem solver", Text: "Solve 10 problems."}},
			Cookbook: []Sample{{Slug: "city-explorer", About: "Events of other systems", Title: "City explorer", Text: "Five photos.", Levels: []string{"Some", "All"}, Needs: []string{"photo", "navi"}}}}),
		"award-explain": ExplainPage(explained),
		"award-support": SupportPage(Support{Frame: awardsFrame("Support", "/admin/support", "ada"), Name: "nobody", Wrong: "No member is named nobody."}),
		"award-why": WhyPage(Why{Frame: awardsFrame("Explorer of Ada", "/awards", "ada"), Now: viewstest.Now, Slug: "explorer", Title: "Explorer", Text: "Five photos.",
			Name: "ada", DisplayName: "Ada", Own: true, Standing: Standing{ToGo: "2 more photos", Part: 60, Next: "Explorer"},
			Counted: []WhyLine{{"photo", "the museum of a long name by the river", "1 for photos", viewstest.Now}}, Older: "?at=x",
			Not: []WhyLine{{"photo", "cafe", "It counts only if the status is active.", viewstest.Now}}}),
		"award-events": EventsPage(Events{Frame: awardsFrame("Events", "/admin/events", "ada"), Now: viewstest.Now, Total: 1, More: "?before=1", Tokens: &Tokens{New: "source_x", List: []Token{{ID: 1, Source: "photo", Label: "the camera server", By: "ada", Created: viewstest.Now}}}, Sources: []Source{{Name: "photo", Waiting: 10000, Full: true, Handled: 5, Paused: viewstest.Now}, {Name: "days"}},
			Dead: []DeadEvent{{ID: 1, Source: "photo", Event: "x", Member: "ada", Reason: "at: is missing", Body: "{}", At: viewstest.Now}, {ID: 2, Source: "photo", Reason: "source: is missing", Place: "topic photos, partition 3, offset 17", At: viewstest.Now}},
			Kafka: &Kafka{On: true, Known: true, FailingSince: viewstest.Now, Error: "connection refused", Outbox: 10000, Full: true, Topics: []Topic{
				{Name: "photos", Source: "photo", Partitions: 12, Lag: 1200, ReadAt: viewstest.Now}, {Name: "new", Source: "navi"}, {Name: "grants", Kind: "grant"}}}}),
	}
}

func TestAwardPages(t *testing.T) { viewstest.CheckPages(t, awardPages()) }
