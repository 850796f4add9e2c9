package forums

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	views "laurel/views/forums"
	"laurel/views/parts"
	"laurel/views/texts"
)

const (
	authorsShown     = 50
	suggestionsShown = 50
)

// forumChoices are all forums by name, for a form.
func (h *Handlers) forumChoices(ctx context.Context) ([]parts.Choice, error) {
	all, err := forums.All(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	choices := make([]parts.Choice, len(all))
	for i, f := range all {
		choices[i] = parts.Choice{Value: f.Slug, Text: f.Name}
	}
	return choices, nil
}

// typedAuthor is what somebody says about how a member writes.
func (h *Handlers) typedAuthor(ctx context.Context, member int64, by, name, address, forum string) (forums.MessageAuthor, error) {
	a := forums.MessageAuthor{MemberID: member, Name: name, Address: address, AddedBy: by}
	if forum = strings.TrimSpace(forum); forum == "" {
		return a, nil
	}
	f, err := forums.BySlug(ctx, h.DB.DB, forum)
	if errors.Is(err, pg.ErrNotFound) {
		return a, &pg.InputError{Field: "forum", Message: "no forum is named " + strconv.Quote(forum)}
	}
	a.ForumID = &f.ID
	return a, err
}

func authorView(a forums.MessageAuthor) views.Author {
	return views.Author{ID: a.ID, Member: a.Member, Name: a.Name, Address: a.Address, Forum: a.Forum, State: a.State,
		AddedBy: a.AddedBy, Added: a.AddedAt, DecidedBy: a.DecidedBy}
}

func authorViews(list []forums.MessageAuthor) (all []views.Author) {
	for _, a := range list {
		all = append(all, authorView(a))
	}
	return all
}

// OwnNames shows under which names and addresses the viewer writes.
func (h *Handlers) OwnNames(c echo.Context) error {
	return h.showOwnNames(c, http.StatusOK, parts.Form{})
}

func (h *Handlers) showOwnNames(c echo.Context, status int, form parts.Form) error {
	ctx, v := c.Request().Context(), h.Viewer(c)
	p := views.OwnNames{Frame: h.ForumsFrame(c, texts.T(ctx, "My names in forums")), Now: h.Now().In(v.Location()), Name: v.Name,
		Form: form, Admin: v.Role == members.RoleAdmin}
	list, err := forums.AuthorsOf(ctx, h.DB.DB, v.ID)
	if err != nil {
		return err
	}
	p.Authors = authorViews(list)
	if p.Forums, err = h.forumChoices(ctx); err != nil {
		return err
	}
	return web.Render(c, status, views.OwnNamesPage(p))
}

// AddOwnName stores, or asks an admin for, a name and address of the viewer's.
func (h *Handlers) AddOwnName(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	v := h.Viewer(c)
	said, err := h.assignOrAsk(c, v, c.FormValue("name"), c.FormValue("address"), c.FormValue("forum"))
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showOwnNames(c, http.StatusUnprocessableEntity, web.FormAgain(c, wrong))
	}
	if err != nil {
		return err
	}
	if said.State == forums.AuthorSaid {
		return c.Redirect(http.StatusSeeOther, "/settings/names?done=named")
	}
	return c.Redirect(http.StatusSeeOther, "/settings/names?done=name-asked")
}

// assignOrAsk stores what the viewer says about how a member writes: an admin's word
// holds, anybody else's only as far as it needs no proof.
func (h *Handlers) assignOrAsk(c echo.Context, of *members.Member, name, address, forum string) (forums.MessageAuthor, error) {
	ctx, v := c.Request().Context(), h.Viewer(c)
	a, err := h.typedAuthor(ctx, of.ID, v.Name, name, address, forum)
	if err != nil {
		return a, err
	}
	if v.Role == members.RoleAdmin {
		return forums.AssignAuthor(ctx, h.DB.DB, a, h.Now())
	}
	return forums.AskAuthor(ctx, h.DB.DB, a, h.Now())
}

// RemoveOwnName takes back that the viewer writes under a name and address.
func (h *Handlers) RemoveOwnName(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	if err := forums.DropAuthor(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, id, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/settings/names?done=unnamed")
}
