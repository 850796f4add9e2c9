package awards

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	views "laurel/views/awards"
)

// newAward is what the form of a new award begins with.
const newAward = `{
  "slug": "",
  "title": "",
  "text": "",
  "objectives": [
    {
      "id": "solved",
      "filters": [{"name": "SourceFilter", "config": {"sources": ["submissions"]}}],
      "rule": {"name": "CountRule"}
    }
  ],
  "strategy": {"goal": 10, "strategy": [{"objective_id": "solved"}]}
}`

// reserved are addresses of pages, which an award cannot have.
var reserved = []string{"new", "lint", "starter", "import", "export", "schema", "names", "gallery"}

// A draft is a document in the editor, and the award it is of.
type draft struct {
	award    awards.Award // Its ID is 0 for a new one.
	number   int          // The version in the editor.
	basis    int          // The newest version that the writer has seen.
	text     string
	sheet    *rules.Sheet // nil where the text is no JSON.
	doc      rules.Award
	mistakes rules.Mistakes
	form     *awardForm
	note     string
}

// read makes of a text what the page needs of it.
func (d *draft) read(text string) {
	d.text = text
	d.sheet, _ = rules.ReadSheet([]byte(text))
	d.doc, d.mistakes = parseAward(d.award.Slug, text)
	d.form = formOf(d.sheet, d.mistakes)
}

// hideMistakes leaves out mistakes at these paths, where nobody has typed yet.
func (d *draft) hideMistakes(paths ...string) {
	d.mistakes = slices.DeleteFunc(d.mistakes, func(m rules.Mistake) bool { return slices.Contains(paths, m.Path) })
	d.form = formOf(d.sheet, d.mistakes)
}

// parseAward reads a document that is of the award slug, or of a new one.
func parseAward(slug, text string) (rules.Award, rules.Mistakes) {
	doc, mistakes := rules.Parse([]byte(text))
	switch {
	case doc.Slug == "":
	case slug != "" && doc.Slug != slug:
		mistakes = append(mistakes, rules.Mistake{Path: "slug",
			Text: fmt.Sprintf("cannot be changed: this award is %q. Create a new one with that name", slug)})
	case slices.Contains(reserved, doc.Slug):
		mistakes = append(mistakes, rules.Mistake{Path: "slug", Text: "is an address that Laurel uses: choose another one"})
	}
	return doc, mistakes
}

// editedAward is the award that an address names; none for the form of a new one.
func (h *Handlers) editedAward(c echo.Context) (awards.Award, error) {
	if c.Param("slug") == "" {
		return awards.Award{State: rules.Draft}, nil
	}
	return awards.Named(c.Request().Context(), h.DB.DB, c.Param("slug"))
}

// Edit shows the form of an award, or of a new one.
func (h *Handlers) Edit(c echo.Context) error {
	a, err := h.editedAward(c)
	if err != nil {
		return err
	}
	d := &draft{award: a, basis: a.Latest, number: a.Latest}
	if a.ID == 0 {
		text, sampled, err := h.startText(c)
		if err != nil {
			return err
		}
		if d.read(text); !sampled {
			d.hideMistakes("slug", "title")
		}
		return h.showEditor(c, http.StatusOK, d, views.Editor{Fresh: !sampled})
	}
	if number, err := strconv.Atoi(c.QueryParam("version")); err == nil && number > 0 {
		d.number = number
	}
	v, err := awards.VersionOf(c.Request().Context(), h.DB.DB, &a, d.number)
	if err != nil {
		return err
	}
	d.read(versionText(&v))
	return h.showEditor(c, http.StatusOK, d, views.Editor{})
}

// versionText is a stored document as people edit it.
func versionText(v *awards.Version) string {
	text := v.Document
	if doc, mistakes := v.Parsed(); len(mistakes) == 0 {
		text = string(doc.Canonical())
	}
	if s, mistakes := rules.ReadSheet([]byte(text)); len(mistakes) == 0 {
		return s.String()
	}
	return text
}

// Save takes the form: whatever button was pressed, what was typed into
// the fields goes into the document first.
func (h *Handlers) Save(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	a, err := h.editedAward(c)
	if err != nil {
		return err
	}
	d := &draft{award: a, note: strings.TrimSpace(c.FormValue("note"))}
	d.basis, _ = strconv.Atoi(c.FormValue("basis"))
	d.number, _ = strconv.Atoi(c.FormValue("number"))
	page := views.Editor{Done: d.take(c)}
	return h.pressed(c, d, strings.Fields(c.FormValue("do")), page)
}

// pressed does what a button says: a word, and the places or the version it is about.
func (h *Handlers) pressed(c echo.Context, d *draft, words []string, page views.Editor) error {
	if len(words) == 0 {
		words = []string{"apply"}
	}
	about := words[min(1, len(words)-1)]
	version, _ := strconv.Atoi(about)
	switch words[0] {
	case "apply":
	case "check":
		if len(d.mistakes) == 0 {
			page.Done = "No errors left."
		}
	case "save":
		return h.saveDraft(c, d, d.basis)
	case "save-over":
		return h.saveDraft(c, d, version)
	case "merge":
		return h.mergeDraft(c, d, version)
	case "activate":
		return h.activateDraft(c, d)
	case "dry-run":
		h.dryRun(c, d, &page)
	case "try", "take":
		if err := h.tryEvent(c, d, words[0] == "take", &page.Try); err != nil {
			return err
		}
	default:
		if d.sheet.IsObject() {
			rework(d.sheet, words, c.FormValue("add-"+about))
			d.read(d.sheet.String())
		}
	}
	return h.showEditor(c, http.StatusOK, d, page)
}

// take reads the document of a form and writes the changed fields into it. It
// says which fields were passed over.
func (d *draft) take(c echo.Context) string {
	d.read(strings.TrimPrefix(normal(c.FormValue("document")), "\n"))
	before, _ := rules.ReadSheet([]byte(normal(c.FormValue("shown"))))
	if d.sheet == nil || before == nil {
		return ""
	}
	changed, passed := d.form.Apply(formOf(before, nil), c.Request().PostForm)
	if changed {
		d.read(d.sheet.String())
	}
	if len(passed) > 0 {
		return "The JSON was changed in the same places; it takes precedence over these fields: " + strings.Join(passed, ", ") + "."
	}
	return ""
}

// nonced lets the editor's script style what it makes, on this page only.
func nonced(c echo.Context) string {
	nonce := rand.Text()
	c.Response().Header().Set("Content-Security-Policy",
		strings.Replace(web.ContentPolicy, "style-src 'self'", "style-src 'self' 'nonce-"+nonce+"'", 1))
	return nonce
}

// mistakesOf are the mistakes with their places, as browsers count characters.
func mistakesOf(text string, sheet *rules.Sheet, mistakes rules.Mistakes, form *awardForm) []views.Mistake {
	var list []views.Mistake
	for _, m := range mistakes {
		v := views.Mistake{Path: m.Path, Text: m.Text}
		v.Field = form.fieldAt(m.Path)
		if sheet != nil {
			at := sheet.Place(m.Path)
			v.From, v.To, v.Line = units(text[:at.From]), units(text[:at.Until]), strings.Count(text[:at.From], "\n")+1
		}
		list = append(list, v)
	}
	return list
}

// units are the UTF-16 code units of a text: what browsers count in.
func units(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xffff && r != utf8.RuneError {
			n++
		}
	}
	return n
}
