package archive

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	"laurel/models/retrieval"
	views "laurel/views/archive"
	"laurel/views/parts"
)

const checksShown = 100

// Retrievals lists the log of retrievals: /looks?source&address&viewer&outcome&since&until&day&failed.
func (h *Handlers) Retrievals(c echo.Context) error {
	format, err := web.PageFormat(c)
	if err != nil {
		return err
	}
	p := views.Checks{Frame: h.Frame(c, "Checks"), Now: h.Now().In(h.ViewerZone(c)), Title: "Checks", Path: "/looks",
		Day:    c.QueryParam("day"),
		Failed: c.QueryParams().Has("failed"), Outcome: c.QueryParam("outcome"), Since: c.QueryParam("since"), Until: c.QueryParam("until")}
	s, err := h.fillChecks(c, &p)
	if format != "" {
		if err != nil {
			return err
		}
		return s.Send(c, format)
	}
	if words := mistakeOf(err); words != "" {
		p.Mistake = words
		return web.Render(c, http.StatusUnprocessableEntity, views.ChecksPage(p))
	}
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.ChecksPage(p))
}

// aboutChecks says whose checks are listed.
func (h *Handlers) aboutChecks(c echo.Context, q query, p *views.Checks) {
	filters := url.Values{}
	for _, name := range []string{"source", "address", "viewer"} {
		if q.given(name) != nil {
			filters.Set(name, q.text(name))
		}
	}
	p.Path = web.WithQuery("/looks", filters)
	switch viewer, address := q.text("viewer"), q.text("address"); {
	case address != "":
		p.Title = "Checks of " + address
	case viewer != "":
		p.Title = "Checks for " + viewer
	case q.text("source") != "":
		p.Title = "Checks of " + h.SourceTitle(c, q.text("source"))
	}
	if viewer := q.text("viewer"); viewer != "" {
		if m, err := members.ByName(c.Request().Context(), h.DB.DB, viewer); err == nil {
			p.About = parts.Choice{Value: web.MemberAddress(m.Name), Text: m.DisplayName}
		}
	}
}

func (h *Handlers) fillChecks(c echo.Context, p *views.Checks) (*web.Sheet, error) {
	q, err := queryOf(c, nil, "source", "address", "viewer", "outcome", "since", "until", "day", "failed", "after", "format")
	if err != nil {
		return nil, err
	}
	h.aboutChecks(c, q, p)
	f, err := h.pageCheckFilter(c, q, p)
	if err != nil {
		return nil, err
	}
	cursor, err := pg.ParseCursor(q.text("after"))
	if err != nil {
		return nil, err
	}
	checks, next, err := retrieval.Log(c.Request().Context(), h.DB.DB, f, cursor, checksShown)
	if err != nil {
		return nil, err
	}
	for _, l := range checks {
		p.Rows = append(p.Rows, views.Check{At: l.At, Source: l.Source, Address: l.Address, Viewer: l.Viewer, Outcome: l.Outcome,
			Message: l.Message, Same: l.SameAs != nil, Href: h.checkPage(c, l)})
	}
	again := maps.Clone(c.QueryParams()) // With what is empty: an empty viewer is a guest, and no viewer is anybody.
	if next != (pg.Cursor{}) {
		older := maps.Clone(again)
		older.Set("after", next.String())
		p.Older = web.WithQuery("/looks", older)
	}
	again.Del("format")
	p.Exports = web.SheetExports(web.WithQuery("/looks", again))
	if cursor != (pg.Cursor{}) { // The way back leads to the newest.
		again.Del("after")
		p.Newer = web.WithQuery("/looks", again)
	}
	return checksSheet(p), nil
}

// pageCheckFilter reads which checks are meant: those of the day and the span.
func (h *Handlers) pageCheckFilter(c echo.Context, q query, p *views.Checks) (f retrieval.LogFilter, err error) {
	f = retrieval.LogFilter{Source: q.given("source"), Address: q.given("address"), Viewer: q.given("viewer"), Failed: p.Failed}
	if p.Outcome != "" {
		f.Outcome = &p.Outcome
	}
	zone := p.Now.Location()
	day := &members.Member{TimeZone: zone.String()} // Whose days count.
	if f.Since, err = web.DayStart("day", p.Day, day, 0); err != nil {
		return f, err
	}
	if f.Until, err = web.DayStart("day", p.Day, day, 1); err != nil {
		return f, err
	}
	if p.Since != "" {
		since, err := h.InstantParam(c, "since", zone)
		if err != nil {
			return f, err
		}
		if since.After(f.Since) {
			f.Since = since
		}
	}
	if p.Until != "" {
		until, err := h.InstantParam(c, "until", zone)
		if err != nil {
			return f, err
		}
		if f.Until.IsZero() || until.Before(f.Until) {
			f.Until = until
		}
	}
	return f, nil
}

// shownChecks are the checks of a page, and the address of those before them.
type shownChecks struct {
	Items []shownCheck `json:"items"`
	Next  string       `json:"next"`
}

type shownCheck struct {
	At      time.Time `json:"at"`
	Source  string    `json:"source"`
	Viewer  string    `json:"viewer"`
	Address string    `json:"address"`
	Outcome string    `json:"outcome"`
	Same    bool      `json:"same"`
	Message string    `json:"message"`
	Page    string    `json:"page"`
}

func checksSheet(p *views.Checks) *web.Sheet {
	whole := shownChecks{Items: []shownCheck{}, Next: p.Older}
	s := &web.Sheet{Name: "checks", Head: []string{"at", "source", "viewer", "address", "outcome", "same", "message", "page"}}
	for _, l := range p.Rows {
		whole.Items = append(whole.Items, shownCheck{l.At.UTC(), l.Source, l.Viewer, l.Address, l.Outcome, l.Same, l.Message, l.Href})
		s.Rows = append(s.Rows, []any{l.At, l.Source, l.Viewer, l.Address, l.Outcome, l.Same, l.Message, l.Href})
	}
	s.Whole = whole
	return s
}

// checkPage is what Laurel's page showed as of a check; "" if it has none.
func (h *Handlers) checkPage(c echo.Context, l retrieval.LoggedRetrieval) string {
	switch {
	case l.Outcome != archive.OutcomeOK:
		return ""
	case l.Source == modelhistory.OwnSource && strings.HasPrefix(l.Address, "/ladders/"):
		return web.AtAddress(l.Address, l.At)
	case l.Viewer == "" || strings.Contains(l.Viewer, " "): // Names have no spaces; who is forgotten has one.
		return ""
	case l.Source == modelhistory.OwnSource || slices.ContainsFunc(h.Sites(c), func(s members.Site) bool { return s.Name == l.Source }):
		return web.AtAddress(web.MemberAddress(l.Viewer), l.At)
	}
	return ""
}
