package awards_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"laurel/handlers/handlerstest"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/events"
)

// A sheetForm is the editor's form as a browser without scripts sends it.
type sheetForm struct {
	t      *testing.T
	b      *handlerstest.Browser
	page   handlerstest.Answer
	action string
	fields map[string]string
}

// nextValue is between the values of fields that have the same name.
const nextValue = "\x00"

// form reads the form of a page.
func form(t *testing.T, a handlerstest.Answer, b *handlerstest.Browser) *sheetForm {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.Text))
	if err != nil {
		t.Fatal(err)
	}
	f := &sheetForm{t, b, a, doc.Find("#editor").AttrOr("action", ""), map[string]string{}}
	doc.Find("#editor [name]:not(button)").Each(func(_ int, s *goquery.Selection) {
		name, value := s.AttrOr("name", ""), s.AttrOr("value", "")
		if kind := s.AttrOr("type", ""); kind == "radio" || kind == "checkbox" {
			if _, checked := s.Attr("checked"); !checked {
				return
			}
		}
		switch goquery.NodeName(s) {
		case "textarea":
			value = s.Text()
		case "select":
			chosen := s.Find("option[selected]")
			if chosen.Length() == 0 {
				chosen = s.Find("option").First()
			}
			value = chosen.AttrOr("value", chosen.Text())
		}
		if before, ok := f.fields[name]; ok { // Of a list there are several.
			value = before + nextValue + value
		}
		f.fields[name] = value
	})
	return f
}

// press sends the form with some fields typed into.
func (f *sheetForm) press(do string, typed ...string) handlerstest.Answer {
	f.t.Helper()
	for i := 0; i+1 < len(typed); i += 2 {
		if _, ok := f.fields[typed[i]]; !ok {
			f.t.Fatalf("the form has no %q:\n%s", typed[i], f.page.Text)
		}
		f.fields[typed[i]] = typed[i+1]
	}
	sent := url.Values{"do": {do}}
	for name, value := range f.fields {
		for _, one := range strings.Split(value, nextValue) {
			sent.Add(name, strings.ReplaceAll(one, "\n", "\r\n"))
		}
	}
	return f.b.Do(http.MethodPost, f.action, strings.NewReader(sent.Encode()), "Content-Type", "application/x-www-form-urlencoded",
		"Sec-Fetch-Site", "same-origin")
}

func sends(t *testing.T, s *handlerstest.Site, member string, items ...string) {
	t.Helper()
	var list []rules.Event
	for i, item := range items {
		list = append(list, rules.Event{Source: "reviews", ID: item, Item: item, Seq: int64(i + 1), Member: member, Type: "review", Status: "active", At: s.Time, Facts: rules.Facts{"text": "a good company"}})
	}
	if _, err := events.Append(t.Context(), s.DB.DB, list, s.Time); err != nil {
		t.Fatal(err)
	}
	countAwards(t, s)
}

const writer = `{"slug": "writer", "title": "Writer", "text": "Two reviews.", "objectives": [
	{"id": "reviews", "filters": [{"name": "SourceFilter", "config": {"sources": ["reviews"]}}], "rule": {"name": "CountRule"}}],
	"strategy": {"goal": 2, "strategy": [{"objective_id": "reviews"}]}}`

// From nothing to an explained award, by forms alone.
func TestAwardFromFormToExplanation(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	bob.Get("/awards").Is(t, http.StatusOK, "No awards yet", "Once an admin activates an award")
	ann.Get("/admin/awards").Is(t, http.StatusOK, "15 awards of the starter set")
	ann.Get("/awards").Is(t, http.StatusOK, "/admin/awards/new")
	page := ann.Get("/admin/awards/new").Is(t, http.StatusOK, "Save as a draft", "SourceFilter: sources", "How it adds up")
	for _, words := range []string{"must not be empty", "aria-invalid=\"true\""} {
		if strings.Contains(page.Text, words) {
			t.Errorf("before anything was typed the form says %s", words)
		}
	}

	f := form(t, page, ann)
	page = f.press("save").Is(t, http.StatusUnprocessableEntity, "Not saved: fix", `href="#at-slug"`)
	f = form(t, page, ann)
	page = f.press("apply", "slug", "writer", "title", "Writer", "strategy.goal", "2", "objectives[0].filters[0].config.sources", "reviews"+nextValue+"photo").Is(t, http.StatusOK)
	f = form(t, page, ann)
	for _, want := range []string{`"slug": "writer"`, `"goal": 2`, `["reviews", "photo"]`} {
		if !strings.Contains(f.fields["document"], want) {
			t.Fatalf("the document lacks %s:\n%s", want, f.fields["document"])
		}
	}
	page = f.press("add-filter 0", "add-0", "ReviewsLengthFilter").Is(t, http.StatusOK, "ReviewsLengthFilter: allowed_length")
	page = form(t, page, ann).press("apply", "objectives[0].filters[1].config.allowed_length", "3", "objectives[0].rule.name", "UniqueByObjectRule").Is(t, http.StatusOK)
	page = form(t, page, ann).press("remove-filter 0 1").Is(t, http.StatusOK)
	f = form(t, page, ann)
	if strings.Contains(f.fields["document"], "ReviewsLength") || !strings.Contains(f.fields["document"], "UniqueByObjectRule") {
		t.Fatalf("the document is now\n%s", f.fields["document"])
	}
	page = f.press("save", "objectives[0].rule.name", "CountRule").Is(t, http.StatusUnprocessableEntity, "add a version note")
	form(t, page, ann).press("save", "note", "first").LeadsTo(t, "/admin/awards/writer?done=award")
	sends(t, s, "bob", "r1")
	f = form(t, ann.Get("/admin/awards/writer").Is(t, http.StatusOK, "Activate version 1", "draft, version 1"), ann)
	f.press("activate").LeadsTo(t, "/admin/awards/writer?done=activated")
	countAwards(t, s)
	bob.Get("/awards").Is(t, http.StatusOK, "Writer", "Not earned by anyone yet", "1 more solved to Writer", `<progress value="50"`)
	sends(t, s, "bob", "r1", "r2")
	bob.Get("/u/bob/awards").Is(t, http.StatusOK, "Earned", "solved: 2 count", `Pin <span class="visually-hidden">Writer`)
	ann.Get("/awards/writer").Is(t, http.StatusOK, "1 of 2 members has it (50 %)", "every item, if", "bob")
	ann.Get("/admin/awards/writer/members/bob").Is(t, http.StatusOK, "item:r2", "1 active", "granted", "reached")

	bob.Post("/u/bob/awards/pins", "award", "writer", "pin", "yes").LeadsTo(t, "/u/bob/awards")
	ann.Get("/u/bob/awards").Is(t, http.StatusOK, "Pinned")
	bob.Post("/u/bob/awards/pins", "award", "writer", "pin", "no").LeadsTo(t, "/u/bob/awards")
}

func TestAwardEditor(t *testing.T) {
	t.Parallel()
	s, ann, _ := handlerstest.NewWithMembers(t)
	doc, mistakes := rules.Parse([]byte(writer))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	if _, err := awards.Save(t.Context(), s.DB.DB, doc, awards.Edit{Author: "ann", Note: "first"}, s.Time); err != nil {
		t.Fatal(err)
	}
	sends(t, s, "bob", "r1")
	open := func() *sheetForm { return form(t, ann.Get("/admin/awards/writer").Is(t, http.StatusOK), ann) }

	// What is typed into a field is not lost, whatever button is pressed; where the
	// JSON was changed at the same place, it counts.
	f := open()
	f.press("apply", "document", strings.Replace(f.fields["document"], `"Writer"`, `"By JSON"`, 1), "title", "By field", "text", "New text").
		Is(t, http.StatusOK, "precedence over these fields: title", "By JSON", "New text")

	// An event is tried on what is there, which is not saved.
	f = open()
	event := `{"source": "reviews", "id": "r9", "item": "r9", "type": "review", "status": "active", "seq": 1, "at": "2026-11-20T10:00:00Z"}`
	f.press("try", "try_member", "bob", "try_event", event, "strategy.goal", "5").Is(t, http.StatusOK, "bob would go from 1 of 5 to 2 of 5", "SourceFilter", "counter active from 1 to 2")
	f.press("try", "try_member", "nobody").Is(t, http.StatusOK, "No member is named")
	f.press("try", "try_member", "bob", "try_event", `{"sauce": 1}`).Is(t, http.StatusOK, "sauce: is unknown")
	open().press("take", "try_recent", "reviews r1").Is(t, http.StatusOK, "&#34;item&#34;: &#34;r1&#34;")
	open().press("dry-run", "strategy.goal", "1").Is(t, http.StatusOK, "<b>+1</b>", "would gain it", "bob")
	open().press("activate", "title", "Other").Is(t, http.StatusUnprocessableEntity, "Save it first")
	open().press("check", "objectives[0].rule.name", "SumRule").Is(t, http.StatusOK, "must not be empty", `href="#at-objectives-0-rule-config-fact"`)
	open().press("add-objective").Is(t, http.StatusOK, "Task objective-2")

	// Two admins.
	mine, theirs := open(), open()
	theirs.press("save", "title", "Theirs", "note", "they were first").LeadsTo(t, "/admin/awards/writer?done=award")
	page := mine.press("save", "text", "Mine", "note", "I was second").Is(t, http.StatusConflict, "Someone else saved in the meantime", "they were first", "Replace with mine: version 2")
	form(t, page, ann).press("save-over 2").LeadsTo(t, "/admin/awards/writer?done=award")
	ann.Get("/admin/awards/writer/versions?from=2&to=3").Is(t, http.StatusOK, "Only texts differ", "<ins>", "Mine")
	ann.Get("/admin/awards/writer?version=1").Is(t, http.StatusOK, "old, version 1")
	form(t, ann.Get("/admin/awards/new"), ann).press("save", "document", writer, "note", "again").Is(t, http.StatusConflict, "is taken")

	ann.Post("/admin/awards/writer/activate", "version", "1").LeadsTo(t, "/admin/awards/writer?done=activated")
	ann.Get("/admin/awards/writer").Is(t, http.StatusOK, "Version 1 is active", "Pause", "Retire")
	ann.Post("/admin/awards/writer/state", "to", "paused").LeadsTo(t, "/admin/awards/writer?done=saved")
	ann.Get("/awards/writer").Is(t, http.StatusOK, "Paused: progress counts")
	ann.Post("/admin/awards/writer/state", "to", "draft").Is(t, http.StatusUnprocessableEntity, "cannot become draft")
	ann.Post("/admin/awards/writer/secret", "secret", "yes").LeadsTo(t, "/admin/awards/writer?done=saved")
	s.SignedIn(t, "bob").Get("/awards/writer").Is(t, http.StatusNotFound)
	ann.Post("/admin/awards/writer/delete", "confirm", "x").Is(t, http.StatusUnprocessableEntity, "type writer exactly")
	ann.Post("/admin/awards/writer/delete", "confirm", "writer").LeadsTo(t, "/admin/awards?done=gone")
}

func TestAwardByHandAndEvents(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	doc, _ := rules.Parse([]byte(writer))
	if _, err := awards.Save(t.Context(), s.DB.DB, doc, awards.Edit{Author: "ann", Note: "first"}, s.Time); err != nil {
		t.Fatal(err)
	}
	if err := awards.Activate(t.Context(), s.DB.DB, "writer", 1, s.Time); err != nil {
		t.Fatal(err)
	}
	const page = "/admin/awards/writer/members/bob"
	ann.Post(page+"/by-hand", "what", "grant").Is(t, http.StatusUnprocessableEntity, "note")
	ann.Post(page+"/by-hand", "what", "grant", "note", "for the talk").LeadsTo(t, page+"?done=saved")
	ann.Get(page).Is(t, http.StatusOK, "for the talk")
	bob.Get("/awards/writer").Is(t, http.StatusOK, "given by ann")
	ann.Post(page+"/by-hand", "what", "revoke", "note", "a mistake").LeadsTo(t, page+"?done=saved")
	ann.Post(page+"/recompute").LeadsTo(t, page+"?done=recompute")
	ann.Get("/admin/awards/writer/members?member=bob").LeadsTo(t, page)
	ann.Get("/admin/awards").Is(t, http.StatusOK, "Writer", "version 1")

	ann.Post("/admin/awards/starter", "as", "active").LeadsTo(t, "/admin/awards?done=starter")
	ann.Get("/admin/awards").Is(t, http.StatusOK, "counting:")
	bob.Get("/u/bob/awards").Is(t, http.StatusOK, "In progress")
	ann.Post("/admin/events/sources/submissions/pause").LeadsTo(t, "/admin/events?done=waits")
	ann.Get("/admin/events").Is(t, http.StatusOK, "paused since", "Resume submissions")
	ann.Post("/admin/events/sources/submissions/resume").LeadsTo(t, "/admin/events?done=goes-on")
	ann.Post("/admin/events/sources/none/pause").Is(t, http.StatusNotFound)
	ann.Post("/admin/events/dead/1/replay").Is(t, http.StatusNotFound)
}

// countAwards lets the workers of awards work until nothing is left.
func countAwards(t *testing.T, s *handlerstest.Site) {
	t.Helper()
	scheme := new(awards.Ruleset)
	for busy := true; busy; {
		n, err := awards.Apply(t.Context(), s.DB.DB, scheme, 1000, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		again, err := awards.RecountPending(t.Context(), s.DB.DB, scheme, 1000, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		m, err := awards.Evaluate(t.Context(), s.DB.DB, scheme, 1000, s.Time)
		if err != nil {
			t.Fatal(err)
		}
		busy = n > 0 || again || m > 0
	}
}
