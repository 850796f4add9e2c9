package admin

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/reports"
	views "laurel/views/admin"
	"laurel/views/parts"
)

const reportsShown = 50

// Reports are what members reported, or visitors: those that wait, and the last that were resolved.
func (h *Handlers) Reports(c echo.Context) error { return h.showReports(c, http.StatusOK, "") }

func (h *Handlers) showReports(c echo.Context, status int, wrong string) error {
	ctx := c.Request().Context()
	f, err := reportsFilter(c)
	if err != nil {
		return err
	}
	waiting, err := reports.Of(ctx, h.DB.DB, f, reportsShown+1)
	if err != nil {
		return err
	}
	of, err := reports.WaitingOfVisitors(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p := views.Reports{Frame: h.Frame(c, "Reports"), Now: h.Now().In(h.ViewerZone(c)), Wrong: wrong,
		From: []parts.Scope{{Label: "From members", Path: "/admin/reports", Here: !f.Visitors},
			{Label: "From visitors (" + strconv.Itoa(of) + ")", Path: "/admin/reports?from=visitors", Here: f.Visitors}}}
	if len(waiting) > reportsShown {
		waiting = waiting[:reportsShown]
		p.Older = "/admin/reports?before=" + strconv.FormatInt(waiting[reportsShown-1].ID, 10)
		if f.Visitors {
			p.Older += "&from=visitors"
		}
	}
	f.Resolved, f.Before = true, 0
	resolved, err := reports.Of(ctx, h.DB.DB, f, reportsShown)
	if err != nil {
		return err
	}
	p.Waiting, p.Resolved = reportViews(waiting), reportViews(resolved)
	return web.Render(c, status, views.ReportsPage(p))
}

// reportsFilter is which waiting reports the address asks for.
func reportsFilter(c echo.Context) (f reports.Filter, err error) {
	if f.Visitors, err = choose(c, "from", "members", "visitors"); err != nil {
		return f, err
	}
	if text := c.QueryParam("before"); text != "" {
		if f.Before, err = strconv.ParseInt(text, 10, 64); err != nil {
			return f, pg.ErrCursor
		}
	}
	return f, nil
}

func reportViews(list []reports.Report) (all []views.Report) {
	for _, r := range list {
		v := views.Report{ID: r.ID, Text: r.Text, At: r.At, By: r.Reporter, Resolved: web.Deref(r.ResolvedAt),
			ResolvedBy: r.ResolvedBy, Note: r.Note, About: r.Member, Path: web.MemberAddress(r.Member)}
		if r.Visitor {
			v.By, v.Back = "a visitor", "?from=visitors"
		}
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
	for _, message := range web.FieldErrors(err) { // Of one field.
		return h.showReports(c, http.StatusUnprocessableEntity, message)
	}
	if err != nil {
		return err
	}
	to := "/admin/reports?done=resolved"
	if from := c.QueryParam("from"); from == "visitors" {
		to += "&from=" + from
	}
	return c.Redirect(http.StatusSeeOther, to)
}
