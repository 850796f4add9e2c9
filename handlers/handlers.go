// Package handlers answers requests: a handler reads the request, calls models
// and renders a view, and does nothing else.
//
// Every address and who may use it stands in routes.go; an error becomes a
// status in errors.go and nowhere else. What needs the outside world is stored
// as a wish in the database, and a job finds it there.
package handlers

import (
	"io"
	"iter"
	"log/slog"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"laurel/models"
	"laurel/views"
)

// Handlers is what a handler may use.
type Handlers struct {
	DB         *models.DB
	Now        func() time.Time
	Log        *slog.Logger
	URL        string           // How people reach us, without a slash at the end.
	Sites      []models.Site    // The judge sites that can be read, by name.
	Networks   []models.Network // The post networks that can be read, by name.
	Posts      PostPages
	ForumKinds []string // The kinds of archives that can be read.
	// ReadMbox yields the messages of a mailbox file; see jobs.ReadMbox.
	ReadMbox func(io.Reader) iter.Seq2[models.NewMessage, error]
	Sessions *scs.SessionManager
	Assets   views.Assets
	Static   http.Handler // Serves the files behind Assets below /static/.
	Build    string
	Secret   models.Secret // Opens the key that signs badges.
	CoolDown time.Duration // Between two presses of the button that went well.
	Progress *Progress     // Who waits for news of a retrieval.
	Outbox   Outbox
	Ready    func(*http.Request) error
	Metrics  http.Handler
}

// PostPages is what pages of posts must know.
type PostPages struct {
	Tiers     models.Tiers
	BufferTTL time.Duration
	CoolDown  time.Duration // Between two presses of "Refresh now".
}

// render sends a page. It renders to memory first, so a failing template
// becomes an error page and not half a page with status 200.
func render(c echo.Context, status int, page templ.Component) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := page.Render(c.Request().Context(), buf); err != nil {
		return err
	}
	return c.HTMLBlob(status, buf.Bytes())
}

// isPartial says whether the page's own script asks, which wants a part of the page.
func isPartial(c echo.Context) bool {
	return c.Request().Header.Get("HX-Request") == "true"
}
