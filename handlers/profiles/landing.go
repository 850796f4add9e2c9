package profiles

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/community"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/models/standings"
	"laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

// How many members of a board a visitor sees at once, and how many people with an award.
const (
	landingRows   = 8
	landingAwards = 5
)

// Landing is the first page of a visitor: whose place this is, and what they may see of it.
func (h *Handlers) Landing(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	said, err := community.TextsOf(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p := home.Landing{Frame: h.Frame(c, texts.T(ctx, "Home")), Welcome: said.Welcome, Sites: h.siteWords(ctx)}
	door, err := members.DoorOf(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	if p.SetUp = !door.Admin; door.Mode == members.SignUpOpen {
		p.SignUp = "/sign-up"
	}
	for _, add := range []func(echo.Context, *home.Landing, time.Time) error{h.addBoard, h.addTotals, h.addRecentAwards} {
		if err := add(c, &p, now.In(h.ViewerZone(c))); err != nil {
			return err
		}
	}
	if p.Talks, err = h.talks(ctx, now.In(h.ViewerZone(c))); err != nil {
		return err
	}
	p.Frame.Preview.Words = cmp.Or(said.Welcome, p.Frame.Preview.Words)
	return web.Render(c, http.StatusOK, home.LandingPage(p))
}

// addBoard adds the first rows of the week, or of all time where nobody solved anything this week.
func (h *Handlers) addBoard(c echo.Context, p *home.Landing, now time.Time) error {
	ctx := c.Request().Context()
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
	return nil
}

// addTotals adds the community in numbers. What there is none of is left out.
func (h *Handlers) addTotals(c echo.Context, p *home.Landing, now time.Time) error {
	ctx := c.Request().Context()
	t, err := community.TotalsOf(ctx, h.DB.DB)
	if err != nil || t.CountedAt.IsZero() {
		return err
	}
	people := texts.N(ctx, t.Members, "member here", "members here")
	if t.Joined > 0 && t.Joined < t.Members {
		people += ", " + texts.T(ctx, "%d new in 30 days", t.Joined)
	}
	solved, line := t.SolvedWeek, weekLine(ctx, t.SolvedWeek, t.SolvedBefore)
	if solved == 0 {
		solved, line = t.Solved, texts.N(ctx, t.Solved, "problem solved", "problems solved")
	}
	for _, x := range []struct {
		n     int
		line  string
		alive bool
	}{
		{t.Members, people, true},
		{solved, line, true},
		{t.Submissions, texts.N(ctx, t.Submissions, "submission", "submissions"), false},
		{t.Discussions, texts.N(ctx, t.Discussions, "discussion", "discussions"), false},
		{t.Awards, texts.N(ctx, t.Awards, "award earned", "awards earned"), false},
	} {
		if x.n > 0 {
			p.Facts = append(p.Facts, home.Fact{Figure: texts.Number(ctx, x.n), Line: x.line, Alive: x.alive})
		}
	}
	p.Counted = texts.T(ctx, "Updated %s", texts.Moment(ctx, t.CountedAt, now))
	return nil
}

// weekLine says what the problems of this week are to those of the week before; nothing if there were none.
func weekLine(ctx context.Context, week, before int) string {
	percent := 0
	if before > 0 {
		percent = max(int(math.Round(100*float64(week-before)/float64(before))), -99) // Not all: there are some.
	}
	switch {
	case percent > 0:
		return texts.T(ctx, "solved this week, up %d %%", percent)
	case percent < 0:
		return texts.T(ctx, "solved this week, down %d %%", -percent)
	case before > 0:
		return texts.T(ctx, "solved this week, as in the week before")
	}
	return texts.T(ctx, "solved this week")
}

// addRecentAwards adds who earned an award last, of those whom the visitor may see.
func (h *Handlers) addRecentAwards(c echo.Context, p *home.Landing, now time.Time) error {
	ctx := c.Request().Context()
	found, err := profiles.RecentAwards(ctx, h.DB.DB, 0, landingAwards, now)
	for _, a := range found {
		path := "/awards/" + url.PathEscape(a.Slug)
		v := home.RecentAward{Title: a.Title, Path: path, Picture: path + "/picture.svg", By: a.DisplayName,
			ByPath: parts.ProfilePath(a.Name), At: texts.Day(ctx, a.At, now)}
		if a.LevelTitle != "" {
			v.Title += ": " + a.LevelTitle
		}
		p.Awards = append(p.Awards, v)
	}
	return err
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
