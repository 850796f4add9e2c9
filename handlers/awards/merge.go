package awards

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	views "laurel/views/awards"
)

// A stale draft meets a version that somebody else saved meanwhile. Both came
// from base.
type stale struct {
	newest             awards.Version
	base, mine, theirs *rules.Sheet
}

// meet finds the version that came between; number is 0 for the newest.
func (h *Handlers) meet(ctx context.Context, d *draft, number int) (s stale, err error) {
	if s.newest, err = awards.VersionOf(ctx, h.DB.DB, &d.award, number); err != nil {
		return s, err
	}
	base, err := awards.VersionOf(ctx, h.DB.DB, &d.award, max(d.basis, 1))
	if err != nil {
		return s, err
	}
	s.mine, _ = rules.ReadSheet(d.doc.Canonical())
	s.base, _ = rules.ReadSheet([]byte(versionText(&base)))
	s.theirs, _ = rules.ReadSheet([]byte(versionText(&s.newest)))
	return s, nil
}

// showStale says what the other one changed, and offers both edits together.
func (h *Handlers) showStale(c echo.Context, d *draft) error {
	if d.award.ID == 0 {
		d.mistakes = append(d.mistakes, rules.Mistake{Path: "slug", Text: "is taken: another award has this address"})
		d.form = formOf(d.sheet, d.mistakes)
		return h.showEditor(c, http.StatusConflict, d, views.Editor{Wrong: "Not saved: choose another address."})
	}
	s, err := h.meet(c.Request().Context(), d, 0)
	if err != nil {
		return err
	}
	v := &views.Conflict{Latest: s.newest.Number, Author: s.newest.Author, Note: s.newest.Note, At: s.newest.CreatedAt}
	merged, clashes := rules.Merge(s.base, s.mine, s.theirs, func(string) bool { return true })
	for _, clash := range clashes {
		v.Clashes = append(v.Clashes, views.Clash{Path: clash.Path, Title: d.form.titleOf(clash.Path), Before: said(clash.Base),
			Mine: said(clash.Mine), Theirs: said(clash.Theirs)})
	}
	v.Theirs, v.Yours = lineDiff(s.base.String(), s.theirs.String()), lineDiff(s.theirs.String(), merged.String())
	return h.showEditor(c, http.StatusConflict, d, views.Editor{Wrong: "Not saved yet.", Conflict: v})
}

// mergeDraft puts both edits together, as was chosen where they clash. Nothing
// is saved: what came of it is in the form.
func (h *Handlers) mergeDraft(c echo.Context, d *draft, with int) error {
	if len(d.mistakes) > 0 {
		return h.showEditor(c, http.StatusUnprocessableEntity, d,
			views.Editor{Wrong: "Not merged: fix the errors listed below the JSON first."})
	}
	s, err := h.meet(c.Request().Context(), d, with)
	if err != nil {
		return err
	}
	merged, _ := rules.Merge(s.base, s.mine, s.theirs, func(path string) bool { return c.FormValue(views.ClashName(path)) == "mine" })
	d.basis, d.number = s.newest.Number, s.newest.Number
	d.read(merged.String())
	return h.showEditor(c, http.StatusOK, d, views.Editor{Done: fmt.Sprintf(
		"The form now has your edit and version %d. Not saved yet: check it and save.", s.newest.Number)})
}

// said is a value in a clash.
func said(s *rules.Sheet) string {
	if s == nil {
		return ""
	}
	if text := s.Text(); text != "" && s.String() == strconv.Quote(text) {
		return text
	}
	return s.String()
}

var namedPart = regexp.MustCompile(`^objectives\["([^"]+)"\]\.?(.*)$`)

// titleOf is what a place in the document is called on the page.
func (f *awardForm) titleOf(path string) string {
	fields := slices.Clone(f.fields)
	for _, n := range f.strategy {
		fields = append(fields, n.Fields...)
	}
	for _, l := range f.levels.Rows {
		fields = append(fields, l.Fields...)
	}
	for _, v := range fields {
		if v.Path == path {
			return v.Label
		}
	}
	switch m := namedPart.FindStringSubmatch(path); {
	case m != nil && m[2] == "":
		return fmt.Sprintf("Task %q", m[1])
	case m != nil:
		return fmt.Sprintf("Task %q: %s", m[1], m[2])
	case path == "":
		return "The document"
	}
	return path
}
