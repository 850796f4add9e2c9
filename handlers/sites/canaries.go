package sites

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	"laurel/views/parts"
	retrievalviews "laurel/views/retrieval"
)

// canaryView is a canary for a page. Whose history is read is for admins.
func canaryView(title string, c *retrieval.Canary, admin bool) retrievalviews.Canary {
	v := retrievalviews.Canary{Site: c.Site, Title: title, Checked: web.Deref(c.CheckedAt), Due: c.DueAt, AsKnown: c.AsKnown(),
		Outcome: c.Outcome}
	if admin {
		v.Handle, v.Why, v.Least, v.Seen = c.Handle, c.Message, c.Least, c.Seen
	}
	return v
}

// SetCanary declares a handle whose history is known.
func (h *Handlers) SetCanary(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	form := parts.Form{Values: map[string]string{}}
	for _, name := range []string{"site", "handle", "least"} {
		form.Values[name] = c.FormValue(name)
	}
	site, err := members.SiteNamed(h.readSites(c), form.Values["site"], "site")
	if err == nil {
		least, _ := strconv.Atoi(form.Values["least"]) // What is no number is refused like 0.
		_, err = retrieval.SetCanary(c.Request().Context(), h.DB.DB, site, form.Values["handle"], least, h.Now())
	}
	if form.Errors = web.FieldErrors(err); form.Errors != nil {
		return h.show(c, http.StatusUnprocessableEntity, retrievalviews.Sites{Canary: form})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/sites?done=canary")
}

// RemoveCanary forgets a canary.
func (h *Handlers) RemoveCanary(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if err := retrieval.RemoveCanary(c.Request().Context(), h.DB.DB, c.Param("site"), c.FormValue("handle"), h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/sites?done=no-canary")
}

type apiCanary struct {
	Handle    string     `json:"handle"`
	Least     int        `json:"least"`
	Seen      int        `json:"seen"`
	CheckedAt *time.Time `json:"checked_at"`
	NextDueAt *time.Time `json:"next_due_at"`
	AsKnown   *bool      `json:"as_known"`
	Outcome   string     `json:"outcome"`
	Message   string     `json:"message"`
}

func showCanary(c *retrieval.Canary, admin bool) apiCanary {
	out := apiCanary{CheckedAt: web.UTC(c.CheckedAt), NextDueAt: web.UTC(&c.DueAt), Outcome: c.Outcome}
	if c.CheckedAt != nil {
		out.AsKnown = new(c.AsKnown())
	}
	if admin {
		out.Handle, out.Least, out.Seen, out.Message = c.Handle, c.Least, c.Seen, c.Message
	}
	return out
}

// APISetCanary declares a handle whose history is known.
func (h *Handlers) APISetCanary(c echo.Context) error {
	var in struct {
		Least int `json:"least"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	site, err := h.siteNamed(c, c.Param("site"))
	if err != nil {
		return err
	}
	handle, err := canaryHandle(c)
	if err != nil {
		return err
	}
	canary, err := retrieval.SetCanary(c.Request().Context(), h.DB.DB, site, handle, in.Least, h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, showCanary(&canary, true))
}

// APIRemoveCanary forgets a canary.
func (h *Handlers) APIRemoveCanary(c echo.Context) error {
	handle, err := canaryHandle(c)
	if err != nil {
		return err
	}
	if err := retrieval.RemoveCanary(c.Request().Context(), h.DB.DB, c.Param("site"), handle, h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// canaryHandle is the handle in the address.
func canaryHandle(c echo.Context) (string, error) {
	handle, err := url.PathUnescape(c.Param("handle"))
	if err != nil {
		return "", pg.ErrNotFound
	}
	return handle, nil
}
