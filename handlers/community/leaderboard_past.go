package community

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/members"
	"laurel/models/standings"
	views "laurel/views/home"
	"laurel/views/texts"
)

const (
	monthForm = "2006-01" // Of ?at=: a month, at whose end the board is wanted.
	// monthsListed is how many months there are to choose from; addresses have older ones, too.
	monthsListed = 60
)

// monthsSince are the months that ended since the records began, the newest first, behind today.
func monthsSince(ctx context.Context, first, now time.Time, here string) (list []views.Choice) {
	month := time.Date(now.UTC().Year(), now.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	for end := month; !end.Before(first) && len(list) < monthsListed; end = end.AddDate(0, -1, 0) {
		m := end.AddDate(0, -1, 0)
		value := m.Format(monthForm)
		list = append(list, views.Choice{Value: value, Label: texts.T(ctx, "End of %s", texts.Format(ctx, m, "January 2006")),
			Here: value == here})
	}
	if len(list) == 0 {
		return nil
	}
	return append([]views.Choice{{Label: texts.T(ctx, "Now"), Here: here == ""}}, list...)
}

// fillPast is the board of all that was ever solved as it was at the end of a month: the archive has
// its first places.
func (h *Handlers) fillPast(c echo.Context, month string, p *views.Leaderboard) error {
	ctx := c.Request().Context()
	now := h.Now()
	m, err := time.Parse(monthForm, month)
	end := m.AddDate(0, 1, 0)
	if err != nil || end.After(now) {
		return &pg.InputError{Field: "at", Message: texts.T(ctx, "write a month that is over, such as 2026-10")}
	}
	p.Past, p.In, p.Title = true, "", texts.T(ctx, "Everyone, all time, at the end of %s", texts.Format(ctx, m, "January 2006"))
	l, err := history.RankingAt(ctx, h.DB.DB, history.SolvedRanking, end, now)
	if errors.Is(err, pg.ErrNotFound) {
		return nil // Nothing was ever kept: the page says that nobody is on it.
	}
	if err != nil {
		return err
	}
	if l.List == nil {
		p.Begin = l.First
		return nil
	}
	p.Size = l.List.Size
	page, _ := strconv.Atoi(c.QueryParam("page")) // No number is the first page.
	page = min(max(page, 0), max(len(l.List.Places)-1, 0)/leadersShown)
	from, to := page*leadersShown, min((page+1)*leadersShown, len(l.List.Places))
	address := "/leaderboard?at=" + month + "&page="
	if page > 0 {
		p.Newer = address + strconv.Itoa(page-1)
	}
	if to < len(l.List.Places) {
		p.Older = address + strconv.Itoa(page+1)
	}
	if p.Table.Rows, err = h.pastRows(c, l.List.Places[from:to]); err != nil {
		return err
	}
	return h.pinPast(c, end, l.List.Places, p)
}

// pastRows are places with the names that their members have now.
func (h *Handlers) pastRows(c echo.Context, places []history.Place) ([]views.Leader, error) {
	people, err := members.Named(c.Request().Context(), h.DB.DB, pg.Column(places, func(l *history.Place) string { return l.Player }))
	if err != nil {
		return nil, err
	}
	v := h.Viewer(c)
	rows := make([]views.Leader, len(places))
	for i, l := range places {
		r := views.Leader{DisplayName: texts.T(c.Request().Context(), "Former member")}
		if l.Rank != nil && l.Score != nil { // Our own ranking has both.
			r.Rank, r.Value = int(*l.Rank), int(*l.Score)
		}
		if m, ok := people[strings.ToLower(l.Player)]; ok {
			r.ID, r.Name, r.DisplayName, r.Custom, r.Own = m.ID, m.Name, m.DisplayName, m.Custom, v != nil && v.ID == m.ID
		}
		rows[i] = r
	}
	return rows, nil
}

// pinPast puts the viewer's own place above: as it was kept, or else where what is known now of then
// stands in the counts of then.
func (h *Handlers) pinPast(c echo.Context, end time.Time, places []history.Place, p *views.Leaderboard) error {
	ctx := c.Request().Context()
	v := h.Viewer(c)
	if v == nil {
		return nil
	}
	for _, l := range places {
		if strings.EqualFold(l.Player, v.Name) {
			rows, err := h.pastRows(c, []history.Place{l})
			if err == nil {
				p.Table.Own = &rows[0]
			}
			return err
		}
	}
	own, err := standings.OwnAsOf(ctx, h.DB.DB, v.ID, end)
	if err != nil || own == nil {
		return err
	}
	p.Table.Own = new(h.Leader(c, own))
	p.Note = texts.T(ctx, "The first %d places are kept. Yours follows from what you had solved by then.",
		history.RankingKept)
	return nil
}
