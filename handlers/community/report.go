package community

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/reports"
	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

// Report is the form to report a profile or a message to the admins.
func (h *Handlers) Report(c echo.Context) error {
	p, _, err := h.reported(c)
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, home.ReportPage(p))
}

// SendReport stores the report.
func (h *Handlers) SendReport(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	p, thing, err := h.reported(c)
	if err != nil {
		return err
	}
	err = reports.Add(c.Request().Context(), h.DB.DB, h.reporter(c), thing, c.FormValue("text"), h.Now())
	if errs := web.FieldErrors(err); errs != nil {
		p.Form = web.FormAgain(c, errs)
		return web.Render(c, http.StatusUnprocessableEntity, home.ReportPage(p))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, p.Back+"?done=reported")
}

// reporter is who asks: a member, or a visitor of an address.
func (h *Handlers) reporter(c echo.Context) reports.Reporter {
	if v := h.Viewer(c); v != nil {
		return reports.Reporter{Member: v.ID}
	}
	return reports.Reporter{Visitor: web.ClientAddress(c)}
}

// reported is what the address is about, which the viewer must see.
func (h *Handlers) reported(c echo.Context) (p home.Report, thing reports.Thing, err error) {
	ctx := c.Request().Context()
	p.Frame = h.Frame(c, texts.T(ctx, "Report to the admins"))
	if name := c.QueryParam("member"); name != "" {
		m, err := members.ByName(ctx, h.DB.DB, name)
		p.About, p.Back = texts.T(ctx, "the profile of %s", m.DisplayName), web.MemberAddress(m.Name)
		p.Action = "/report?member=" + m.Name
		return p, reports.Thing{Member: &m.ID}, err
	}
	serial, err := strconv.ParseInt(c.QueryParam("message"), 10, 64)
	if err != nil || serial < 1 {
		return p, thing, pg.ErrNotFound
	}
	m, err := forums.MessageBySerial(ctx, h.DB.DB, serial)
	p.About, p.Back = texts.T(ctx, "the message “%s”", parts.OrElse(m.Subject, texts.T(ctx, "(no subject)"))),
		"/messages/"+strconv.FormatInt(serial, 10)
	p.Action = "/report?message=" + strconv.FormatInt(serial, 10)
	return p, reports.Thing{Message: &serial}, err
}
