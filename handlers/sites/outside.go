package sites

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/pushes"
	"laurel/views/parts"
	retrievalviews "laurel/views/retrieval"
)

// Outside is the admins' page about declared sites.
func (h *Handlers) Outside(c echo.Context) error {
	return h.showOutside(c, http.StatusOK, retrievalviews.Outside{})
}

// showOutside fills p, which says what was refused, with the rest of the page.
func (h *Handlers) showOutside(c echo.Context, status int, p retrievalviews.Outside) error {
	list, err := members.DeclaredSites(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	states, err := h.siteStates(c)
	if err != nil {
		return err
	}
	h.fillHosts(c, &p, list, states)
	for _, s := range list {
		if s.Kind != "" {
			continue
		}
		p.Sites = append(p.Sites, retrievalviews.OutsideSite{Name: s.Name, Title: s.Title, Home: s.Home, HandlePattern: s.HandlePattern,
			ProblemURL: s.ProblemURL, Accounts: states[s.Name].Accounts, Pushed: web.Deref(states[s.Name].pushed)})
		if s.Name == c.QueryParam("edit") && p.Form.Values == nil {
			p.Form = parts.Form{Values: map[string]string{"name": s.Name, "title": s.Title, "home": s.Home,
				"handle_pattern": s.HandlePattern, "problem_url": s.ProblemURL}}
		}
	}
	p.Frame, p.Now = h.Frame(c, "Added sites"), h.Now().In(h.ViewerZone(c))
	return web.Render(c, status, retrievalviews.OutsidePage(p))
}

// Declare declares an outside site, or changes it.
func (h *Handlers) Declare(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	s := members.DeclaredSite{Name: c.FormValue("name"), Title: c.FormValue("title"), Home: c.FormValue("home"),
		HandlePattern: c.FormValue("handle_pattern"), ProblemURL: c.FormValue("problem_url")}
	_, err := h.declare(c.Request().Context(), &s, nil)
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showOutside(c, http.StatusUnprocessableEntity, retrievalviews.Outside{Form: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/sites?done=saved")
}

// Remove forgets a declared site that has no submissions.
func (h *Handlers) Remove(c echo.Context) error {
	err := pushes.RemoveSite(c.Request().Context(), h.DB.DB, c.Param("site"), h.Now())
	if coded, ok := errors.AsType[*pg.Error](err); ok && coded.Code == pg.CodeConflict {
		return h.showOutside(c, http.StatusConflict, retrievalviews.Outside{Wrong: web.Sentence(coded.Message)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/sites?done=removed")
}
