package awards_test

import (
	"net/http"
	"strings"
	"testing"

	handlers "laurel/handlers/awards"
	"laurel/handlers/handlerstest"
	"laurel/models/awards/rules"
)

// document is what is in the JSON of a page.
func (f *sheetForm) document() string { return strings.Join(strings.Fields(f.fields["document"]), " ") }

// Levels and the window are written by fields alone, and go again.
func TestAwardLevelsAndWindow(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	f := form(t, ann.Get("/admin/awards/new").Is(t, http.StatusOK, "When it counts", "Add a level"), ann)
	f = form(t, f.press("add-level", "slug", "reader", "title", "Reader", "strategy.goal", "50").Is(t, http.StatusOK), ann)
	if want := `"levels": [{"title": "", "goal": 50}]`; !strings.Contains(f.document(), want) {
		t.Fatalf("the first level is not %s:\n%s", want, f.document())
	}
	f = form(t, f.press("add-level", "levels[0].title", "Gold").Is(t, http.StatusOK), ann)
	f = form(t, f.press("apply", "levels[0].title", "Bronze", "levels[0].goal", "50").Is(t, http.StatusOK, `href="#at-levels-1-goal"`, "more than the level before it"), ann)
	f = form(t, f.press("apply", "levels[0].goal", "5", "window.from", "2026-11-01", "window.every", "month").Is(t, http.StatusOK), ann)
	for _, want := range []string{`"levels": [{"title": "Bronze", "goal": 5}, {"title": "Gold", "goal": 50}]`, `"window": {"every": "month", "from": "2026-11-01"}`} {
		if !strings.Contains(f.document(), want) {
			t.Fatalf("the document lacks %s:\n%s", want, f.document())
		}
	}
	page := f.press("apply", "window.zone", "Berlin", "window.grace", "2 days").Is(t, http.StatusOK, `id="at-window-zone-error"`, `id="at-window-grace-error"`)
	f = form(t, page, ann)
	f = form(t, f.press("remove-level 0", "window.from", "", "window.every", "", "window.zone", "", "window.grace", "").Is(t, http.StatusOK), ann)
	if d := f.document(); strings.Contains(d, "window") || !strings.Contains(d, `"levels": [{"title": "Gold", "goal": 50}]`) {
		t.Fatalf("the window or the wrong level stays:\n%s", d)
	}
	if d := form(t, f.press("remove-level 0").Is(t, http.StatusOK), ann).document(); strings.Contains(d, "levels") {
		t.Fatalf("the levels stay:\n%s", d)
	}
}

// What is typed into one field leaves everything else of the document as it is.
func TestLevelFieldsKeepTheRest(t *testing.T) {
	t.Parallel()
	const text = `{"levels": [{"title": "Bronze", "more": 1, "goal": 5}, 7], "window": {"until": "2027-01-01", "more": [1]}, "other": null}`
	for path, tt := range map[string]struct{ typed, was, is string }{
		"levels[0].title": {"Copper", `"Bronze"`, `"Copper"`},
		"levels[0].goal":  {"6", `"goal": 5`, `"goal": 6`},
		"window.until":    {"2027-02-01", `2027-01-01`, `2027-02-01`},
		"window.every":    {"year", `"more": [1]}`, `"more": [1], "every": "year"}`},
	} {
		s, _ := rules.ReadSheet([]byte(text))
		form := handlers.FormOf(s, nil)
		form.Apply(form, map[string][]string{path: {tt.typed}})
		if got, want := strings.Join(strings.Fields(s.String()), ""), strings.Join(strings.Fields(strings.Replace(text, tt.was, tt.is, 1)), ""); got != want {
			t.Errorf("%s = %q:\n%s, want\n%s", path, tt.typed, got, want)
		}
	}
}
