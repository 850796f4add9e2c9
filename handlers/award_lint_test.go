package handlers

import (
	"net/http"
	"strings"
	"testing"
)

// Whatever is sent as a document, the form comes back and says what is wrong.
func TestLintAward(t *testing.T) {
	t.Parallel()
	_, ann, _ := pagesSite(t)
	lint := func(text string) answer {
		return ann.do(http.MethodPost, "/admin/awards/lint?slug=writer", strings.NewReader(text), "Sec-Fetch-Site", "same-origin").is(t, http.StatusOK)
	}
	if got := strings.TrimSpace(lint(writer).body); got != "[]" {
		t.Errorf("a good document has %s", got)
	}
	wrong := strings.Replace(writer, `"CountRule"`, `"Count😀"`, 1)
	lint(wrong).is(t, http.StatusOK, `"path":"objectives[0].rule.name"`, `no rule is named`)
	for _, text := range []string{"", "nul", "{", strings.Repeat("[", 5000), `{"a":1,"a":2}`, "\x00", `{"slug": "other"}`, `{"objectives": [[1]], "strategy": 3}`, `[{}]`, `"x"`} {
		lint(text).is(t, http.StatusOK, `"message"`)
		f := form(t, ann.get("/admin/awards/new"), ann)
		page := f.press("save", "document", text, "note", "x").is(t, http.StatusUnprocessableEntity, "Not saved")
		for _, do := range []string{"check", "add-objective", "add-filter 0", "remove-filter 0 0", "remove-objective 9", "dry-run", "try", "", "x"} {
			form(t, page, ann).press(do).is(t, http.StatusOK)
		}
	}
}
