package profiles

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	"laurel/models/retrieval"
)

// APIRetrieve is the button: it says when the retrieval was asked for, which
// lies in the past where one is still running.
func (h *Handlers) APIRetrieve(c echo.Context) error {
	m, err := h.Managed(c)
	if err != nil {
		return err
	}
	var in struct {
		Again bool `json:"again"`
	}
	if c.Request().ContentLength != 0 {
		if err := web.Decode(c, &in); err != nil {
			return err
		}
	}
	at, err := h.request(c, m, in.Again)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, struct {
		RequestedAt time.Time `json:"requested_at"`
	}{at.UTC()})
}

type apiRetrieval struct {
	RequestedAt *time.Time         `json:"requested_at"`
	State       string             `json:"state"`
	Sites       []apiSiteRetrieval `json:"sites"`
}

type apiSiteRetrieval struct {
	Site    string `json:"site"`
	State   string `json:"state"`
	Page    int    `json:"page"`
	New     int    `json:"new"`
	Outcome string `json:"outcome"`
	Message string `json:"message"`
}

// APIRetrieval says how far the newest retrieval is.
func (h *Handlers) APIRetrieval(c echo.Context) error {
	m, err := accounts.Named(c.Request().Context(), h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	r := retrieval.ProgressOf(&m.Member, m.Accounts, h.SuspendedSites(c), h.Now())
	out := apiRetrieval{RequestedAt: web.UTC(r.RequestedAt), State: r.Phase, Sites: make([]apiSiteRetrieval, len(r.Sites))}
	for i, s := range r.Sites {
		out.Sites[i] = apiSiteRetrieval{Site: s.Site, State: s.Phase, Page: s.Page, New: s.New, Outcome: s.Outcome, Message: s.Message}
	}
	return c.JSON(http.StatusOK, out)
}
