package profiles

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/members"
	"laurel/models/retrieval"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// Retrieve is the button: it asks for fresh submissions and answers at once; a
// job does the work.
func (h *Handlers) Retrieve(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	if !h.Viewer(c).Manages(&m) {
		return echo.NewHTTPError(http.StatusForbidden, texts.T(ctx, "only %s, who follows them, or an admin can ask for a retrieval",
			m.DisplayName))
	}
	if _, err := h.request(c, &m, c.FormValue("again") != ""); err != nil {
		return err
	}
	if !web.IsPartial(c) {
		if onPage(c) != views.OnProfile {
			return c.Redirect(http.StatusSeeOther, "/")
		}
		return c.Redirect(http.StatusSeeOther, "/u/"+m.Name)
	}
	return h.RetrievalPart(c)
}

// request asks for fresh submissions, and for everything once more with again.
func (h *Handlers) request(c echo.Context, m *members.Member, again bool) (time.Time, error) {
	ctx, now := c.Request().Context(), h.Now()
	at, err := retrieval.Request(ctx, h.DB.DB, m.ID, h.CoolDown, now)
	if err == nil && again {
		err = retrieval.ReadWhole(ctx, h.DB.DB, m.ID, "", now)
	}
	return at, err
}

// RetrievalPart is the accounts alone, as the button's answer.
func (h *Handlers) RetrievalPart(c echo.Context) error {
	_, card, err := h.card(c)
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.AccountsSection(card))
}

func (h *Handlers) card(c echo.Context) (members.Member, views.AccountsCard, error) {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return m, views.AccountsCard{}, err
	}
	accounts, err := members.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return m, views.AccountsCard{}, err
	}
	card, err := h.accountsCard(c, &m, accounts, h.Now())
	card.On = onPage(c)
	return m, card, err
}

// onPage is the page on which the button was pressed, or the news are wanted.
func onPage(c echo.Context) string {
	if on := c.QueryParam("on"); on == views.OnToday || on == views.OnTodayAlone {
		return on
	}
	return views.OnProfile
}

const (
	eventsEvery = 150 * time.Millisecond // News come no faster than this.
	eventsPoll  = 5 * time.Second        // Checks by itself, in case a notification was lost; keeps proxies awake.
	eventsFor   = 15 * time.Minute       // Then the browser asks again, or has gone.
)

// RetrievalEvents streams the accounts while something is read (server-sent
// events): "ask" and "accounts" with new HTML, and at the end "done".
func (h *Handlers) RetrievalEvents(c echo.Context) error {
	m, _, err := h.card(c)
	if err != nil {
		return err
	}
	news, stop := h.Progress.watch(m.ID)
	defer stop()
	c.Response().Header().Set(echo.HeaderContentType, "text/event-stream")
	c.Response().Header().Set("X-Accel-Buffering", "no")
	c.Response().WriteHeader(http.StatusOK)
	ctx, cancel := context.WithTimeout(c.Request().Context(), eventsFor)
	defer cancel()
	sent := map[string]string{}
	for {
		_, card, err := h.card(c)
		if err != nil {
			return err
		}
		if !card.Live {
			return sendEvent(c, "done", "")
		}
		said := false
		for name, part := range map[string]templ.Component{"ask": views.AskPart(card), "accounts": views.AccountsPart(card)} {
			var html strings.Builder
			if err := part.Render(ctx, &html); err != nil {
				return err
			}
			if sent[name] == html.String() {
				continue
			}
			if err := sendEvent(c, name, html.String()); err != nil {
				return nil // The browser has gone.
			}
			sent[name], said = html.String(), true
		}
		if !said && sendComment(c) != nil {
			return nil
		}
		if !h.waitNews(ctx, news) {
			return nil
		}
	}
}

// waitNews returns false when the stream is over.
func (h *Handlers) waitNews(ctx context.Context, news <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-h.Progress.closed:
		return false
	case <-time.After(eventsEvery):
	}
	select {
	case <-ctx.Done():
		return false
	case <-h.Progress.closed:
		return false
	case <-news:
	case <-time.After(eventsPoll):
	}
	return true
}

// sendComment says nothing, so that no proxy thinks the stream is dead.
func sendComment(c echo.Context) error {
	_, err := io.WriteString(c.Response(), ":\n\n")
	c.Response().Flush()
	return err
}

func sendEvent(c echo.Context, name, data string) error {
	_, err := io.WriteString(c.Response(), "event: "+name+"\ndata: "+strings.ReplaceAll(data, "\n", "\ndata: ")+"\n\n")
	c.Response().Flush()
	return err
}
