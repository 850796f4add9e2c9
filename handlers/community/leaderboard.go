package community

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/standings"
	views "laurel/views/home"
	"laurel/views/parts"
	"laurel/views/texts"
)

const leadersShown = 50

// periods are what the links to periods say, and what headings do.
var periods = []struct{ in, label, title string }{
	{"all", texts.Mark("All time"), texts.Mark("all time")}, {"year", texts.Mark("Year"), texts.Mark("last 365 days")}, {"month",
		texts.Mark("Month"), texts.Mark("last 30 days")}, {"week", texts.Mark("Week"), texts.Mark("last 7 days")}}

// orders are what a board can be ordered by, beside ratings.
var orders = []struct{ by, label string }{{"solved", texts.Mark("Solved")}, {"streak", texts.Mark("Streak")}, {"awards",
	texts.Mark("Awards")}}

// Leaderboard is the page of a board: its members a page at a time, with the viewer's own row above.
func (h *Handlers) Leaderboard(c echo.Context) error {
	by, in := c.QueryParam("by"), c.QueryParam("in")
	if by != "" && by != "solved" {
		in = "" // The form sends the period along.
	}
	b, err := standings.NewBoard(by, in)
	if err != nil {
		return err
	}
	followed, err := h.ofFollowed(c)
	if err != nil {
		return err
	}
	if c.QueryParam("format") == "csv" { // What the page shows, of now.
		page, err := h.boardPage(c, b, leadersShown)
		if err != nil {
			return err
		}
		return sendBoard(c, b, page)
	}
	p, err := h.filters(c, b, followed)
	if err != nil {
		return err
	}
	if followed {
		err = h.fillFollowed(c, b, &p)
	} else if at := c.QueryParam("at"); at != "" && b.By == "solved" {
		err = h.fillPast(c, at, &p)
	} else {
		err = h.fillBoard(c, b, &p)
	}
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.LeaderboardPage(p))
}

// filters are what leads to the other boards.
func (h *Handlers) filters(c echo.Context, b standings.Board, followed bool) (views.Leaderboard, error) {
	ctx := c.Request().Context()
	p := views.Leaderboard{Frame: h.Frame(c, texts.T(ctx, "Leaderboard")), Table: views.Leaders{Label: texts.T(ctx, "Leaderboard"),
		Value: texts.T(ctx, "Rating")}}
	if p.Who = h.whoScopes(c, b, followed); followed {
		p.Table.Label, p.Whose = texts.T(ctx, "Leaderboard of people I follow"), whoFollowed
	}
	if err := h.addOrders(c, b, &p); err != nil || b.By != "solved" {
		return p, err
	}
	p.In = b.In
	for _, x := range periods {
		path := "/leaderboard?" + addressOf(standings.Board{By: b.By, In: x.in}, followed).Encode()
		here := x.in == b.In && c.QueryParam("at") == ""
		p.Periods = append(p.Periods, parts.Scope{Label: texts.Say(ctx, x.label), Path: path, Here: here})
	}
	if followed {
		return p, nil // Months have ranks of everybody.
	}
	first, err := history.RankingSince(ctx, h.DB.DB, history.SolvedRanking)
	if err == nil && first != nil {
		p.Months = monthsSince(ctx, *first, h.Now(), c.QueryParam("at"))
	}
	return p, err
}

// addOrders are what a board can be ordered by: also by the rating of each site on which the viewer sees somebody.
func (h *Handlers) addOrders(c echo.Context, b standings.Board, p *views.Leaderboard) error {
	ctx := c.Request().Context()
	sites, err := standings.RatedSites(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	if site, rated := b.Site(); rated && !slices.Contains(sites, site) {
		sites = append(sites, site)
	}
	for _, o := range orders {
		p.Orders = append(p.Orders, views.Choice{Value: o.by, Label: texts.Say(ctx, o.label), Here: o.by == b.By})
		if o.by == b.By {
			p.Table.Value = texts.Say(ctx, o.label)
		}
	}
	for _, site := range sites {
		by := "rating:" + site
		p.Orders = append(p.Orders, views.Choice{Value: by, Label: texts.T(ctx, "%s rating", h.Site(c, site).Title), Here: b.By == by})
	}
	return nil
}

// fillBoard adds a page of a board of now, and the viewer's own row.
func (h *Handlers) fillBoard(c echo.Context, b standings.Board, p *views.Leaderboard) error {
	ctx, now, cursor := c.Request().Context(), h.Now(), c.QueryParam("cursor")
	page, err := standings.PageOf(ctx, h.DB.DB, b, cursor, leadersShown, now)
	if err != nil {
		return err
	}
	h.fillTable(c, b, page, p)
	return h.pinOwn(c, b, now, p)
}

// fillTable adds the rows of a page, its columns, and what leads on.
func (h *Handlers) fillTable(c echo.Context, b standings.Board, page standings.Page, p *views.Leaderboard) {
	ctx := c.Request().Context()
	site, rated := b.Site()
	p.Title = boardTitle(ctx, b, h.Site(c, site).Title, p.Whose == whoFollowed)
	p.Size, p.Since = page.Size, h.Now().AddDate(0, 0, -7).In(h.ViewerZone(c))
	p.Table.Rows = h.Leaders(c, page.Rows)
	p.Table.Change, p.Table.Weeks, p.Table.Data, p.Table.Plain = true, true, true, rated
	p.Table.Streak = b.By != "streak"
	if p.Table.Solved = texts.T(ctx, "Solved"); b.By == "solved" {
		p.Table.Solved = texts.T(ctx, "In all") // Beside what was solved in a period.
	}
	if b.Key() == "solved:all" {
		p.Table.Solved = ""
	}
	address := addressOf(b, p.Whose == whoFollowed)
	sheet := addressOf(b, p.Whose == whoFollowed)
	sheet.Set("format", "csv")
	if cursor := c.QueryParam("cursor"); cursor != "" {
		sheet.Set("cursor", cursor)
		p.Newer = "/leaderboard?" + address.Encode()
	}
	if len(page.Rows) > 0 {
		p.CSV = "/leaderboard?" + sheet.Encode()
	}
	if page.Next != "" {
		address.Set("cursor", page.Next)
		p.Older = "/leaderboard?" + address.Encode()
	}
}

// pinOwn puts the viewer's own row above all pages but one that begins with it, or says why there is none.
func (h *Handlers) pinOwn(c echo.Context, b standings.Board, now time.Time, p *views.Leaderboard) error {
	ctx := c.Request().Context()
	v := h.Viewer(c)
	if v == nil {
		return nil
	}
	own, err := standings.Own(ctx, h.DB.DB, b, v.ID, now)
	if err != nil {
		return err
	}
	switch {
	case own != nil:
		if rows := p.Table.Rows; len(rows) == 0 || rows[0].ID != v.ID {
			p.Table.Own = new(h.Leader(c, own))
		}
		p.Note = texts.T(ctx, "Your own row stays on top of every page.")
		if v.Audience == members.AudienceSelf {
			p.Note = texts.T(ctx, "Only you and admins see you here. The rank is the one you would have.")
		}
	case v.OffBoards:
		p.Note = texts.T(ctx, "You are off the boards: your settings say so.")
	}
	return nil
}

// boardTitle is the heading of a board; of ratings with the title of the site.
func boardTitle(ctx context.Context, b standings.Board, site string, followed bool) string {
	who := texts.T(ctx, "Everyone")
	if followed {
		who = texts.T(ctx, "People I follow")
	}
	switch b.By {
	case "streak":
		return texts.T(ctx, "%s, by streak", who)
	case "awards":
		return texts.T(ctx, "%s, by awards", who)
	case "solved":
		for _, x := range periods {
			if x.in == b.In {
				return who + ", " + texts.Say(ctx, x.title)
			}
		}
	}
	return texts.T(ctx, "%s, by rating on %s", who, site)
}
