package admin

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	"laurel/models/members"
	views "laurel/views/admin"
	"laurel/views/parts"
)

// maxImport is a file of about 10,000 members.
const maxImport = 1 << 20

// ImportForm is the page on which admins import members.
func (h *Handlers) ImportForm(c echo.Context) error {
	return h.showImport(c, http.StatusOK, views.Import{})
}

func (h *Handlers) showImport(c echo.Context, status int, p views.Import) error {
	p.Frame = h.Frame(c, "Import members")
	for _, s := range h.Sites(c) {
		p.Sites = append(p.Sites, s.Name)
	}
	return web.Render(c, status, views.ImportPage(p))
}

// Import stores the members of a CSV file, or says what is wrong with it, by line. On request it makes a
// link for each who has no password yet.
func (h *Handlers) Import(c echo.Context) error {
	text, err := web.Upload(c, "text", maxImport)
	if err != nil {
		return err
	}
	ctx, now := c.Request().Context(), h.Now()
	counts, err := accounts.Import(ctx, h.DB.DB, h.Sites(c), strings.NewReader(text), now)
	if wrong, ok := errors.AsType[*accounts.Mistakes](err); ok {
		p := views.Import{Text: text}
		for _, m := range wrong.Mistakes {
			p.Mistakes = append(p.Mistakes, views.ImportMistake{Line: m.Line, Column: m.Column, Message: web.Sentence(m.Message)})
		}
		return h.showImport(c, http.StatusUnprocessableEntity, p)
	}
	if err != nil {
		return err
	}
	p := views.Import{Done: parts.Plural(counts.Created, "member") + " added, " + parts.Number(counts.Known) + " known already; " +
		parts.Plural(counts.Added, "handle") + " added, " + parts.Number(counts.Changed) + " changed."}
	if c.FormValue("links") == "yes" {
		invited, err := members.InviteAll(ctx, h.DB.DB, h.Viewer(c).ID, counts.Names, now)
		if err != nil {
			return err
		}
		for _, m := range invited {
			p.Links = append(p.Links, m.Name+","+h.URL+"/sign-up?code="+m.Code)
		}
	}
	return h.showImport(c, http.StatusOK, p)
}
