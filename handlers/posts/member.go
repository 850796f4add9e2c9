package posts

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/posts"
	"laurel/views/parts"
	views "laurel/views/posts"
	"laurel/views/texts"
)

const postsShown = 15

// OfMember is a member's page of posts.
func (h *Handlers) OfMember(c echo.Context) error {
	return h.showOfMember(c, http.StatusOK, "", parts.Form{})
}

// showOfMember says also what was wrong with a form of the page.
func (h *Handlers) showOfMember(c echo.Context, status int, failed string, form parts.Form) error {
	ctx, now, viewer := c.Request().Context(), h.Now(), h.Viewer(c)
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	p := views.Member{Frame: h.postsFrame(c, texts.T(ctx, "Posts by %s", m.DisplayName)), Now: now.In(h.Zone(c, &m)), ID: m.ID,
		Name: m.Name, DisplayName: m.DisplayName, Failed: failed, Form: form,
		Own: viewer != nil && viewer.ID == m.ID, Manage: viewer != nil && viewer.Manages(&m)}
	after, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	// First the accounts: where one was fetched, its posts are there, and the page is done.
	accounts, err := posts.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	list, next, err := posts.OfMember(ctx, h.DB.DB, m.ID, after, postsShown)
	if err != nil {
		return err
	}
	p.Posts, p.Older = h.postViews(list, now), web.PageAddress(c, "after", next)
	if after != (pg.Cursor{}) {
		p.Newest = web.MemberAddress(m.Name) + "/posts"
	}
	for i := range accounts {
		p.Accounts = append(p.Accounts, h.postAccount(&accounts[i]))
	}
	p.Networks, p.Here = h.networkChoices(), c.Request().URL.RequestURI()
	p.Waiting = waiting(&p, now)
	if p.Waiting && c.QueryParam("done") != "" {
		p.Frame.Refresh = 3
	}
	return web.Render(c, status, views.MemberPage(p))
}

// waiting says whether something on the page was never fetched, and soon will be.
func waiting(p *views.Member, now time.Time) bool {
	isNew := func(a views.Account) bool { return a.State == "active" && a.Fetched.IsZero() && a.LastError == "" }
	isFresh := func(p views.Post) bool { return p.Due && p.Seen.IsZero() && now.Sub(p.Added) < time.Minute }
	return slices.ContainsFunc(p.Accounts, isNew) || slices.ContainsFunc(p.Posts, isFresh)
}

func (h *Handlers) networkChoices() (all []parts.Choice) {
	for _, n := range h.Networks {
		all = append(all, parts.Choice{Value: n.Name, Text: n.Title})
	}
	return all
}

func (h *Handlers) postAccount(a *posts.Account) views.Account {
	return views.Account{ID: a.ID, Title: h.network(a.Network).Title, Host: a.Host, Handle: a.Handle, State: a.State,
		LastError: a.LastError, Added: a.AddedAt, Fetched: web.Deref(a.FetchedAt), Next: web.Deref(a.NextUpdateAt), Posts: a.Posts}
}

// managesPosts is the member whose page it is, for one who may change it.
func (h *Handlers) managesPosts(c echo.Context) (members.Member, error) {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err == nil && !h.Viewer(c).Manages(&m) {
		err = echo.NewHTTPError(http.StatusForbidden, texts.T(c.Request().Context(),
			"only %s, who follows them, or an admin can change which posts are tracked", m.DisplayName))
	}
	if err != nil {
		return m, err
	}
	return m, web.ParseForm(c)
}

// postsRefused shows a member's posts again with what was wrong in a form.
func (h *Handlers) postsRefused(c echo.Context, form string, err error) error {
	errs := web.FieldErrors(err)
	if errs == nil {
		return err
	}
	return h.showOfMember(c, http.StatusUnprocessableEntity, form, web.FormAgain(c, errs))
}

// Follow follows the post of a link.
func (h *Handlers) Follow(c echo.Context) error {
	m, err := h.managesPosts(c)
	if err != nil {
		return err
	}
	post, err := h.linked(c.Request().Context(), c.FormValue("link"))
	if err != nil {
		return h.postsRefused(c, "post", err)
	}
	post.MemberID = &m.ID
	if _, err := posts.Add(c.Request().Context(), h.DB.DB, []posts.New{post}, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, views.Path(post.Network, post.Host, post.ExternalID))
}

// linked is the post that a link leads to.
func (h *Handlers) linked(ctx context.Context, text string) (posts.New, error) {
	text = strings.TrimSpace(text)
	var titles []string
	for _, n := range h.Networks {
		titles = append(titles, n.Title)
		post, err := linkedPost(n, text, "")
		switch {
		case err != nil:
		case post.Unborn(h.Now()):
			return post, &pg.InputError{Field: "link", Message: "this post number is from the future; check its digits"}
		default:
			return post, nil
		}
	}
	return posts.New{}, &pg.InputError{Field: "link", Message: texts.T(ctx,
		"this is not the link of a post. Open the post on %s and copy its address", strings.Join(titles, ", "))}
}

// LinkAccount links a member with an account on a network.
func (h *Handlers) LinkAccount(c echo.Context) error {
	m, err := h.managesPosts(c)
	if err != nil {
		return err
	}
	a := posts.Account{MemberID: m.ID, Network: c.FormValue("network")}
	n, known := posts.NetworkNamed(h.Networks, a.Network)
	if !known {
		return h.postsRefused(c, "account", &pg.InputError{Field: "network", Message: "choose a network from the list"})
	}
	if a.Handle, a.Host, err = n.CheckAccount(c.FormValue("handle"), ""); err != nil {
		input, ok := errors.AsType[*pg.InputError](err)
		if ok && input.Field == "host" {
			err = &pg.InputError{Field: "handle", Message: texts.T(c.Request().Context(),
				"on %s include the server: ada@%s", n.Title, n.HomeServer)}
		}
		return h.postsRefused(c, "account", err)
	}
	if err := posts.AddAccount(c.Request().Context(), h.DB.DB, a, h.Now()); err != nil {
		return h.postsRefused(c, "account", err)
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/posts?done=linked")
}

// UnlinkAccount ends the link.
func (h *Handlers) UnlinkAccount(c echo.Context) error {
	m, err := h.managesPosts(c)
	if err != nil {
		return err
	}
	if err := h.removeAccount(c, &m); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/posts?done=unlinked")
}
