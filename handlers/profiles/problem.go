package profiles

import (
	"cmp"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/submissions"
	forumviews "laurel/views/forums"
	views "laurel/views/profiles"
)

// Problem shows a problem: who solved it, and what is said about it.
func (h *Handlers) Problem(c echo.Context) error {
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
	p := views.Problem{Now: now, Site: found.Site, Key: found.Key, SiteTitle: cmp.Or(h.Site(c, found.Site).Title, found.Site),
		URL: found.URL, Known: found.Known,
		Words:    h.problemName(c, found.Site, found.Key, found.Name),
		Attempts: found.Attempts, Accepted: found.Accepted, Tried: found.Tried, Solvers: found.Solvers,
		Discussions: forumviews.TrackCard(trackView(track, aboutAddress(forums.RefProblem, found.Site+"/"+found.Key)), now)}
	for _, s := range found.Solved {
		p.Solved = append(p.Solved, views.Solver{Name: s.Name, DisplayName: s.DisplayName, At: s.At, Attempts: s.Attempts,
			Language: s.Language, URL: s.URL})
	}
	p.Frame = h.ForumsFrame(c, p.Words)
	return web.Render(c, http.StatusOK, views.ProblemPage(p))
}
