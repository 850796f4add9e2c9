package awards

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/badges/openbadge"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
)

const holdersShown = 50

// Index is the catalogue.
func (h *Handlers) Index(c echo.Context) error {
	ctx, viewer := c.Request().Context(), h.Viewer(c)
	p := views.Index{Frame: h.AwardsFrame(c, "Awards"), Now: h.Now().In(h.ViewerZone(c))}
	if viewer != nil {
		p.Own = web.MemberAddress(viewer.Name) + "/awards"
	}
	shown, err := awards.AllShown(ctx, h.DB.DB, h.viewerID(c))
	if err != nil {
		return err
	}
	if p.Cards, err = h.awardCards(c, viewer, shown); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.IndexPage(p))
}

// viewerID is who asks; 0 is a visitor.
func (h *Handlers) viewerID(c echo.Context) int64 {
	if v := h.Viewer(c); v != nil {
		return v.ID
	}
	return 0
}

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
		cards[i].Mine = standingView(&standings[i])
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

// Show is one award, with those who have it.
func (h *Handlers) Show(c echo.Context) error {
	ctx, viewer := c.Request().Context(), h.Viewer(c)
	shown, err := awards.ShownNamed(ctx, h.DB.DB, c.Param("slug"), viewer)
	if err != nil {
		return err
	}
	cards, err := h.awardCards(c, viewer, []awards.Shown{shown})
	if err != nil {
		return err
	}
	p := views.Award{Frame: h.AwardsFrame(c, cards[0].Title), Now: h.Now().In(h.ViewerZone(c)), Card: cards[0],
		Broken: len(shown.Mistakes) > 0}
	if !p.Broken {
		p.Objectives, p.Tree, p.Rules = objectiveWords(&shown.Doc), treeWords(&shown.Doc), ruleWords(&shown.Doc)
	}
	after, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	holders, next, err := awards.Holders(ctx, h.DB.DB, shown.ID, after, holdersShown)
	if err != nil {
		return err
	}
	for _, o := range holders {
		p.Holders = append(p.Holders, views.Holder{Name: o.Name, DisplayName: o.DisplayName,
			Level: awards.LevelTitle(&shown.Doc, o.Level), Period: o.Period, By: o.GivenBy, At: o.GrantedAt})
	}
	if after != (pg.Cursor{}) {
		p.Newest = c.Request().URL.Path
	}
	p.Older = web.PageAddress(c, "after", next)
	if viewer != nil && viewer.Role == members.RoleAdmin {
		p.Edit = "/admin/awards/" + shown.Slug
	}
	return web.Render(c, http.StatusOK, views.Page(p))
}

// Picture draws an award. It is made of the address alone, so it can be
// cached for long and reveals nothing about awards that are secret.
func (h *Handlers) Picture(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "public, max-age="+cacheSeconds)
	return c.Blob(http.StatusOK, "image/svg+xml", openbadge.Picture{Slug: c.Param("slug")}.SVG())
}

const cacheSeconds = "86400"

// OfMember is a member's page of awards.
func (h *Handlers) OfMember(c echo.Context) error {
	return h.showOfMember(c, http.StatusOK, "")
}

func (h *Handlers) showOfMember(c echo.Context, status int, wrong string) error {
	h.SeeAll(c)
	ctx, viewer := c.Request().Context(), h.Viewer(c)
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	p := views.Member{Frame: h.AwardsFrame(c, "Awards of "+m.DisplayName), Now: h.Now().In(h.Zone(c, &m)), Name: m.Name,
		DisplayName: m.DisplayName, Wrong: wrong}
	p.Own = viewer != nil && viewer.ID == m.ID
	p.Support = viewer.Supports()
	if p.Why = whyNone(&m); p.Why == "" {
		if err := h.fillMemberAwards(c, &m, &p); err != nil {
			return err
		}
	}
	if err := h.fillBan(c, &m, &p); err != nil {
		return err
	}
	return web.Render(c, status, views.MemberPage(p))
}

func whyNone(m *members.Member) string {
	switch {
	case m.Custom:
		return "Only members with an account can earn awards."
	case m.BannedAt != nil:
		return "This member opted out of awards."
	}
	return ""
}

// fillMemberAwards sorts the awards: what is pinned, had, begun, and the rest.
// Of a secret one only who has it sees anything, also here.
func (h *Handlers) fillMemberAwards(c echo.Context, m *members.Member, p *views.Member) error {
	shown, err := awards.AllShown(c.Request().Context(), h.DB.DB, h.viewerID(c))
	if err != nil {
		return err
	}
	cards, err := h.awardCards(c, m, shown)
	if err != nil {
		return err
	}
	for _, card := range cards {
		switch s := card.Mine; {
		case s.Has && s.Pin > 0:
			p.Pinned = append(p.Pinned, card)
		case s.Has:
			p.Held = append(p.Held, card)
		case card.State == "retired":
		case s.Started || s.Recounting:
			p.Ahead = append(p.Ahead, card)
		default:
			p.Untouched = append(p.Untouched, card)
		}
	}
	slices.SortFunc(p.Pinned, func(a, b views.Card) int { return a.Mine.Pin - b.Mine.Pin })
	return nil
}

// Pin shows one of the viewer's own awards first, or no longer.
func (h *Handlers) Pin(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	if h.Viewer(c).ID != m.ID {
		return echo.NewHTTPError(http.StatusForbidden, "only "+m.Name+" chooses which awards are pinned")
	}
	if err := web.ParseForm(c); err != nil {
		return err
	}
	a, err := awards.Named(ctx, h.DB.DB, c.FormValue("award"))
	if err != nil {
		return err
	}
	if c.FormValue("pin") == "no" {
		err = awards.Unpin(ctx, h.DB.DB, m.ID, a.ID)
	} else {
		err = awards.Pin(ctx, h.DB.DB, m.ID, a.ID)
	}
	for _, message := range web.FieldErrors(err) {
		return h.showOfMember(c, http.StatusUnprocessableEntity, message)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/awards")
}
