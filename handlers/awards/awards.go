package awards

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
	"laurel/views/texts"
)

const holdersShown = 12

// Index is the catalogue, for members with how they stand.
func (h *Handlers) Index(c echo.Context) error {
	viewer := h.Viewer(c)
	p := views.Index{Frame: h.AwardsFrame(c, texts.T(c.Request().Context(), "Awards"))}
	if viewer != nil {
		p.Own = web.MemberAddress(viewer.Name) + "/awards"
	}
	var err error
	if p.List, err = h.cardList(c, viewer, h.ViewerZone(c)); err != nil {
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
		p.Objectives, p.Tree, p.Rules = objectiveWords(ctx, &shown.Doc), treeWords(ctx, &shown.Doc), ruleWords(ctx, &shown.Doc)
	}
	reached, err := awards.LevelHolders(ctx, h.DB.DB, &shown)
	if err != nil {
		return err
	}
	for i := range p.Card.Levels {
		p.Card.Levels[i].Members = reached[i]
	}
	if viewer != nil && viewer.Role == members.RoleAdmin {
		p.Edit = "/admin/awards/" + shown.Slug
	}
	if err := h.addHolders(c, &shown, &p); err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.Page(p))
}

// addHolders adds a page of those who have the award, newest first.
func (h *Handlers) addHolders(c echo.Context, shown *awards.Shown, p *views.Award) error {
	after, err := pg.ParseCursor(c.QueryParam("after"))
	if err != nil {
		return err
	}
	holders, next, err := awards.Holders(c.Request().Context(), h.DB.DB, shown.ID, after, holdersShown)
	if err != nil {
		return err
	}
	for _, o := range holders {
		p.Holders = append(p.Holders, views.Holder{ID: o.MemberID, Name: o.Name, DisplayName: o.DisplayName,
			Level: awards.LevelTitle(&shown.Doc, o.Level), Period: o.Period, By: o.GivenBy, At: o.GrantedAt})
	}
	if after != (pg.Cursor{}) {
		p.Newest = c.Request().URL.Path
	}
	p.Older = web.PageAddress(c, "after", next)
	return nil
}

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
	p := views.Member{Frame: h.AwardsFrame(c, texts.T(ctx, "Awards of %s", m.DisplayName)), Now: h.Now().In(h.Zone(c, &m)),
		ID: m.ID, Name: m.Name, DisplayName: m.DisplayName, Wrong: wrong}
	if p.Why = whyNone(ctx, &m); p.Why == "" {
		if p.List, err = h.cardList(c, &m, h.Zone(c, &m)); err != nil {
			return err
		}
	}
	p.List.Of, p.List.Own, p.List.Support = m.Name, viewer != nil && viewer.ID == m.ID, viewer.Supports()
	if err := h.fillBan(c, &m, &p); err != nil {
		return err
	}
	return web.Render(c, status, views.MemberPage(p))
}

func whyNone(ctx context.Context, m *members.Member) string {
	switch {
	case m.Custom:
		return texts.T(ctx, "Only members with an account can earn awards.")
	case m.BannedAt != nil:
		return texts.T(ctx, "This member opted out of awards.")
	}
	return ""
}

// Pin shows one of the viewer's own awards first, or no longer.
func (h *Handlers) Pin(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	if h.Viewer(c).ID != m.ID {
		return echo.NewHTTPError(http.StatusForbidden, texts.T(ctx, "Only %s chooses which awards are pinned.", m.Name))
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
		return h.showOfMember(c, http.StatusUnprocessableEntity, texts.Say(ctx, message))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.MemberAddress(m.Name)+"/awards")
}
