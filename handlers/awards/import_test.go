package awards_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
)

// A document from elsewhere comes into the editor, by file or by paste, and is
// saved there like any other.
func TestImportAward(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	ann.Get("/admin/awards").Is(t, http.StatusOK, "Import an award as JSON")
	sends := func(text string) handlerstest.Answer { return ann.Post("/admin/awards/import", "document", text) }

	page := sends(writer).Is(t, http.StatusOK, "Not saved yet", "Save as a draft", `action="/admin/awards/new"`)
	if _, err := awards.Named(t.Context(), s.DB.DB, "writer"); err == nil {
		t.Error("the import alone has saved it")
	}
	form(t, page, ann).press("save").LeadsTo(t, "/admin/awards/writer?done=award")

	again := sendsAward(t, ann, strings.Replace(writer, "Two reviews.", "Two good reviews.", 1)).Is(t, http.StatusOK, "creates its version 2", "Two good reviews.", `action="/admin/awards/writer"`)
	form(t, again, ann).press("save", "note", "from a file").LeadsTo(t, "/admin/awards/writer?done=award")

	exported := ann.Get("/api/v1/admin/awards/export").Is(t, http.StatusOK).Text
	sends(strings.Replace(exported, `"secret": false`, `"secret": true`, 1)).Is(t, http.StatusOK, "secret where it was exported", "creates its version 3")

	for text, words := range map[string]string{
		"":       "Choose a file, or paste",
		"hello":  "This is not an award",
		"{":      "This is not an award",
		`["x"]`:  "Not imported yet",
		`{}`:     "Not imported yet",
		`null`:   "Not imported yet",
		"[[[[[[": "This is not an award",
		strings.Replace(writer, "CountRule", "SauceRule", 1): "objectives[0].rule.name: no rule is named",
		strings.Replace(writer, `"writer"`, `"import"`, 1):   "slug: is an address that Laurel uses",
		`{"awards": []}`: "takes one award, and the file has 0",
		`{"awards": [{"document": {}}, {"document": {}}]}`: "the file has 2",
		`{"awards": 1}`: "the file has 0",
	} {
		sends(text).Is(t, http.StatusUnprocessableEntity, words)
	}
	sends(strings.Repeat("x", web.MaxBody)).Is(t, http.StatusRequestEntityTooLarge, "1 MB")
	sendsAward(t, ann, strings.Repeat("x", web.MaxBody)).Is(t, http.StatusRequestEntityTooLarge, "1 MB")
	ann.Do(http.MethodPost, "/admin/awards/import", strings.NewReader("x"), "Content-Type", "multipart/form-data; boundary=y", "Sec-Fetch-Site", "same-origin").Is(t, http.StatusBadRequest, "could not be read")
	bob.Post("/admin/awards/import", "document", writer).Is(t, http.StatusForbidden)
}

// sendsAward sends a file, as browsers do.
func sendsAward(t *testing.T, b *handlerstest.Browser, text string) handlerstest.Answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	file, err := w.CreateFormFile("file", "award.json")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = file.Write([]byte(text)) // A buffer takes all.
	if err := w.WriteField("document", ""); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	return b.Do(http.MethodPost, "/admin/awards/import", &body, "Content-Type", w.FormDataContentType(), "Sec-Fetch-Site", "same-origin")
}

// An admin bans a member from awards and ends it, with a note that is kept.
func TestBanFromAwards(t *testing.T) {
	t.Parallel()
	s, ann, bob := handlerstest.NewWithMembers(t)
	doc, _ := rules.Parse([]byte(writer))
	if _, err := awards.Save(t.Context(), s.DB.DB, doc, awards.Edit{Author: "ann", Note: "first"}, s.Time); err != nil {
		t.Fatal(err)
	}
	if err := awards.Activate(t.Context(), s.DB.DB, "writer", 1, s.Time); err != nil {
		t.Fatal(err)
	}
	sends(t, s, "bob", "r1", "r2")
	ann.Get("/awards/writer").Is(t, http.StatusOK, "/u/bob")
	const ban = "/admin/members/bob/ban"
	if strings.Contains(bob.Get("/u/bob/awards").Is(t, http.StatusOK).Text, "Ban from awards") {
		t.Error("a member sees what is the admins'")
	}
	ann.Get("/u/bob/awards").Is(t, http.StatusOK, "Ban bob")
	bob.Post(ban, "what", "ban", "note", "no").Is(t, http.StatusForbidden)
	ann.Post(ban, "what", "ban", "note", " ").Is(t, http.StatusUnprocessableEntity, "reason")
	ann.Post(ban, "what", "dance", "note", "x").Is(t, http.StatusUnprocessableEntity, "ban or lift")
	ann.Post(ban, "what", "ban", "note", "copied twenty reviews").LeadsTo(t, "/u/bob/awards?done=saved")
	ann.Get("/u/bob/awards").Is(t, http.StatusOK, "copied twenty reviews", "End the ban")
	bob.Get("/u/bob/awards").Is(t, http.StatusOK, "opted out of awards")
	sends(t, s, "bob", "r3")
	if strings.Contains(ann.Get("/awards/writer").Text, `"/u/bob"`) {
		t.Error("who is banned is among the holders")
	}
	ann.Post(ban, "what", "lift", "note", "wrote them anew").LeadsTo(t, "/u/bob/awards?done=saved")
	countAwards(t, s)
	bob.Get("/u/bob/awards").Is(t, http.StatusOK, "Writer")
	ann.Get("/u/bob/awards").Is(t, http.StatusOK, "wrote them anew", "ban ended", "Ban bob")
	ann.Post("/admin/members/nobody/ban", "what", "ban", "note", "x").Is(t, http.StatusNotFound)
}
