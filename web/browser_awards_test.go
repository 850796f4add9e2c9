package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"laurel/models/awards/rules"
	"laurel/models/events"
	"laurel/models/members"
)

func awardsWithScripts(t *testing.T, browser context.Context)    { awardFromNothing(t, browser, true) }
func awardsWithoutScripts(t *testing.T, browser context.Context) { awardFromNothing(t, browser, false) }

// awardFromNothing is an admin's way from an empty catalogue to an award that is
// granted and explained, found by visible words alone.
func awardFromNothing(t *testing.T, browser context.Context, scripts bool) {
	if scripts {
		needScripts(t)
	}
	w := &walk{newLaurel(t, 1000), nil, browser, scripts}
	w.member(t, members.Member{Name: "ada", Role: members.RoleAdmin}, nil)
	w.member(t, members.Member{Name: "grace"}, nil)
	w.reviews("grace", "r1", "r2", "r3")
	w.tab = w.enter(t)
	w.work()
	w.open("/sign-in")
	w.fill("Username", "ada")
	w.fill("Password", password)
	w.follow("Sign in")
	w.open("/awards")
	w.sees("No awards yet", "Start with the starter set")
	w.follow("gallery")
	w.sees("Four ways to combine tasks", "Cookbook", "Other systems must send photo, reviews, navi")
	w.picture("0-gallery")
	w.follow("Five languages")
	w.sees("Five languages", "Save as a draft")
	w.open("/admin/awards/gallery")
	w.follow("Empty award")
	w.writeAward()
	w.numbers()
	w.mistype()
	w.numbersStand()
	w.tryEvents()
	w.countAndActivate()
	w.explain()
	if scripts {
		w.completes()
	}
}

// reviews are sent by another program.
func (w *walk) reviews(member string, items ...string) {
	var list []rules.Event
	for i, item := range items {
		list = append(list, rules.Event{Source: "reviews", ID: item, Item: item, Object: "cafe-" + item, Seq: int64(i + 1), Member: member, Type: "review", Status: "active",
			At: w.clock.now(), Facts: rules.Facts{"text": strings.Repeat("good coffee ", 12)}})
	}
	if _, err := events.Append(context.Background(), w.db.DB, list, w.clock.now()); err != nil {
		panic(err)
	}
}

// picture stores what is shown now, for people to look at.
func (w *walk) picture(name string) {
	w.shoot("awards-" + map[bool]string{true: "scripts", false: "plain"}[w.scripts] + "-" + name)
}

// writeAward fills the form of a new award.
func (w *walk) writeAward() {
	w.sees("New award", "Save as a draft")
	w.fill("Address", "critic")
	w.fill("Title", "Critic")
	w.fill("Text", "Three places, each with more than a line.")
	w.fill("Goal", "3")
	w.fill("SourceFilter: sources", "reviews")
	w.fill("Name of the task", "reviews")
	if w.scripts { // What a field says is in the JSON at once.
		w.find("label", "Address") // Leaves the field before.
		w.until(func() bool {
			return strings.Contains(js[string](w.tab, "document.querySelector('#document').value"), `"id": "reviews"`)
		}, func() string { return "the JSON does not follow the fields" })
	}
	w.followStill("Update the JSON")
	w.choose("Add a filter", "ReviewsLengthFilter")
	w.followStill("Add filter")
	w.fill("ReviewsLengthFilter: allowed_length", "100")
	w.choose("Rule", "ReviewUniqueByObjectRule")
	w.followStill("Update the JSON")
	w.picture("1-fields")
}

// followStill waits until fields and JSON are one, as a person would see.
func (w *walk) followStill(words string) {
	w.t.Helper()
	w.until(func() bool {
		still, err := tryJS[bool](w.tab, `!document.querySelector("[data-busy]")`)
		return err == nil && still
	}, func() string { return "the fields stay busy" })
	w.follow(words)
}

// document types a whole JSON.
func (w *walk) document(text string) {
	w.t.Helper()
	if !w.scripts {
		w.fill("JSON", text)
		return
	}
	at := w.find(`[role="textbox"]`, "JSON")
	w.do(chromedp.MouseClickXY(at.X, at.Y), chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.Func(func(ctx context.Context, s *chromedp.Target) error {
		_, err := cdp.Call(ctx, s, input.InsertText, input.InsertTextParams{Text: text})
		return err
	}))
}

const criticRight = `{
  "slug": "critic", "title": "Critic", "text": "Three places, each with more than a line.",
  "objectives": [
    {"id": "reviews",
     "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}},
                 {"name": "ReviewsLengthFilter", "config": {"allowed_length": 100}}],
     "rule": {"name": "ReviewUniqueByObjectRule"}}
  ],
  "strategy": {"goal": 3, "strategy": [{"objective_id": "reviews"}]}
}`

// mistype makes mistakes in the JSON, sees where they are, and corrects them.
func (w *walk) mistype() {
	w.document(strings.NewReplacer(`"SourceFilter"`, `"SauceFilter"`, `100`, `"many"`).Replace(criticRight))
	if !w.scripts {
		w.followStill("Check the JSON")
	}
	w.sees("objectives[0].filters[0].name: no filter is named \"SauceFilter\"", "objectives[0].filters[1].config.allowed_length: must be a whole number, not a text")
	w.picture("2-mistakes")
	w.bothPanes()
	w.document(criticRight)
	w.followStill("Check the JSON")
	w.sees("No errors left", "goal 3", "How it adds up")
	if got := w.value("ReviewsLengthFilter: allowed_length"); got != "100" {
		w.t.Errorf("the field says %q", got)
	}
}

// tryEvents sees what a short text and a long one would do.
func (w *walk) tryEvents() {
	event := func(text string) string {
		return `{"source": "reviews", "id": "x", "item": "x", "object": "cafe-x", "type": "review", "status": "active", "at": "` + w.clock.now().UTC().Format(time.RFC3339) + `", "facts": {"text": "` + text + `"}}`
	}
	w.fill("Member", "grace")
	w.fill("Event as JSON", event("short"))
	w.followStill("Test the event")
	w.sees("SourceFilter: the source is \"reviews\"", "fails unless the text has more than 100 characters", "Nothing would change for grace (3 of 3)")
	w.fill("Event as JSON", event(strings.Repeat("long ", 30)))
	w.followStill("Test the event")
	w.sees("counter active from 3 to 4")
	w.picture("3-tried")
	w.fill("Goal", "4")
	w.followStill("Test the event")
	w.sees("grace would go from 3 of 4 to 4 of 4 and reach the goal")
	w.fill("Goal", "3")
}

// countAndActivate saves, counts whom it would reward, and lets it run.
func (w *walk) countAndActivate() {
	if !w.scripts { // The script asks for the note before anything is sent.
		w.followStill("Save as a draft")
		w.sees("Not saved: add a version note")
	}
	w.fill("Version note (required)", "asked for on the list")
	w.followStill("Save as a draft")
	w.sees("Saved as a new version", "draft, version 1")
	w.followStill("Run the preview")
	w.sees("+1 would gain it", "grace would gain it: 3 of 3", "Exact: 3 items")
	w.picture("4-counted")
	w.followStill("Activate version 1")
	w.sees("Activated", "active, version 1", "Version 1 is active")
}

// explain looks at who has it, and why.
func (w *walk) explain() {
	w.follow("As members see it")
	w.until(func() bool {
		w.open("/awards/critic")
		return strings.Contains(w.text(), "1 of 2 members has it (50 %)")
	}, func() string { return "grace does not get it" })
	w.press("What counts exactly")
	w.sees("How to earn it", "different objects, each once, if", "the text has more than 100 characters")
	w.picture("5-award")
	w.follow("grace")
	w.press("Why? Critic")
	w.sees("Awards of grace", "Earned", "reviews: 3 count")
	w.picture("6-member")
	w.open("/awards/critic")
	w.follow("Edit this award")
	w.fill("Explain this award for a member", "grace")
	w.follow("Explain")
	w.sees("Critic: grace", "granted", "reached", "item:r3", "1 active, for cafe-r3", "nothing")
	w.picture("7-explained")
	w.follow("Recompute now")
	w.sees("Requested. It is evaluated within seconds")
	w.fill("Reason (required)", "copied from elsewhere")
	w.follow("Revoke")
	w.sees("copied from elsewhere", "taken by hand, so progress does not restore it")
}
