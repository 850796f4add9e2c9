package admin

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/reports"
	views "laurel/views/admin"
)

const reportsShown = 50

// Reports are what members reported: those that wait, and the last that were resolved.
func (h *Handlers) Reports(c echo.Context) error { return h.showReports(c, http.StatusOK, "") }

func (h *Handlers) showReports(c echo.Context, status int, wrong string) error {
	ctx, before := c.Request().Context(), int64(0)
	if text := c.QueryParam("before"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return pg.ErrCursor
		}
		before = n
	}
	waiting, err := reports.Of(ctx, h.DB.DB, false, before, reportsShown+1)
	if err != nil {
		return err
	}
	p := views.Reports{Frame: h.Frame(c, "Reports"), Now: h.Now().In(h.ViewerZone(c)), Wrong: wrong}
	if len(waiting) > reportsShown {
		waiting = waiting[:reportsShown]
		p.Older = "/admin/reports?before=" + strconv.FormatInt(waiting[reportsShown-1].ID, 10)
	}
	resolved, err := reports.Of(ctx, h.DB.DB, true, 0, reportsShown)
	if err != nil {
		return err
	}
	p.Waiting, p.Resolved = reportViews(waiting), reportViews(resolved)
	return web.Render(c, status, views.ReportsPage(p))
}

func reportViews(list []reports.Report) (all []views.Report) {
	for _, r := range list {
		v := views.Report{ID: r.ID, Text: r.Text, At: r.At, By: r.Reporter, Resolved: web.Deref(r.ResolvedAt),
			ResolvedBy: r.ResolvedBy, Note: r.Note, About: r.Member, Path: web.MemberAddress(r.Member)}
		if r.Serial != 0 {
			v.About, v.Path = r.Subject, "/messages/"+strconv.FormatInt(r.Serial, 10)
		}
		all = append(all, v)
	}
	return all
}

// ResolveReport ends a report with a note.
func (h *Handlers) ResolveReport(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	err = reports.Resolve(c.Request().Context(), h.DB.DB, id, h.Viewer(c).Name, c.FormValue("note"), h.Now())
	for _, message := range web.FieldErrors(err) {
		return h.showReports(c, http.StatusUnprocessableEntity, message)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/reports?done=resolved")
}
