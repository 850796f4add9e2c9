package awards

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/awards"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
	"laurel/views/parts"
	"laurel/views/texts"
)

// cardsShown is how many awards a page has.
const cardsShown = 24

// Scopes of a list of awards.
const (
	scopeAll    = ""
	scopeEarned = "earned"
	scopeClose  = "close"
)

// awardCards are awards with how a member stands; of may be nil.
func (h *Handlers) awardCards(c echo.Context, of *members.Member, shown []awards.Shown) ([]views.Card, error) {
	ctx := c.Request().Context()
	registered, err := awards.CountRegistered(ctx, h.DB.DB)
	if err != nil {
		return nil, err
	}
	cards := make([]views.Card, len(shown))
	for i := range shown {
		cards[i] = awardCard(&shown[i], registered)
	}
	if of == nil {
		return cards, nil
	}
	standings, err := awards.StandingsOf(ctx, h.DB.DB, of, shown, h.Now())
	if err != nil {
		return nil, err
	}
	for i := range standings {
		cards[i].Mine = standingView(ctx, &standings[i])
		for j := range cards[i].Levels {
			for _, g := range standings[i].Grants {
				if g.Level == j+1 && g.RevokedAt == nil {
					cards[i].Levels[j].At = g.GrantedAt
				}
			}
		}
	}
	return cards, nil
}

// cardList is a page of the awards that the viewer may see, with how a member stands: what is
// pinned, earned, begun, and the rest. Of a secret one only who has it sees anything, also here.
func (h *Handlers) cardList(c echo.Context, of *members.Member, zone *time.Location) (views.CardList, error) {
	ctx, list := c.Request().Context(), views.CardList{Now: h.Now().In(zone)}
	shown, err := awards.AllShown(ctx, h.DB.DB, h.viewerID(c))
	if err != nil {
		return list, err
	}
	cards, err := h.awardCards(c, of, shown)
	if err != nil {
		return list, err
	}
	groups := [][]views.Card{cards}
	titles := []string{texts.T(ctx, "To earn")}
	if of != nil {
		groups = sorted(cards)
		titles = []string{texts.T(ctx, "Pinned"), texts.T(ctx, "Earned"), texts.T(ctx, "In progress"), texts.T(ctx, "Not started")}
		held := len(groups[0]) + len(groups[1])
		list.Scopes = scopes(c, held, len(groups[2]), held+len(groups[2])+len(groups[3]))
		switch c.QueryParam("show") {
		case scopeEarned:
			groups = groups[:2]
		case scopeClose:
			groups, titles = groups[2:3], titles[2:3]
		}
	}
	page(c, &list, titles, groups)
	return list, nil
}

// sorted are the cards in groups: pinned in their order, earned newest first, begun nearest first, the rest.
func sorted(cards []views.Card) [][]views.Card {
	groups := make([][]views.Card, 4)
	for _, card := range cards {
		switch s := card.Mine; {
		case s.Has && s.Pin > 0:
			groups[0] = append(groups[0], card)
		case s.Has:
			groups[1] = append(groups[1], card)
		case card.State == "retired":
		case s.Started || s.Recounting:
			groups[2] = append(groups[2], card)
		default:
			groups[3] = append(groups[3], card)
		}
	}
	slices.SortFunc(groups[0], func(a, b views.Card) int { return a.Mine.Pin - b.Mine.Pin })
	slices.SortStableFunc(groups[1], func(a, b views.Card) int { return b.Mine.Since().Compare(a.Mine.Since()) })
	slices.SortStableFunc(groups[2], func(a, b views.Card) int { return cmp.Compare(b.Mine.Part, a.Mine.Part) })
	return groups
}

// scopes are the links above the list.
func scopes(c echo.Context, earned, begun, all int) []parts.Scope {
	ctx, path, now := c.Request().Context(), c.Request().URL.Path, c.QueryParam("show")
	link := func(label, show string, n int) parts.Scope {
		s := parts.Scope{Label: label, Count: n, Path: path, Here: now == show}
		if show != scopeAll {
			s.Path += "?show=" + show
		}
		return s
	}
	return []parts.Scope{link(texts.T(ctx, "All"), scopeAll, all), link(texts.T(ctx, "Earned"), scopeEarned, earned),
		link(texts.T(ctx, "Close"), scopeClose, begun)}
}

// page puts those cards into the list that belong to the page asked for.
func page(c echo.Context, list *views.CardList, titles []string, groups [][]views.Card) {
	n, _ := strconv.Atoi(c.QueryParam("page"))
	first := (max(n, 1) - 1) * cardsShown
	skip, room := first, cardsShown
	for i, g := range groups {
		list.All += len(g)
		part := g[min(skip, len(g)):]
		skip -= min(skip, len(g))
		part = part[:min(room, len(part))]
		if room -= len(part); len(part) > 0 {
			list.Groups = append(list.Groups, views.CardGroup{Title: titles[i], Cards: part})
		}
	}
	address := func(n int) string {
		q := url.Values{"page": {strconv.Itoa(n)}}
		if show := c.QueryParam("show"); show != "" {
			q.Set("show", show)
		}
		return c.Request().URL.Path + "?" + q.Encode()
	}
	if first > 0 {
		list.Pages.Newer = address(n - 1)
	}
	if first+cardsShown < list.All {
		list.Pages.Older = address(max(n, 1) + 1)
	}
}

// Picture draws an award as its document says. One that visitors do not see is drawn by its
// address alone, so that nothing of a secret one is told.
func (h *Handlers) Picture(c echo.Context) error {
	slug := c.Param("slug")
	picture := openbadge.Picture{Slug: slug}
	shown, err := awards.ShownNamed(c.Request().Context(), h.DB.DB, slug, nil)
	switch {
	case err == nil:
		picture = badges.Picture(slug, &shown.Doc)
	case !errors.Is(err, pg.ErrNotFound):
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=3600")
	return c.Blob(http.StatusOK, "image/svg+xml", picture.SVG())
}
