package forums

import (
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
)

// Authors shows admins who writes under which names.
func (h *Handlers) Authors(c echo.Context) error {
	return h.showAuthors(c, http.StatusOK, views.AuthorsAdmin{})
}

// showAuthors fills p, which says what was refused, with the rest of the page.
func (h *Handlers) showAuthors(c echo.Context, status int, p views.AuthorsAdmin) error {
	ctx := c.Request().Context()
	p.Frame, p.Now = h.ForumsFrame(c, "Authors"), h.Now().In(h.ViewerZone(c))
	var before int64
	if after := c.QueryParam("before"); after != "" {
		var err error
		if before, err = strconv.ParseInt(after, 10, 64); err != nil || before < 1 {
			return &pg.InputError{Field: "before", Message: "this cursor belongs to another list; start without one"}
		}
	}
	open, err := forums.AuthorSuggestions(ctx, h.DB.DB, suggestionsShown)
	if err != nil {
		return err
	}
	for i := range open {
		p.Suggestions = append(p.Suggestions, suggestionView(&open[i]))
	}
	said, err := forums.AssignedAuthors(ctx, h.DB.DB, before, authorsShown+1)
	if err != nil {
		return err
	}
	if len(said) > authorsShown {
		said = said[:authorsShown]
		p.Older = "/admin/authors?before=" + strconv.FormatInt(said[authorsShown-1].ID, 10)
	}
	p.Said = authorViews(said)
	nobody, err := forums.AuthorsOf(ctx, h.DB.DB, 0)
	if err != nil {
		return err
	}
	p.Nobody = authorViews(nobody)
	if p.Forums, err = h.forumChoices(ctx); err != nil {
		return err
	}
	return web.Render(c, status, views.AuthorsAdminPage(p))
}

func suggestionView(s *forums.AuthorSuggestion) views.SuggestedAuthor {
	v := views.SuggestedAuthor{ID: s.ID, Author: views.Author{Member: s.Member, Name: s.Name, Address: s.Address, Forum: s.Forum},
		Messages: s.Messages, Asked: s.Reasons == forums.AuthorAsked}
	for _, r := range s.ReasonWords() {
		v.Reasons = append(v.Reasons, web.Sentence(r))
	}
	return v
}

// authorsRefused shows the admins' page again with what was wrong.
func (h *Handlers) authorsRefused(c echo.Context, err error) error {
	for _, message := range web.FieldErrors(err) {
		return h.showAuthors(c, http.StatusUnprocessableEntity, views.AuthorsAdmin{Wrong: message})
	}
	return err
}

// AssignAuthor notes who writes under a name and address; without a member, that it is
// nobody's.
func (h *Handlers) AssignAuthor(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx := c.Request().Context()
	var of members.Member
	var err error
	if name := strings.TrimSpace(c.FormValue("member")); name != "" {
		if of, err = members.ByName(ctx, h.DB.DB, name); errors.Is(err, pg.ErrNotFound) {
			err = &pg.InputError{Field: "member", Message: "no member is named " + strconv.Quote(name)}
		}
	}
	if err == nil {
		_, err = h.assignOrAsk(c, &of, c.FormValue("name"), c.FormValue("address"), c.FormValue("forum"))
	}
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showAuthors(c, http.StatusUnprocessableEntity, views.AuthorsAdmin{Form: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/authors?done=named")
}

// DecideSuggestion accepts or dismisses what was asked for or suggested.
func (h *Handlers) DecideSuggestion(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	accept, err := decision(c.FormValue("decision"))
	if err == nil {
		_, err = forums.DecideAuthor(c.Request().Context(), h.DB.DB, c.FormValue("id"), accept, h.Viewer(c).Name, h.Now())
	}
	if err != nil {
		return h.authorsRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/authors?done=saved")
}

func decision(answer string) (accept bool, err error) {
	if answer != "accept" && answer != "dismiss" {
		return false, &pg.InputError{Field: "decision", Message: "must be accept or dismiss"}
	}
	return answer == "accept", nil
}

// RemoveAuthor takes back what was said of any member, or of nobody.
func (h *Handlers) RemoveAuthor(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	if err := forums.DropAuthor(c.Request().Context(), h.DB.DB, forums.AnyMember, id, h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/authors?done=unnamed")
}
