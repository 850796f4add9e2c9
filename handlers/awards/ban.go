package awards

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/members"
	views "laurel/views/awards"
)

// Ban keeps a member from awards, or ends that.
func (h *Handlers) Ban(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	what := c.FormValue("what")
	if what != "ban" && what != "lift" { // Neither may come of a mistake.
		return h.showOfMember(c, http.StatusUnprocessableEntity, "Choose ban or lift.")
	}
	m, err := awards.BanMember(c.Request().Context(), h.DB.DB, c.Param("name"),
		awards.Ban{Banned: what == "ban", Author: h.Viewer(c).Name, Note: c.FormValue("note")}, h.Now())
	for _, message := range web.FieldErrors(err) {
		return h.showOfMember(c, http.StatusUnprocessableEntity, web.Sentence(message))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/u/"+url.PathEscape(m.Name)+"/awards?done=saved")
}

// fillBan says to support and admins whether a member is banned, and what was done before.
func (h *Handlers) fillBan(c echo.Context, m *members.Member, p *views.Member) error {
	if !p.List.Support || m.Custom {
		return nil
	}
	bans, err := awards.BansOf(c.Request().Context(), h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	p.Ban = &views.BanForm{Banned: m.BannedAt != nil, Note: c.FormValue("note"), Lines: banLines(bans),
		Decides: p.Frame.Viewer.Admin}
	return nil
}

func banLines(bans []awards.Ban) (lines []views.GrantLine) {
	for _, b := range bans {
		lines = append(lines, views.GrantLine{At: b.At, What: map[bool]string{true: "banned", false: "ban ended"}[b.Banned],
			Reason: b.Note, Author: b.Author})
	}
	return lines
}
