package community

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/community"
	"laurel/models/forums"
	"laurel/models/problems"
	views "laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

const (
	foundShown    = 10
	searchLetters = 100
)

// Search finds members, problems and discussions: each by one bounded statement.
func (h *Handlers) Search(c echo.Context) error {
	words := []rune(strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(c.QueryParam("q"), "\x00", ""), "")))
	p := views.Search{Frame: h.Frame(c, texts.T(c.Request().Context(), "Search")), Query: string(words[:min(len(words), searchLetters)])}
	if p.Query != "" {
		if err := h.find(c, &p); err != nil {
			return err
		}
	}
	return web.Render(c, http.StatusOK, views.SearchPage(p))
}

func (h *Handlers) find(c echo.Context, p *views.Search) error {
	ctx := c.Request().Context()
	people, err := community.People(ctx, h.DB.DB, h.Sites(c), p.Query, foundShown)
	if err != nil {
		return err
	}
	for _, m := range people {
		f := views.Found{Href: web.MemberAddress(m.Name), Title: m.DisplayName, About: m.Name,
			Person: &parts.Person{ID: m.ID, Name: m.DisplayName}}
		if site, handle, ok := strings.Cut(m.Handle, " "); ok {
			f.About = texts.T(ctx, "%s on %s", handle, h.Site(c, site).Title)
		}
		p.People = append(p.People, f)
	}
	met, _, err := problems.Find(ctx, h.DB.DB, problems.Search{Part: p.Query, Order: problems.ByKey}, "", foundShown)
	if err != nil {
		return err
	}
	for _, m := range met {
		p.Problems = append(p.Problems, views.Found{Href: parts.ProblemPath(m.Site, m.Key), Title: parts.Glue(m.Key, " ", m.Name),
			About: h.Site(c, m.Site).Title})
	}
	messages, _, err := forums.Messages(ctx, h.DB.DB, forums.Filter{Words: p.Query, Since: -1}, 3*foundShown)
	if err != nil {
		return err
	}
	known, now := map[int64]bool{}, h.Now().In(h.ViewerZone(c))
	for _, m := range messages {
		if known[m.ThreadID] || len(p.Threads) == foundShown {
			continue
		}
		known[m.ThreadID] = m.ThreadID != 0
		p.Threads = append(p.Threads, views.Found{Href: parts.ThreadPath(m.Forum, m.Serial), Title: parts.OrElse(m.Subject, texts.T(ctx,
			"(no subject)")),
			About: m.Author + " · " + m.ForumName + " · " + texts.Day(ctx, m.PlacedAt, now)})
	}
	return nil
}
