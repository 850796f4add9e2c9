package awards_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/awards"
	"laurel/models/awards/rules"
)

// Two admins who write one award: what they changed apart goes together, and
// where they changed the same the second one chooses.
func TestAwardMerge(t *testing.T) {
	t.Parallel()
	s, ann, _ := handlerstest.NewWithMembers(t)
	doc, _ := rules.Parse([]byte(writer))
	if _, err := awards.Save(t.Context(), s.DB.DB, doc, awards.Edit{Author: "ann", Note: "first"}, s.Time); err != nil {
		t.Fatal(err)
	}
	open := func() *sheetForm { return form(t, ann.Get("/admin/awards/writer").Is(t, http.StatusOK), ann) }

	mine, theirs := open(), open()
	theirs.press("save", "title", "Theirs", "note", "they were first").LeadsTo(t, "/admin/awards/writer?done=award")
	page := mine.press("save", "text", "Mine", "note", "I was second").Is(t, http.StatusConflict, "both edits fit together", "Merge both edits")
	page = form(t, page, ann).press("merge 2").Is(t, http.StatusOK, "Not saved yet", "Save as version 3")
	f := form(t, page, ann)
	for _, want := range []string{`"title": "Theirs"`, `"text": "Mine"`} {
		if !strings.Contains(f.document(), want) {
			t.Fatalf("together they lack %s:\n%s", want, f.document())
		}
	}
	f.press("save", "note", "both").LeadsTo(t, "/admin/awards/writer?done=award")

	mine, theirs = open(), open()
	theirs.press("save", "title", "Theirs again", "strategy.goal", "3", "note", "first again").LeadsTo(t, "/admin/awards/writer?done=award")
	page = mine.press("save", "title", "Mine again", "strategy.goal", "4", "text", "", "note", "second again").
		Is(t, http.StatusConflict, "Both of you changed 2 places", "<legend>Title", "<code>Theirs again</code>", "<code>Mine again</code>", "<legend>Goal")
	f = form(t, page, ann)
	f.fields["clash title"] = "mine"
	f.fields["clash strategy.goal"] = "theirs"
	f = form(t, f.press("merge 4").Is(t, http.StatusOK), ann)
	for _, want := range []string{`"title": "Mine again"`, `"goal": 3`} {
		if !strings.Contains(f.document(), want) {
			t.Fatalf("as chosen it lacks %s:\n%s", want, f.document())
		}
	}
	// Somebody is faster again.
	theirs = open()
	theirs.press("save", "text", "Faster", "note", "faster").LeadsTo(t, "/admin/awards/writer?done=award")
	f.press("save", "note", "slow").Is(t, http.StatusConflict, "Merge both edits")
	f.press("merge 9").Is(t, http.StatusNotFound)
	f.press("merge 4", "document", "{").Is(t, http.StatusUnprocessableEntity, "fix the errors")
}
