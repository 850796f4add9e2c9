package handlers

import (
	"cmp"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/submissions"
	"laurel/views"
)

// Problem shows a problem: who solved it, and what is said about it.
func (h *profileHandlers) Problem(c echo.Context) error {
	ctx := c.Request().Context()
	site, key := c.Param("site"), c.Param("*")
	for _, part := range []*string{&site, &key} {
		if plain, err := url.PathUnescape(*part); err == nil {
			*part = plain
		}
	}
	found, err := submissions.ProblemOf(ctx, h.DB.DB, site, key)
	if err != nil {
		return err
	}
	track, err := forums.TrackAbout(ctx, h.DB.DB, forums.RefProblem, found.Site+"/"+found.Key)
	if err != nil {
		return err
	}
	if !found.Known && track.Messages == 0 {
		return pg.ErrNotFound
	}
	now := h.Now().In(h.ViewerZone(c))
	p := views.ProblemPage{Now: now, Site: found.Site, Key: found.Key, SiteTitle: cmp.Or(h.Site(found.Site).Title, found.Site), URL: found.URL, Known: found.Known,
		Words:    problemWords(submissions.Submission{Site: found.Site, ProblemKey: found.Key, ProblemName: found.Name}),
		Attempts: found.Attempts, Accepted: found.Accepted, Tried: found.Tried, Solvers: found.Solvers, Discussions: views.TrackCard(trackView(track, aboutAddress(forums.RefProblem, found.Site+"/"+found.Key)), now)}
	for _, s := range found.Solved {
		p.Solved = append(p.Solved, views.Solver{Name: s.Name, DisplayName: s.DisplayName, At: s.At, Attempts: s.Attempts, Language: s.Language, URL: s.URL})
	}
	p.Frame = h.ForumsFrame(c, p.Words)
	return Render(c, http.StatusOK, views.OneProblemPage(p))
}
