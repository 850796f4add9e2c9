package awards

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	views "laurel/views/awards"
)

// saveDraft writes a new version, unless something is wrong or it is stale.
func (h *Handlers) saveDraft(c echo.Context, d *draft, basis int) error {
	if len(d.mistakes) > 0 {
		return h.showEditor(c, http.StatusUnprocessableEntity, d,
			views.Editor{Wrong: "Not saved: fix the errors listed below the JSON first."})
	}
	if d.note == "" {
		return h.showEditor(c, http.StatusUnprocessableEntity, d, views.Editor{Wrong: "Not saved: add a version note."})
	}
	by := awards.Edit{Author: h.Viewer(c).Name, Note: d.note, Basis: basis}
	saved, err := awards.Save(c.Request().Context(), h.DB.DB, d.doc, by, h.Now())
	if errors.Is(err, awards.ErrStale) {
		return h.showStale(c, d)
	}
	if err != nil {
		return err
	}
	done := "award"
	if saved.Latest == basis {
		done = "same"
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards/"+saved.Slug+"?done="+done)
}

// activateDraft lets the newest version run, if it is the one in the form.
func (h *Handlers) activateDraft(c echo.Context, d *draft) error {
	ctx := c.Request().Context()
	newest, err := awards.VersionOf(ctx, h.DB.DB, &d.award, 0)
	if err != nil {
		return err
	}
	if doc, _ := newest.Parsed(); len(d.mistakes) > 0 || doc.Version() != d.doc.Version() {
		return h.showEditor(c, http.StatusUnprocessableEntity, d,
			views.Editor{Wrong: fmt.Sprintf("Not activated: this is not version %d. Save it first, or open that version.",
				newest.Number)})
	}
	if err := awards.Activate(ctx, h.DB.DB, d.award.Slug, newest.Number, h.Now()); err != nil {
		return h.refusedEdit(c, d, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards/"+d.award.Slug+"?done=activated")
}

// refusedEdit shows the form again with why something was not done.
func (h *Handlers) refusedEdit(c echo.Context, d *draft, err error) error {
	for _, message := range web.FieldErrors(err) {
		return h.showEditor(c, http.StatusUnprocessableEntity, d, views.Editor{Wrong: message})
	}
	return err
}
