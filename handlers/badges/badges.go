package badges

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/badges"
	"laurel/models/badges/openbadge"
	"laurel/models/members"
	views "laurel/views/badges"
	"laurel/views/texts"
)

// The kinds of files that a badge can be had as.
const (
	badgeText = ".jwt"
	badgeJSON = ".json"
	badgePNG  = ".png"
	badgeSVG  = ".svg"
)

var badgeFiles = []string{badgeText, badgeJSON, badgePNG, badgeSVG}

// Show is a badge's page, or with the ending of a file that file.
func (h *Handlers) Show(c echo.Context) error {
	id, kind := c.Param("id"), ""
	if dot := strings.LastIndexByte(id, '.'); dot >= 0 {
		if id, kind = id[:dot], id[dot:]; !slices.Contains(badgeFiles, kind) {
			return echo.ErrNotFound
		}
	}
	c.Response().Header().Add(echo.HeaderVary, echo.HeaderAccept)
	b, err := badges.Of(c.Request().Context(), h.DB.DB, id, h.Viewer(c))
	if err != nil {
		return err
	}
	if b.Current != "" {
		c.Response().Header().Set("Link", "<"+h.badgeAddress(b.Current)+kind+`>; rel="successor-version"`)
	}
	if kind = cmp.Or(kind, badgeWanted(c.Request().Header.Get(echo.HeaderAccept))); kind != "" {
		return h.sendBadge(c, &b, kind)
	}
	return web.Render(c, http.StatusOK, views.Page(h.badgeView(c, &b)))
}

// stateOf says whether a badge holds, to who may see it.
func stateOf(b *badges.Badge) views.State {
	s := views.State{Revoked: b.RevokedAt, Reason: b.RevokedReason, Superseded: b.SupersededAt, CurrentAt: b.CurrentAt}
	if b.Current != "" {
		s.Current = "/badges/" + b.Current
	}
	return s
}

// badgeWanted is the kind of file that a program asks for by Accept; "" is the page.
func badgeWanted(accept string) string {
	for one := range strings.SplitSeq(strings.ToLower(accept), ",") {
		switch one, _, _ = strings.Cut(one, ";"); strings.TrimSpace(one) {
		case "text/html", "application/xhtml+xml", "*/*":
			return ""
		case "application/jwt", "application/vc+jwt", "application/vc-ld+jwt":
			return badgeText
		case "application/json", "application/ld+json", "application/vc", "application/vc+ld+json":
			return badgeJSON
		case "image/png":
			return badgePNG
		case "image/svg+xml":
			return badgeSVG
		}
	}
	return ""
}

// credential says what a badge says, in whole addresses.
func (h *Handlers) credential(b *badges.Badge) (openbadge.Credential, error) {
	award := h.URL + "/awards/" + url.PathEscape(b.Slug)
	return openbadge.Grant{
		Site: h.URL, Issuer: h.issuer(context.Background()),
		ID: h.badgeAddress(b.ID), GrantedAt: b.GrantedAt, Period: b.Period, Level: awards.LevelTitle(&b.Doc, b.Level),
		Award: award, Slug: b.Slug, Title: cmp.Or(b.Doc.Title, b.Slug), Text: b.Doc.Text, Version: strconv.Itoa(b.Version),
		Image: award + "/picture.png", Member: b.Member, DisplayName: b.DisplayName, Profile: h.URL + "/u/" + url.PathEscape(b.Member),
		List: h.listAddress(b.List), Index: b.Place, Why: h.URL + "/u/" + url.PathEscape(b.Member) + "/awards/" + url.PathEscape(b.Slug),
	}.Credential()
}

func (h *Handlers) badgeAddress(id string) string { return h.URL + "/badges/" + id }

func (h *Handlers) listAddress(list int) string {
	return h.URL + "/badges/status/" + strconv.Itoa(list)
}

// issuer is what the site is called; badges say it in English.
func (h *Handlers) issuer(ctx context.Context) string {
	if u, err := url.Parse(h.URL); err == nil && u.Hostname() != "" {
		return texts.T(ctx, "Laurel at %s", u.Hostname())
	}
	return "Laurel"
}

// badgeView is what the page shows.
func (h *Handlers) badgeView(c echo.Context, b *badges.Badge) views.Badge {
	did, _ := openbadge.DID(h.URL) // LAUREL_URL was checked when the server started.
	return views.Badge{
		Frame: h.AwardsFrame(c, texts.T(c.Request().Context(), "%s: badge of %s", cmp.Or(b.Doc.Title, b.Slug), b.DisplayName)),
		Now:   h.Now().In(h.Zone(c, &members.Member{TimeZone: b.Zone})),
		ID:    b.ID, Slug: b.Slug, Title: cmp.Or(b.Doc.Title, b.Slug), Text: b.Doc.Text, Level: awards.LevelTitle(&b.Doc, b.Level),
		Period: b.Period, By: b.GivenBy,
		Name: b.Member, DisplayName: b.DisplayName, At: b.GrantedAt, State: stateOf(b),
		Issuer:  h.issuer(c.Request().Context()),
		Address: h.badgeAddress(b.ID), DID: did, List: h.listAddress(b.List), Lookup: h.HTTPS(), Public: b.Public,
	}
}
