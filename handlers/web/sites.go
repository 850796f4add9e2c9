package web

import (
	"slices"

	"github.com/labstack/echo/v4"

	modelhistory "laurel/models/history"
	"laurel/models/members"
	"laurel/models/retrieval"
	retrievalviews "laurel/views/retrieval"
)

const (
	keySuspended = "suspended sites"
	keySites     = "sites"
)

// SuspendedSites are the sites that are not asked now, read once for a page. Without them
// a page is still right in all else, so a failure is only logged.
func (h *Base) SuspendedSites(c echo.Context) map[string]retrieval.Circuit {
	if known, ok := c.Get(keySuspended).(map[string]retrieval.Circuit); ok {
		return known
	}
	circuits, err := retrieval.SuspendedCircuits(c.Request().Context(), h.DB.DB)
	if err != nil {
		h.Log.WarnContext(c.Request().Context(), "page without the state of the sites", "err", err)
	}
	c.Set(keySuspended, circuits)
	return circuits
}

// suspendedLine is the line about sites that are not asked now, on top of every page.
func (h *Base) suspendedLine(c echo.Context) string {
	var troubled []retrievalviews.SiteHealth
	for name, circuit := range h.SuspendedSites(c) {
		s := retrievalviews.SiteHealth{Title: h.Site(c, name).Title}
		ViewCircuit(&s, circuit)
		troubled = append(troubled, s)
	}
	slices.SortFunc(troubled, func(a, b retrievalviews.SiteHealth) int { return CompareFold(a.Title, b.Title) })
	return retrievalviews.StripLine(c.Request().Context(), troubled, h.Now().In(h.ViewerZone(c)))
}

// ViewCircuit shows the state of a circuit.
func ViewCircuit(s *retrievalviews.SiteHealth, c retrieval.Circuit) {
	s.Broken, s.OpenedAt, s.AnsweredAt, s.NextTry = c.Broken(), Deref(c.OpenedAt), Deref(c.AnsweredAt), Deref(c.NextTryAt)
	s.PausedAt, s.PausedBy, s.PausedReason = Deref(c.PausedAt), c.PausedBy, c.PausedReason
	if s.Broken {
		s.Outcome, s.Why = c.Outcome, c.Message
	}
}

// SourceTitle is how pages call a source of the archive.
func (h *Base) SourceTitle(c echo.Context, source string) string {
	if source == modelhistory.OwnSource {
		return "Laurel"
	}
	return h.Site(c, source).Title
}

// Sites are all judge sites, by name: those that Laurel reads, and those that admins declared,
// read once for a request. Without the latter a page is still right in all else, so a failure
// is only logged.
func (h *Base) Sites(c echo.Context) []members.Site {
	if known, ok := c.Get(keySites).([]members.Site); ok {
		return known
	}
	all, err := members.AllSites(c.Request().Context(), h.DB.DB, h.BuiltIn, h.Kinds)
	if err != nil {
		h.Log.WarnContext(c.Request().Context(), "request without the outside sites", "err", err)
	}
	c.Set(keySites, all)
	return all
}

// Site is what is known of a site by name; one that this version cannot read
// any more is called by its name.
func (h *Base) Site(c echo.Context, name string) members.Site {
	named := func(s members.Site) bool { return s.Name == name }
	if i := slices.IndexFunc(h.BuiltIn, named); i >= 0 {
		return h.BuiltIn[i]
	}
	sites := h.Sites(c)
	if i := slices.IndexFunc(sites, named); i >= 0 {
		return sites[i]
	}
	return members.Site{Name: name, Title: name}
}
