package awards

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/events"
	views "laurel/views/awards"
	"laurel/views/parts"
)

// CreateToken makes a token that may push events of one source, and shows it this once.
func (h *Handlers) CreateToken(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	_, secret, err := h.createToken(c, c.FormValue("source"), c.FormValue("label"))
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showEvents(c, http.StatusUnprocessableEntity, parts.Form{}, views.Tokens{Form: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return h.showEvents(c, http.StatusOK, parts.Form{}, views.Tokens{New: secret})
}

// RevokeToken ends a token of a source.
func (h *Handlers) RevokeToken(c echo.Context) error {
	if err := h.revokeToken(c); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/events?done=revoked#tokens")
}

func (h *Handlers) createToken(c echo.Context, source, label string) (events.Token, string, error) {
	t := events.Token{Source: source, Label: label, CreatedBy: h.Viewer(c).Name}
	return events.CreateToken(c.Request().Context(), h.DB.DB, t, h.Now())
}

func (h *Handlers) revokeToken(c echo.Context) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	return events.RevokeToken(c.Request().Context(), h.DB.DB, id)
}

// An apiToken is a token of a source. Token is there only in the answer that makes it.
type apiToken struct {
	ID        int64      `json:"id"`
	Source    string     `json:"source"`
	Label     string     `json:"label"`
	CreatedBy string     `json:"created_by"`
	CreatedAt *time.Time `json:"created_at"`
	Token     string     `json:"token,omitempty"`
}

func showToken(t events.Token) apiToken {
	return apiToken{t.ID, t.Source, t.Label, t.CreatedBy, web.UTC(&t.CreatedAt), ""}
}

// APITokens lists the tokens of sources.
func (h *Handlers) APITokens(c echo.Context) error {
	list, err := events.Tokens(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	return web.SendList(c, list, "", showToken)
}

// APICreateToken makes a token of a source.
func (h *Handlers) APICreateToken(c echo.Context) error {
	var in struct {
		Source string `json:"source"`
		Label  string `json:"label"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	t, secret, err := h.createToken(c, in.Source, in.Label)
	if err != nil {
		return err
	}
	out := showToken(t)
	out.Token = secret
	return c.JSON(http.StatusCreated, out)
}

// APIRevokeToken ends a token of a source.
func (h *Handlers) APIRevokeToken(c echo.Context) error {
	if err := h.revokeToken(c); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
