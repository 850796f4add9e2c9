package rankings

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	archiveviews "laurel/views/archive"
	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// Diff compares a ranking at two instants: /ladders/NAME/diff?from=&to=. To
// is now, and from the list before, where they are not given.
func (h *Handlers) Diff(c echo.Context) error {
	format, err := web.PageFormat(c)
	if err != nil {
		return err
	}
	zone := h.ViewerZone(c)
	now := h.Now().In(zone)
	name := rankingName(c)
	title := web.RankingTitle(c.Request().Context(), name)
	p := archiveviews.Diff{Frame: h.Frame(c, texts.T(c.Request().Context(), "%s: what changed", title)), Now: now, Title: title,
		About: parts.Choice{Value: web.RankingAddress(name), Text: title}, Path: web.RankingAddress(name) + "/diff", From: now, To: now}
	to, err := h.InstantParam(c, "to", zone)
	if err != nil {
		return h.rankingDiffRefused(c, p, err)
	}
	after, err := h.rankingAt(c, to)
	if err != nil {
		return err
	}
	from := to
	switch {
	case c.QueryParam("from") != "":
		if from, err = h.InstantParam(c, "from", zone); err != nil {
			return h.rankingDiffRefused(c, p, err)
		}
	case after.Was != nil:
		from = after.Was.Seen
	}
	before, err := h.rankingAt(c, from)
	if err != nil {
		return err
	}
	if before.At.After(after.At) {
		before, after = after, before
	}
	p.From, p.To, p.About.Value = before.At, after.At, web.AtAddress(web.RankingAddress(name), after.At)
	d := diffOf(&before, &after)
	if format != "" {
		return d.sheet().Send(c, format)
	}
	p.Ranking = d.view(c.Request().Context())
	p.Exports = web.SheetExports(web.BetweenAddress(web.RankingAddress(name), before.At, after.At))
	return web.Render(c, http.StatusOK, archiveviews.DiffPage(p))
}

func (h *Handlers) rankingDiffRefused(c echo.Context, p archiveviews.Diff, err error) error {
	for _, words := range web.FieldErrors(err) {
		p.Mistake = words
		return web.Render(c, http.StatusUnprocessableEntity, archiveviews.DiffPage(p))
	}
	return err
}

// RankHistory is one player's rank over time: /ladders/NAME/history?player=.
func (h *Handlers) RankHistory(c echo.Context) error {
	ctx, name, player := c.Request().Context(), rankingName(c), c.QueryParam("player")
	if !c.QueryParams().Has("player") {
		return &pg.InputError{Field: "player", Message: texts.T(ctx, "add ?player=NAME; the ranking's page links to its players")}
	}
	rows, err := modelhistory.RankHistory(ctx, h.DB.DB, name, player)
	if err != nil {
		return err
	}
	if len(rows) == 0 { // Is there such a ranking?
		if _, err := h.rankingAt(c, h.Now()); err != nil {
			return err
		}
	}
	now := h.Now().In(h.ViewerZone(c))
	api := "/api/v1/archive/ladder/history?" + url.Values{"ladder": {name}, "player": {player}, "limit": {"500"}}.Encode() + "&format="
	p := archiveviews.RankHistory{Frame: h.Frame(c, texts.T(ctx, "%s in %s", player, web.RankingTitle(ctx, name))), Now: now,
		Ranking: parts.Choice{Value: web.RankingAddress(name), Text: web.RankingTitle(ctx, name)}, Player: player,
		From: now, Until: now, Ranks: rankPeriods(ctx, name, rows), Exports: archiveviews.Exports{CSV: api + "csv", JSON: api + "json"}}
	if len(p.Ranks) > 0 {
		p.From = p.Ranks[0].From.In(now.Location())
	}
	if m, err := members.ByName(ctx, h.DB.DB, player); err == nil && modelhistory.OwnRanking(name) && !m.OffBoards {
		p.Member = parts.Choice{Value: web.MemberAddress(m.Name), Text: m.DisplayName}
	}
	return web.Render(c, http.StatusOK, archiveviews.RankHistoryPage(p))
}

// rankPeriods leaves out the times without a rank, which cannot be drawn.
func rankPeriods(ctx context.Context, ranking string, rows []archive.Snapshot) (out []archiveviews.RankPeriod) {
	for _, r := range rows {
		rank, ok := r.Data["rank"].(int64)
		if !ok {
			continue
		}
		span := archiveviews.RankPeriod{RankSpan: charts.RankSpan{From: r.ValidFrom, LastSeen: r.ValidFrom, Until: web.Deref(r.ValidUntil),
			Rank: int(rank)}, Checks: len(r.Retrieved), Reason: r.EndReason, Href: web.AtAddress(web.RankingAddress(ranking), r.ValidFrom)}
		if score, ok := r.Data["score"].(float64); ok {
			span.Score = scoreText(ctx, &score)
		}
		if n := len(r.Retrieved); n > 0 {
			span.LastSeen = r.Retrieved[n-1]
		}
		out = append(out, span)
	}
	return out
}
