package follows

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/follows"
	views "laurel/views/follows"
	"laurel/views/parts"
	"laurel/views/texts"
)

// shown is how many people a page has.
const shown = 100

// Following shows whom the viewer follows: registered members, and people without an account.
func (h *Handlers) Following(c echo.Context) error {
	return h.showFollowing(c, http.StatusOK, parts.Form{})
}

func (h *Handlers) showFollowing(c echo.Context, status int, form parts.Form) error {
	ctx := c.Request().Context()
	p, err := h.list(c, follows.Followed, texts.T(ctx, "People I follow"))
	if err != nil {
		return err
	}
	p.Form = form
	custom, err := accounts.CustomOf(ctx, h.DB.DB, h.Viewer(c).ID)
	if err != nil {
		return err
	}
	for _, m := range custom {
		p.Custom = append(p.Custom, views.Custom{Person: views.Person{ID: m.ID, Name: m.Name, DisplayName: m.DisplayName},
			Accounts: h.accountWords(c, m.Accounts)})
	}
	return web.Render(c, status, views.FollowingPage(p))
}

// Followers shows who follows the viewer.
func (h *Handlers) Followers(c echo.Context) error {
	return h.show(c, follows.Followers, texts.T(c.Request().Context(), "My followers"), views.FollowersPage)
}

// Requests shows who asks to follow the viewer.
func (h *Handlers) Requests(c echo.Context) error {
	return h.show(c, follows.Requests, texts.T(c.Request().Context(), "Requests to follow me"), views.RequestsPage)
}

// Blocked shows whom the viewer blocked.
func (h *Handlers) Blocked(c echo.Context) error {
	return h.show(c, follows.Blocked, texts.T(c.Request().Context(), "People I blocked"), views.BlockedPage)
}

func (h *Handlers) show(c echo.Context, list, title string, page func(views.List) templ.Component) error {
	p, err := h.list(c, list, title)
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, page(p))
}

// list is one of the viewer's lists.
func (h *Handlers) list(c echo.Context, list, title string) (p views.List, err error) {
	ctx, v := c.Request().Context(), h.Viewer(c)
	cursor, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return p, err
	}
	people, next, err := follows.Of(ctx, h.DB.DB, list, v.ID, cursor, shown)
	if err != nil {
		return p, err
	}
	p = views.List{Frame: h.Frame(c, title), Now: h.Now().In(v.Location()), Older: web.PageAddress(c, "after", next)}
	if cursor != (pg.Cursor{}) {
		p.Newest = c.Request().URL.Path
	}
	for _, m := range people {
		p.People = append(p.People, views.Person{ID: m.ID, Name: m.Name, DisplayName: m.DisplayName, At: m.At.In(v.Location()),
			Requested: m.State == follows.Requested})
	}
	p.Waiting, err = follows.Waiting(ctx, h.DB.DB, v.ID)
	return p, err
}

// accountWords names handles: "Codeforces: ada, UVa: ada99".
func (h *Handlers) accountWords(c echo.Context, handles map[string]string) string {
	var words []string
	for _, s := range h.Sites(c) {
		if handles[s.Name] != "" {
			words = append(words, s.Title+": "+handles[s.Name])
		}
	}
	return strings.Join(words, ", ")
}
