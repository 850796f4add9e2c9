package members

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/members"
	"laurel/views/parts"
	"laurel/views/texts"
)

// MyHandleForm is where somebody without an account says which handle is theirs.
func (h *Handlers) MyHandleForm(c echo.Context) error {
	return h.showMyHandle(c, http.StatusOK, parts.Form{})
}

func (h *Handlers) showMyHandle(c echo.Context, status int, form parts.Form) error {
	v := views.MyHandle{Frame: h.Frame(c, texts.T(c.Request().Context(), "My handle")), Form: form}
	for _, s := range h.Sites(c) {
		if s.Proof != "" {
			v.Sites = append(v.Sites, s.Title)
		}
	}
	return web.Render(c, status, views.MyHandlePage(v))
}

// BeginProof gives somebody without an account a code.
func (h *Handlers) BeginProof(c echo.Context) error {
	ctx := c.Request().Context()
	if err := web.ParseForm(c); err != nil {
		return err
	}
	site, handle, err := pasted(ctx, h.Sites(c), c.FormValue("address"))
	if err == nil && site.Proof == "" {
		err = &pg.InputError{Field: "address",
			Message: texts.T(ctx, "%s shows no text of yours that could be read; ask an admin", site.Title)}
	}
	var p accounts.Proof
	if err == nil {
		p, err = accounts.BeginProof(ctx, h.DB.DB, site.Name, handle, web.ClientAddress(c), h.Now())
	}
	if errs := web.FieldErrors(err); errs != nil {
		return h.showMyHandle(c, http.StatusUnprocessableEntity, web.FormAgain(c, errs))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, myHandle(&p))
}

func myHandle(p *accounts.Proof) string { return "/my-handle/" + p.Key }

// ShowHandle is how far the proof in the address is, and what its owner may do then.
func (h *Handlers) ShowHandle(c echo.Context) error {
	p, err := h.proofOf(c)
	if err != nil {
		return err
	}
	return h.showHandle(c, http.StatusOK, &p, parts.Form{})
}

func (h *Handlers) proofOf(c echo.Context) (accounts.Proof, error) {
	return accounts.ProofByKey(c.Request().Context(), h.DB.DB, c.Param("key"))
}

func (h *Handlers) showHandle(c echo.Context, status int, p *accounts.Proof, form parts.Form) error {
	ctx := c.Request().Context()
	v := views.ShownHandle{Frame: h.Frame(c, texts.T(ctx, "My handle")), Now: h.Now().In(h.ViewerZone(c)), Form: form,
		Proof: h.viewProof(c, p, myHandle(p))}
	v.Proof.Wrong = web.Sentence(form.Errors["check"])
	if p.Acts(h.Now()) {
		held, err := accounts.HeldBy(ctx, h.DB.DB, p)
		if err != nil {
			return err
		}
		mode, err := members.SignUpMode(ctx, h.DB.DB)
		if err != nil {
			return err
		}
		v.Proved, v.People, v.LeftOut, v.SignUp = true, held.People, held.LeftOut, mode == members.SignUpOpen
		v.Shown, v.Pages = held.Shown, h.heldPages(c, held.Pages)
		if v.Closed, err = members.MembersOnly(ctx, h.DB.DB); err != nil {
			return err
		}
		if m := h.Viewer(c); m != nil {
			v.Viewer = m.Name
		}
	}
	return web.Render(c, status, views.ShownHandlePage(v))
}

// heldPages are the pages of people without an account, as somebody sees them who proved their handle.
func (h *Handlers) heldPages(c echo.Context, list []accounts.HeldPage) (out []views.HeldPage) {
	for _, p := range list {
		v := views.HeldPage{Name: p.DisplayName, Public: p.Public}
		if p.Public {
			v.Path = web.MemberAddress(p.Name)
		}
		for _, site := range strings.Fields(p.Lacks) {
			v.Lacks = append(v.Lacks, h.Site(c, site).Title)
		}
		out = append(out, v)
	}
	return out
}

// CheckHandle has a job look for the code, and waits for it.
func (h *Handlers) CheckHandle(c echo.Context) error {
	return h.withHandle(c, func(p *accounts.Proof) error { return h.check(c, p) })
}

// LeaveOut erases the handle here, for good.
func (h *Handlers) LeaveOut(c echo.Context) error {
	return h.withHandle(c, func(p *accounts.Proof) error {
		return accounts.LeaveOut(c.Request().Context(), h.DB.DB, p, h.Site(c, p.Site).Title, h.Now())
	})
}

// TakeBack lets the handle be read again.
func (h *Handlers) TakeBack(c echo.Context) error {
	return h.withHandle(c, func(p *accounts.Proof) error { return accounts.TakeBack(c.Request().Context(), h.DB.DB, p, h.Now()) })
}

// ShowToAll lets everybody see the pages that have the handle.
func (h *Handlers) ShowToAll(c echo.Context) error {
	return h.withHandle(c, func(p *accounts.Proof) error { return accounts.ShowToAll(c.Request().Context(), h.DB.DB, p, h.Now()) })
}

// ShowNoMore takes that back.
func (h *Handlers) ShowNoMore(c echo.Context) error {
	return h.withHandle(c, func(p *accounts.Proof) error { return accounts.ShowNoMore(c.Request().Context(), h.DB.DB, p, h.Now()) })
}

// withHandle does something about the proof in the address, and shows it.
func (h *Handlers) withHandle(c echo.Context, do func(*accounts.Proof) error) error {
	p, err := h.proofOf(c)
	if err != nil {
		return err
	}
	err = do(&p)
	if errs := web.FieldErrors(err); errs != nil {
		return h.showHandle(c, http.StatusUnprocessableEntity, &p, parts.Form{Errors: errs})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, myHandle(&p))
}

// ClaimHandle gives the handle to the viewer, or to somebody who signs up with it.
func (h *Handlers) ClaimHandle(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	p, err := h.proofOf(c)
	if err != nil {
		return err
	}
	ctx, m := c.Request().Context(), h.Viewer(c)
	if !p.Acts(h.Now()) {
		return h.showHandle(c, http.StatusUnprocessableEntity, &p, parts.Form{})
	}
	var wrong error
	if m == nil {
		n := newMember(c)
		newcomer := members.Newcomer{Member: &n, Password: c.FormValue("password"), Address: web.ClientAddress(c)}
		if wrong = members.SignUp(ctx, h.DB.DB, newcomer, h.Now()); wrong == nil {
			m, wrong = &n, h.BeginSession(c, &n)
		}
	}
	if wrong == nil {
		wrong = accounts.Claim(ctx, h.DB.DB, h.Sites(c), &p, m, h.Now())
	}
	if errs := web.FieldErrors(wrong); errs != nil {
		return h.showHandle(c, http.StatusUnprocessableEntity, &p, web.FormAgain(c, errs))
	}
	if wrong != nil {
		return wrong
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"?done=handles")
}
