package members

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/members"
	"laurel/views/texts"
)

// ShowProof is the page on which a member proves that the handle on a site is theirs.
func (h *Handlers) ShowProof(c echo.Context) error {
	a, err := h.ownAccount(c)
	if err != nil {
		return err
	}
	return h.showProof(c, http.StatusOK, a, "")
}

func (h *Handlers) showProof(c echo.Context, status int, a *members.Account, wrong string) error {
	ctx := c.Request().Context()
	v := views.OwnProof{Frame: h.Frame(c, texts.T(ctx, "Prove a handle")), Now: h.Now().In(h.Viewer(c).Location()),
		Proved: web.Deref(a.ProvedAt)}
	p, err := accounts.OwnProof(ctx, h.DB.DB, a)
	if err != nil && !errors.Is(err, pg.ErrNotFound) {
		return err
	}
	p.Site, p.Handle = a.Site, a.Handle
	v.Proof = h.viewProof(c, &p, "/settings/proof/"+a.Site)
	v.Proof.Wrong = wrong
	return web.Render(c, status, views.OwnProofPage(v))
}

// viewProof is a proof as pages show it. path is where its buttons lead.
func (h *Handlers) viewProof(c echo.Context, p *accounts.Proof, path string) views.Proof {
	site, now := h.Site(c, p.Site), h.Now()
	v := views.Proof{Title: site.Title, Handle: p.Handle, Field: site.Proof, Path: path, Left: p.Left(), Message: p.Message,
		Waiting: p.RequestedAt != nil, Until: p.ExpiresAt.In(h.ViewerZone(c))}
	if site.Profile != nil {
		v.URL = site.Profile(p.Handle)
	}
	if p.Live(now) || v.Waiting {
		v.Code = p.Code
	}
	return v
}

// BeginOwnProof gives the viewer a code for their handle.
func (h *Handlers) BeginOwnProof(c echo.Context) error {
	a, err := h.ownAccount(c)
	if err == nil && h.Site(c, a.Site).Proof == "" {
		err = pg.ErrNotFound
	}
	if err == nil {
		_, err = accounts.BeginOwnProof(c.Request().Context(), h.DB.DB, a, h.Now())
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/proof/"+a.Site)
}

// CheckOwnProof has a job look for the code, and waits for it.
func (h *Handlers) CheckOwnProof(c echo.Context) error {
	a, err := h.ownAccount(c)
	if err != nil {
		return err
	}
	p, err := accounts.OwnProof(c.Request().Context(), h.DB.DB, a)
	if err != nil {
		return err
	}
	if err := h.check(c, &p); err != nil {
		if wrong := web.FieldErrors(err); wrong != nil {
			return h.showProof(c, http.StatusUnprocessableEntity, a, web.Sentence(wrong["check"]))
		}
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/proof/"+a.Site)
}

// How long an answer of a site is waited for, and how often a job is asked whether it is there.
const (
	proofPatience = 15 * time.Second
	proofPoll     = 100 * time.Millisecond
)

// check has a job look for a code, and waits for what it finds, or for the page to show that it still looks.
func (h *Handlers) check(c echo.Context, p *accounts.Proof) error {
	if err := accounts.AskProof(c.Request().Context(), h.DB.DB, p, h.Site(c, p.Site).Title, h.Now()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), proofPatience)
	defer cancel()
	for {
		is, err := accounts.ProofByID(ctx, h.DB.DB, p.ID)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil || is.RequestedAt == nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(proofPoll):
		}
	}
}

// ownAccount is the viewer's account on the site in the address.
func (h *Handlers) ownAccount(c echo.Context) (*members.Account, error) {
	list, err := members.AccountsOf(c.Request().Context(), h.DB.DB, h.Viewer(c).ID)
	for i := range list {
		if list[i].Site == c.Param("site") {
			return &list[i], err
		}
	}
	if err == nil {
		err = pg.ErrNotFound
	}
	return nil, err
}
