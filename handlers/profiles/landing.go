package profiles

import (
	"cmp"
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/community"
	"laurel/models/members"
	"laurel/models/standings"
	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

// landingRows is how many members of a board a visitor sees at once.
const landingRows = 8

// Landing is the first page of a visitor: whose place this is, and what they may see of it.
func (h *Handlers) Landing(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	said, err := community.TextsOf(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p := home.Landing{Frame: h.Frame(c, texts.T(ctx, "Home")), Welcome: said.Welcome, Sites: h.siteWords(ctx)}
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
	for _, x := range []struct{ in, title string }{{"week", texts.T(ctx, "Leaderboard this week")}, {"all", texts.T(ctx, "Leaderboard")}} {
		page, err := standings.PageOf(ctx, h.DB.DB, standings.Board{By: "solved", In: x.in}, "", landingRows, now)
		if err != nil {
			return err
		}
		if len(page.Rows) > 0 {
			p.Title, p.More = x.title, "/leaderboard?in="+x.in
			p.Board = home.Leaders{Label: x.title, Value: texts.T(ctx, "Solved"), Change: true, Streak: true, Rows: h.Leaders(c, page.Rows)}
			break
		}
	}
	if p.Talks, err = h.talks(ctx, now.In(h.ViewerZone(c))); err != nil {
		return err
	}
	p.Frame.Preview.Words = cmp.Or(said.Welcome, p.Frame.Preview.Words)
	return web.Render(c, http.StatusOK, home.LandingPage(p))
}

// siteWords names a few of the sites that are read.
func (h *Handlers) siteWords(ctx context.Context) string {
	const named = 3
	words := ""
	for i, s := range h.BuiltIn {
		if i == named {
			return texts.T(ctx, "%s and %d more", words, len(h.BuiltIn)-named)
		}
		words = parts.Glue(words, ", ", s.Title)
	}
	return words
}
