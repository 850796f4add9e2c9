package rankings

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	modelhistory "laurel/models/history"
	archiveviews "laurel/views/archive"
	"laurel/views/texts"
)

const (
	rankingsShown = 100
	placesShown   = 100
)

// Index lists all rankings.
func (h *Handlers) Index(c echo.Context) error {
	now, cursor := h.Now(), c.QueryParam("after")
	lines, next, err := modelhistory.Rankings(c.Request().Context(), h.DB.DB, cursor, rankingsShown, now)
	if err != nil {
		return err
	}
	p := archiveviews.Rankings{Frame: h.Frame(c, texts.T(c.Request().Context(), "Rankings")), Now: now.In(h.ViewerZone(c))}
	for _, l := range lines {
		p.Rankings = append(p.Rankings, archiveviews.RankingLine{Title: web.RankingTitle(c.Request().Context(), l.Name),
			Href:  web.RankingAddress(l.Name),
			Shown: l.Shown, Size: l.Size, Seen: l.Seen})
	}
	if cursor != "" {
		p.Newer = "/ladders"
	}
	if next != "" {
		p.Older = "/ladders?after=" + next
	}
	return web.Render(c, http.StatusOK, archiveviews.RankingsPage(p))
}

func historyAddress(name, player string) string {
	return web.RankingAddress(name) + "/climb?player=" + url.QueryEscape(player)
}

// rankingName is the ranking that an address names, which may have any letters.
func rankingName(c echo.Context) string {
	name := c.Param("name")
	if c.Request().URL.RawPath != "" { // Echo takes the address as it is written then.
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
	}
	return strings.TrimPrefix(name, web.RankingMark)
}

// Show is a ranking as one stored list shows it: /ladders/NAME?at=.
func (h *Handlers) Show(c echo.Context) error {
	format, err := web.PageFormat(c)
	if err != nil {
		return err
	}
	if format == "" { // A sheet is no state of the page.
		if answered, err := h.rankingGate(c); answered || err != nil {
			return err
		}
	}
	zone := h.ViewerZone(c)
	at, err := h.InstantParam(c, "at", zone)
	if err != nil {
		return err
	}
	l, err := h.rankingAt(c, at)
	if err != nil {
		return err
	}
	if format != "" {
		return rankingSheet(&l).Send(c, format)
	}
	base, title, now := web.RankingAddress(l.Name), web.RankingTitle(c.Request().Context(), l.Name), h.Now().In(zone)
	p := archiveviews.Ranking{
		Frame: h.Frame(c, title), Now: now, At: l.At, Title: title, Rankings: "/ladders",
		Next: web.Deref(l.NextFetch), First: l.First, Ended: l.Ended,
		Steps: archiveviews.Steps{Base: base, At: l.At, Now: now, PrevChange: web.Deref(l.PrevChange), PrevCheck: web.Deref(l.PrevFetch),
			NextCheck: web.Deref(l.NextFetch), NextChange: web.Deref(l.NextChange)}, Exports: web.SheetExports(web.AtAddress(base, l.At)),
	}
	p.Exports.TimeMap = base + "/timemap"
	if l.NextChange != nil {
		p.Compare = base + "/diff?from=" + url.QueryEscape(l.At.Format(time.RFC3339Nano))
	}
	if l.List != nil {
		h.fillRanking(c, &l, &p)
	}
	if err := h.rankingHeaders(c, &l); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, archiveviews.RankingPage(p))
}

func (h *Handlers) rankingAt(c echo.Context, at time.Time) (modelhistory.Ranking, error) {
	return modelhistory.RankingAt(c.Request().Context(), h.DB.DB, rankingName(c), at, h.Now())
}

// fillRanking shows a part of the list, and what differs from the one before.
func (h *Handlers) fillRanking(c echo.Context, l *modelhistory.Ranking, p *archiveviews.Ranking) {
	list := l.List
	p.Seen, p.Stored, p.Size = list.Seen, len(list.Places), list.Size
	p.Exports.Checks = "/looks?" + url.Values{"source": {l.Source}, "address": {l.Address}, "viewer": {l.Viewer}}.Encode()
	was := map[string]modelhistory.Place{}
	if l.Was != nil {
		p.Since = l.Was.Seen
		for _, place := range l.Was.Places {
			was[place.Player] = place
		}
	}
	page, _ := strconv.Atoi(c.QueryParam("page")) // No number is the first page.
	page = min(max(page, 0), max(len(list.Places)-1, 0)/placesShown)
	first := page * placesShown
	last := min(first+placesShown, len(list.Places))
	address := func(page int) string {
		return web.AtAddress(web.RankingAddress(l.Name), l.At) + "&page=" + strconv.Itoa(page)
	}
	if page > 0 {
		p.Newer = address(page - 1)
	}
	if last < len(list.Places) {
		p.Older = address(page + 1)
	}
	for i, place := range list.Places {
		if i >= first && i < last {
			row := h.rankingRow(c, l.Name, place)
			before, ok := was[place.Player]
			row.Was, row.New = before.Rank, !ok
			p.Rows = append(p.Rows, row)
		}
		delete(was, place.Player)
	}
	if l.Was == nil {
		return
	}
	for _, place := range l.Was.Places {
		if _, left := was[place.Player]; left {
			p.Left = append(p.Left, h.rankingRow(c, l.Name, place))
		}
	}
}

func (h *Handlers) rankingRow(c echo.Context, ranking string, place modelhistory.Place) archiveviews.RankingRow {
	row := archiveviews.RankingRow{Rank: place.Rank, Player: place.Player, History: historyAddress(ranking, place.Player),
		Score: scoreText(c.Request().Context(), place.Score)}
	if v := h.Viewer(c); v != nil && modelhistory.OwnRanking(ranking) {
		row.Own = strings.EqualFold(v.Name, place.Player)
	}
	return row
}

// scoreText writes a score as people read it; "" where the list shows none.
func scoreText(ctx context.Context, score *float64) string {
	if score == nil {
		return ""
	}
	return texts.Decimal(ctx, *score)
}

// rankingMementos are the states of a ranking's page: one for each check that
// showed a list.
func rankingMementos(l *modelhistory.Ranking) web.Mementos {
	base := web.RankingAddress(l.Name)
	m := web.Mementos{Original: base, TimeMap: base + "/timemap", First: l.First, Last: l.Last, Next: web.Deref(l.NextFetch)}
	if l.List != nil {
		m.At = l.List.Seen
	}
	if prev := web.Deref(l.PrevFetch); !prev.Equal(m.At) {
		m.Prev = prev
	}
	return m
}

func (h *Handlers) rankingHeaders(c echo.Context, l *modelhistory.Ranking) error {
	m := rankingMementos(l)
	if c.QueryParam("at") != "" && !m.At.IsZero() && m.At.Before(l.At) {
		// The state shown is that of a check before the instant: what was before it?
		seen, err := h.rankingAt(c, m.At)
		if err != nil {
			return err
		}
		m.Prev = web.Deref(seen.PrevFetch)
	}
	h.SetMementoHeaders(c, m)
	return nil
}

// rankingGate leads who asks for a ranking as of a time to the check of then.
func (h *Handlers) rankingGate(c echo.Context) (answered bool, err error) {
	return h.TimeGate(c, func(at time.Time) (web.Mementos, error) {
		l, err := h.rankingAt(c, at)
		if err != nil {
			return web.Mementos{}, err
		}
		m := rankingMementos(&l)
		if m.At.IsZero() && !m.Prev.IsZero() { // There was none any more: the last one before.
			m.At, m.Prev = m.Prev, time.Time{}
		}
		return m, nil
	})
}

// TimeMap lists the checks that showed a ranking.
func (h *Handlers) TimeMap(c echo.Context) error {
	name := rankingName(c)
	instants, err := modelhistory.RankingTimes(c.Request().Context(), h.DB.DB, name, web.TimeMapAtMost)
	if err != nil {
		return err
	}
	return h.SendTimeMap(c, web.RankingAddress(name), web.RankingAddress(name)+"/timemap", instants)
}
