package sites

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/members"
	"laurel/models/pushes"
)

// An apiOutsideSite is a declared site.
type apiOutsideSite struct {
	Site          string `json:"site"`
	Title         string `json:"title"`
	Home          string `json:"home"`
	HandlePattern string `json:"handle_pattern"`
	ProblemURL    string `json:"problem_url"`
}

// APIDeclare declares an outside site, or changes it.
func (h *Handlers) APIDeclare(c echo.Context) error {
	var in struct {
		Title         string `json:"title"`
		Home          string `json:"home"`
		HandlePattern string `json:"handle_pattern"`
		ProblemURL    string `json:"problem_url"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	s := members.OutsideSite{Name: c.Param("site"), Title: in.Title, Home: in.Home, HandlePattern: in.HandlePattern,
		ProblemURL: in.ProblemURL}
	created, err := members.DeclareSite(c.Request().Context(), h.DB.DB, h.BuiltIn, &s, h.Now())
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return c.JSON(status, apiOutsideSite{Site: s.Name, Title: s.Title, Home: s.Home, HandlePattern: s.HandlePattern,
		ProblemURL: s.ProblemURL})
}

// APIRemove forgets an outside site that has no submissions.
func (h *Handlers) APIRemove(c echo.Context) error {
	if err := pushes.RemoveSite(c.Request().Context(), h.DB.DB, c.Param("site"), h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
