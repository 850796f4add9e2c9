package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
)

// Whatever is sent as a document, the form comes back and says what is wrong.
func TestLintAward(t *testing.T) {
	t.Parallel()
	_, ann, _ := handlerstest.NewWithMembers(t)
	lint := func(text string) handlerstest.Answer {
		return ann.Do(http.MethodPost, "/admin/awards/lint?slug=writer", strings.NewReader(text), "Sec-Fetch-Site", "same-origin").Is(t, http.StatusOK)
	}
	if got := strings.TrimSpace(lint(strings.ReplaceAll(writer, `"reviews"`, `"submissions"`)).Text); got != "[]" {
		t.Errorf("a good document has %s", got)
	}
	wrong := strings.Replace(writer, `"CountRule"`, `"Count😀"`, 1)
	lint(wrong).Is(t, http.StatusOK, `"path":"objectives[0].rule.name"`, `no rule is named`)
	for _, text := range []string{"", "nul", "{", strings.Repeat("[", 5000), `{"a":1,"a":2}`, "\x00", `{"slug": "other"}`, `{"objectives": [[1]], "strategy": 3}`, `[{}]`, `"x"`} {
		lint(text).Is(t, http.StatusOK, `"message"`)
		f := form(t, ann.Get("/admin/awards/new"), ann)
		page := f.press("save", "document", text, "note", "x").Is(t, http.StatusUnprocessableEntity, "Not saved")
		for _, do := range []string{"check", "add-objective", "add-filter 0", "remove-filter 0 0", "remove-objective 9", "dry-run", "try", "", "x"} {
			form(t, page, ann).press(do).Is(t, http.StatusOK)
		}
	}
}
