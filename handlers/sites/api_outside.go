package sites

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/pushes"
)

// An apiOutsideSite is a declared site.
type apiOutsideSite struct {
	Site          string `json:"site"`
	Title         string `json:"title"`
	Kind          string `json:"kind"`
	HasToken      bool   `json:"has_token"`
	Home          string `json:"home"`
	HandlePattern string `json:"handle_pattern"`
	ProblemURL    string `json:"problem_url"`
}

// APIDeclare declares a site, or changes it: with a kind and a base one that Laurel reads, with a home an
// outside site.
func (h *Handlers) APIDeclare(c echo.Context) error {
	var in struct {
		Kind          string  `json:"kind"`
		Base          string  `json:"base"`
		Token         *string `json:"token"`
		Title         string  `json:"title"`
		Home          string  `json:"home"`
		HandlePattern string  `json:"handle_pattern"`
		ProblemURL    string  `json:"problem_url"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	switch {
	case in.Kind == "" && in.Base != "":
		return &pg.InputError{Field: "kind", Message: "say of which kind the host is, such as dmoj"}
	case in.Kind != "" && in.Home != "":
		return &pg.InputError{Field: "home", Message: "a site with a kind has a base instead"}
	}
	s := members.DeclaredSite{Name: c.Param("site"), Kind: in.Kind, Title: in.Title, Home: in.Home + in.Base,
		HandlePattern: in.HandlePattern, ProblemURL: in.ProblemURL}
	created, err := h.declare(c.Request().Context(), &s, in.Token)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return c.JSON(status, apiOutsideSite{Site: s.Name, Title: s.Title, Kind: s.Kind, HasToken: s.Token != nil, Home: s.Home,
		HandlePattern: s.HandlePattern, ProblemURL: s.ProblemURL})
}

// APIRemove forgets a declared site that has no submissions.
func (h *Handlers) APIRemove(c echo.Context) error {
	if err := pushes.RemoveSite(c.Request().Context(), h.DB.DB, c.Param("site"), h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
