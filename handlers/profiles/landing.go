package profiles

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/community"
	"laurel/models/members"
	"laurel/models/standings"
	"laurel/views/home"
	"laurel/views/parts"
)

// landingRows is how many members of a board a visitor sees at once.
const landingRows = 8

// Landing is the first page of a visitor: whose place this is, and what they may see of it.
func (h *Handlers) Landing(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	texts, err := community.TextsOf(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p := home.Landing{Frame: h.Frame(c, "Home"), Welcome: texts.Welcome, Sites: h.siteWords()}
	mode, err := members.SignUpMode(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	if mode == members.SignUpOpen {
		p.SignUp = "/sign-up"
	}
	found, err := members.HasAdmin(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p.SetUp = !found
	for _, x := range []struct{ in, title string }{{"week", "Leaderboard this week"}, {"all", "Leaderboard"}} {
		page, err := standings.PageOf(ctx, h.DB.DB, standings.Board{By: "solved", In: x.in}, "", landingRows, now)
		if err != nil {
			return err
		}
		if len(page.Rows) > 0 {
			p.Title, p.More = x.title, "/leaderboard?in="+x.in
			p.Board = home.Leaders{Label: x.title, Value: "Solved", Change: true, Streak: true, Rows: h.Leaders(c, page.Rows)}
			break
		}
	}
	if p.Talks, err = h.talks(ctx, now.In(h.ViewerZone(c))); err != nil {
		return err
	}
	p.Frame.Preview.Words = texts.Welcome
	return web.Render(c, http.StatusOK, home.LandingPage(p))
}

// siteWords names a few of the sites that are read.
func (h *Handlers) siteWords() string {
	const named = 3
	words := ""
	for i, s := range h.BuiltIn {
		if i == named {
			return words + " and " + parts.Number(len(h.BuiltIn)-named) + " more"
		}
		words = parts.Glue(words, ", ", s.Title)
	}
	return words
}
