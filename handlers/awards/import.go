package awards

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	views "laurel/views/awards"
)

// Import opens the editor with a document that was made elsewhere, as a
// draft of a new award or of the one that has its address. Nothing is saved.
func (h *Handlers) Import(c echo.Context) error {
	sent, err := web.Upload(c, "document", web.MaxBody)
	if err != nil {
		return err
	}
	text, secret, wrong := fileAward(strings.TrimPrefix(normal(sent), "\n"))
	if wrong != "" {
		return h.showAdmin(c, http.StatusUnprocessableEntity, views.Admin{Wrong: wrong, Import: text})
	}
	d := &draft{award: awards.Award{State: rules.Draft}, note: "imported"}
	doc, _ := rules.Parse([]byte(text))
	p := views.Editor{Done: "Not saved yet. Check it and save."}
	if a, err := awards.Named(c.Request().Context(), h.DB.DB, doc.Slug); err == nil {
		d.award, d.basis, d.number = a, a.Latest, a.Latest
		p.Done = fmt.Sprintf("An award with this address exists. Saving creates its version %d. Not saved yet.", a.Latest+1)
	} else if !errors.Is(err, pg.ErrNotFound) {
		return err
	}
	if secret {
		p.Done += " It was secret where it was exported: make it secret here before you activate it."
	}
	d.read(text)
	if len(d.mistakes) > 0 {
		p.Done, p.Wrong = "", fmt.Sprintf("Not imported yet: %s. Fix it here and save.", d.mistakes[0])
		return h.showEditor(c, http.StatusUnprocessableEntity, d, p)
	}
	d.read(d.sheet.String())
	return h.showEditor(c, http.StatusOK, d, p)
}

// fileAward takes an award out of the file that an export makes, if it is one;
// wrong says why it cannot be.
func fileAward(text string) (document string, secret bool, wrong string) {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.TrimSpace(text) == "" {
		return "", false, "Choose a file, or paste the JSON of an award."
	}
	s, mistakes := rules.ReadSheet([]byte(text))
	if s == nil {
		return text, false, "This is not an award. " + web.Sentence(mistakes[0].String())
	}
	if s.Key("objectives") != nil || s.Key("awards") == nil {
		return text, false, ""
	}
	list := s.Key("awards").Items()
	if len(list) != 1 || !list[0].Key("document").IsObject() {
		return "", false, fmt.Sprintf("awards: this form takes one award, and the file has %d. Paste the document of one; POST "+
			"/api/v1/admin/awards/import takes them all.", len(list))
	}
	return list[0].Key("document").String(), list[0].Key("secret").Text() == "true", ""
}
