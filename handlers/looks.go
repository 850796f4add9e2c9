package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
	"laurel/models/archive"
	"laurel/views"
)

const looksShown = 100

// Looks lists the log of retrievals: /looks?source&address&viewer&day&failed.
func (h *Handlers) Looks(c echo.Context) error {
	zone := h.viewerZone(c)
	p := views.Looks{Frame: h.frame(c, "Looks"), Now: h.Now().In(zone), Title: "Looks", Day: c.QueryParam("day"), Failed: c.QueryParams().Has("failed")}
	kept := url.Values{}
	for _, name := range []string{"source", "address", "viewer"} {
		if c.QueryParams().Has(name) {
			kept.Set(name, c.QueryParam(name))
		}
	}
	p.Path = withQuery("/looks", kept)
	switch viewer, address := kept.Get("viewer"), kept.Get("address"); {
	case address != "":
		p.Title = "Looks at " + address
	case viewer != "":
		p.Title = "Looks for " + viewer
	case kept.Get("source") != "":
		p.Title = "Looks at " + h.sourceTitle(kept.Get("source"))
	}
	if viewer := kept.Get("viewer"); viewer != "" {
		if m, err := models.MemberByName(c.Request().Context(), h.DB.DB, viewer); err == nil {
			p.About = views.Choice{Value: memberBase(m.Name), Text: m.DisplayName}
		}
	}
	err := h.fillLooks(c, kept, &p)
	if words := mistakeOf(err); words != "" {
		p.Mistake = words
		return render(c, http.StatusUnprocessableEntity, views.LooksPage(p))
	}
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.LooksPage(p))
}

func (h *Handlers) fillLooks(c echo.Context, kept url.Values, p *views.Looks) error {
	q := query{}
	for name := range kept {
		q[name] = kept.Get(name)
	}
	f := models.LookFilter{Source: q.given("source"), Address: q.given("address"), Viewer: q.given("viewer"), Failed: p.Failed}
	day := &models.Member{TimeZone: p.Now.Location().String()} // Whose days count.
	var err error
	if f.Since, err = dayStart("day", p.Day, day, 0); err != nil {
		return err
	}
	if f.Until, err = dayStart("day", p.Day, day, 1); err != nil {
		return err
	}
	cursor, err := models.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	looks, next, err := models.Looks(c.Request().Context(), h.DB.DB, f, cursor, looksShown)
	if err != nil {
		return err
	}
	for _, l := range looks {
		p.Rows = append(p.Rows, views.Look{At: l.At, Source: l.Source, Address: l.Address, Viewer: l.Viewer, Outcome: l.Outcome, Message: l.Message, Same: l.SameAs != nil, Href: h.lookPage(l)})
	}
	p.Exports.JSON = "/api/v1/archive/retrievals?" + apiLooksQuery(kept, &f).Encode()
	p.Older = pageAddress(c, "after", next)
	if cursor != (models.Cursor{}) { // The way back leads to the newest.
		again := c.QueryParams()
		again.Del("after")
		p.Newer = withQuery("/looks", again)
	}
	return nil
}

// apiLooksQuery asks for the same looks, but for the failed ones alone.
func apiLooksQuery(kept url.Values, f *models.LookFilter) url.Values {
	q := maps.Clone(kept)
	q.Set("limit", "500")
	if !f.Since.IsZero() {
		q.Set("since", f.Since.UTC().Format(time.RFC3339))
		q.Set("until", f.Until.UTC().Format(time.RFC3339))
	}
	return q
}

// lookPage is what Laurel's page showed as of a look; "" if it has none.
func (h *Handlers) lookPage(l models.Look) string {
	switch {
	case l.Outcome != archive.OutcomeOK:
		return ""
	case l.Source == models.OwnSource && strings.HasPrefix(l.Address, "/ladders/"):
		return atAddress(l.Address, l.At)
	case l.Viewer == "" || strings.Contains(l.Viewer, " "): // Names have no spaces; who is forgotten has one.
		return ""
	case l.Source == models.OwnSource || slices.ContainsFunc(h.Sites, func(s models.Site) bool { return s.Name == l.Source }):
		return atAddress(memberBase(l.Viewer), l.At)
	}
	return ""
}
