package members

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/retrieval"
	views "laurel/views/members"
	"laurel/views/parts"
	"laurel/views/texts"
)

// SignInForm asks for name and password.
func (h *Handlers) SignInForm(c echo.Context) error {
	if v := h.Viewer(c); v != nil {
		return c.Redirect(http.StatusSeeOther, after(c.QueryParam("next"), v))
	}
	return h.showSignIn(c, http.StatusOK, c.QueryParam("next"), parts.Form{})
}

func (h *Handlers) showSignIn(c echo.Context, status int, next string, form parts.Form) error {
	ctx := c.Request().Context()
	mode, err := members.SignUpMode(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	return web.Render(c, status, views.SignInPage(views.SignIn{
		Frame: h.Frame(c, texts.T(ctx, "Sign in")), Next: next, SignUp: mode == members.SignUpOpen, Mail: h.Mail, Form: form}))
}

// SignIn begins a session.
func (h *Handlers) SignIn(c echo.Context) error {
	ctx := c.Request().Context()
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := members.SignIn(ctx, h.DB.DB, c.FormValue("name"), c.FormValue("password"), web.ClientAddress(c), h.Now())
	if errs := web.FieldErrors(err); errs != nil {
		return h.showSignIn(c, http.StatusUnprocessableEntity, c.FormValue("next"), web.FormAgain(c, errs))
	}
	if err != nil {
		return err
	}
	if err := h.BeginSession(c, &m); err != nil {
		return err
	}
	if err := retrieval.SignedIn(ctx, h.DB.DB, m.ID, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, after(c.FormValue("next"), &m))
}

// SignOut ends the session.
func (h *Handlers) SignOut(c echo.Context) error {
	if err := h.EndSession(c); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/")
}

// after returns where to go after signing in: the page one came from, if it is
// a page of ours, or else one's own profile.
func after(next string, m *members.Member) string {
	if !web.OwnPath(next) {
		return "/u/" + m.Name
	}
	return next
}

// SetupForm is where the link of the first start leads.
func (h *Handlers) SetupForm(c echo.Context) error {
	ctx := c.Request().Context()
	token := c.QueryParam("token")
	if err := members.CheckSetupToken(ctx, h.DB.DB, token); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.SetupPage(views.Setup{Frame: h.Frame(c, texts.T(ctx, "Set up")), Token: token}))
}

// Setup makes the first admin and signs in.
func (h *Handlers) Setup(c echo.Context) error {
	ctx := c.Request().Context()
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, token := newMember(c), c.FormValue("token")
	n := members.Newcomer{Member: &m, Password: c.FormValue("password"), Code: token, Address: web.ClientAddress(c)}
	err := members.Setup(ctx, h.DB.DB, n, c.FormValue("sign_up"), h.Now())
	if errs := web.FieldErrors(err); errs != nil {
		return web.Render(c, http.StatusUnprocessableEntity, views.SetupPage(views.Setup{
			Frame: h.Frame(c, texts.T(ctx, "Set up")), Token: token, Form: web.FormAgain(c, errs)}))
	}
	if err != nil {
		return err
	}
	return h.welcome(c, &m)
}

// SignUpForm is the door for somebody new, and for a member who chooses a password.
func (h *Handlers) SignUpForm(c echo.Context) error {
	return h.showSignUp(c, http.StatusOK, c.QueryParam("code"), parts.Form{})
}

func (h *Handlers) showSignUp(c echo.Context, status int, code string, form parts.Form) error {
	ctx := c.Request().Context()
	mode, err := members.SignUpMode(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p := views.SignUp{Frame: h.Frame(c, texts.T(ctx, "Sign up")), Code: code, Form: form}
	inv, err := members.InvitationByCode(ctx, h.DB.DB, code, h.Now())
	input, refused := errors.AsType[*pg.InputError](err)
	switch {
	case err != nil && !refused:
		return err
	case err == nil && inv.MemberID != nil:
		m, err := members.ByID(ctx, h.DB.DB, *inv.MemberID)
		if err != nil {
			return err
		}
		p.Member, p.Frame.Title = m.Name, texts.T(ctx, "Choose a password for %s", m.Name)
	case mode == members.SignUpClosed:
		p.Refused = texts.T(ctx, "Sign-up is closed. Ask an admin.")
	case mode == members.SignUpInvitation && code == "":
		p.Refused = texts.T(ctx, "Sign-up is by invitation. Ask an admin for a link.")
	case refused && code != "" && (mode == members.SignUpInvitation || form.Errors["code"] != ""):
		p.Refused = web.Sentence(input.Message)
	}
	return web.Render(c, status, views.SignUpPage(p))
}

// SignUp makes a member, or stores the password of one, and signs in.
func (h *Handlers) SignUp(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	m, err := h.signUp(c)
	if errs := web.FieldErrors(err); errs != nil {
		return h.showSignUp(c, http.StatusUnprocessableEntity, c.FormValue("code"), web.FormAgain(c, errs))
	}
	if err != nil {
		return err
	}
	return h.welcome(c, &m)
}

// signUp stores what the form asks for: one with a name is of somebody new.
func (h *Handlers) signUp(c echo.Context) (members.Member, error) {
	ctx, password, code := c.Request().Context(), c.FormValue("password"), c.FormValue("code")
	if !c.Request().PostForm.Has("name") {
		return members.ChoosePassword(ctx, h.DB.DB, code, password, web.ClientAddress(c), h.Now())
	}
	m := newMember(c)
	n := members.Newcomer{Member: &m, Password: password, Code: code, Address: web.ClientAddress(c)}
	return m, members.SignUp(ctx, h.DB.DB, n, h.Now())
}

// welcome signs a new member in and leads to the handles.
func (h *Handlers) welcome(c echo.Context, m *members.Member) error {
	if err := h.BeginSession(c, m); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings?done=welcome")
}

func newMember(c echo.Context) members.Member {
	return members.Member{Name: c.FormValue("name"), DisplayName: c.FormValue("display_name"),
		TimeZone: strings.TrimSpace(c.FormValue("time_zone"))}
}
