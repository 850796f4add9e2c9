package members

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	views "laurel/views/members"
)

// keyed is the viewer's account on the site whose API takes keys of members; false where there is none.
func (h *Handlers) keyed(c echo.Context) (members.Account, bool, error) {
	list, err := members.AccountsOf(c.Request().Context(), h.DB.DB, h.Viewer(c).ID)
	for _, a := range list {
		if a.Site == accounts.KeyedSite {
			return a, true, err
		}
	}
	return members.Account{}, false, err
}

// siteKey is the viewer's key; its Site is "" where there can be none.
func (h *Handlers) siteKey(c echo.Context) (v views.SiteKey, err error) {
	a, ok, err := h.keyed(c)
	if err != nil || !ok {
		return v, err
	}
	v = views.SiteKey{Site: a.Site, Title: h.Site(c, a.Site).Title, Make: h.Site(c, a.Site).Home + "/settings/api"}
	k, ok, err := accounts.KeyOf(c.Request().Context(), h.DB.DB, a.ID)
	if ok {
		v.Key, v.Refused = k.Key, web.Deref(k.RefusedAt)
		if !v.Refused.IsZero() {
			v.Refused = v.Refused.In(h.Viewer(c).Location())
		}
	}
	return v, err
}

// SaveKey stores the viewer's key and has the account read whole: what it shows may be old.
func (h *Handlers) SaveKey(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx := c.Request().Context()
	a, ok, err := h.keyed(c)
	if err == nil && !ok {
		err = pg.ErrNotFound
	}
	if err != nil {
		return err
	}
	n := accounts.NewKey{Account: &a, Key: c.FormValue("key"), Secret: c.FormValue("secret")}
	if err := accounts.SaveKey(ctx, h.DB.DB, h.Secret, n, h.Now()); err != nil {
		return h.refused(c, "key", err)
	}
	if err := retrieval.ReadWhole(ctx, h.DB.DB, a.MemberID, a.Site, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings?done=key")
}

// RemoveKey takes the viewer's key away. What was read with it stays.
func (h *Handlers) RemoveKey(c echo.Context) error {
	a, ok, err := h.keyed(c)
	if err == nil && !ok {
		err = pg.ErrNotFound
	}
	if err == nil {
		err = accounts.RemoveKey(c.Request().Context(), h.DB.DB, a.ID)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings?done=key-removed")
}
