package awards

import (
	"cmp"
	"math"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	"laurel/models/members"
)

// An apiCatalogued is an award as it is offered.
type apiCatalogued struct {
	Slug    string        `json:"slug"`
	Title   string        `json:"title"`
	Text    string        `json:"text"`
	Goal    rules.Decimal `json:"goal"`
	Levels  []apiLevel    `json:"levels"`
	State   rules.State   `json:"state"`
	Secret  bool          `json:"secret"`
	Since   *time.Time    `json:"since"`
	Holders int64         `json:"holders"`
	Rarity  float64       `json:"rarity"` // Holders as a part of the registered members.
}

type apiLevel struct {
	Title string        `json:"title"`
	Goal  rules.Decimal `json:"goal"`
}

// levelsOf are the levels of a document, or the one that every award has.
func levelsOf(doc *rules.Award) []apiLevel {
	if len(doc.Levels) == 0 {
		return []apiLevel{{doc.Title, goalOf(doc)}}
	}
	levels := make([]apiLevel, len(doc.Levels))
	for i, l := range doc.Levels {
		levels[i] = apiLevel{l.Title, known(l.Goal)}
	}
	return levels
}

// goalOf is the goal of an award; 0 of one that this program cannot read.
func goalOf(doc *rules.Award) rules.Decimal {
	if doc.Strategy.Goal == nil {
		return known(rules.Decimal{})
	}
	return known(*doc.Strategy.Goal)
}

func known(d rules.Decimal) rules.Decimal {
	if d.Rat == nil {
		d.Rat = new(big.Rat)
	}
	return d
}

// shownTo are the awards that the one who asks may see, by slug.
func (h *Handlers) shownTo(c echo.Context) ([]awards.Shown, error) {
	v := h.Viewer(c)
	var list []awards.Shown
	var err error
	if v.Supports() {
		if list, err = awards.All(c.Request().Context(), h.DB.DB); err == nil {
			list = slices.DeleteFunc(list, func(a awards.Shown) bool { return !a.State.Shown() })
		}
	} else {
		var id int64
		if v != nil {
			id = v.ID
		}
		list, err = awards.AllShown(c.Request().Context(), h.DB.DB, id)
	}
	return bySlug(list), err
}

func bySlug(list []awards.Shown) []awards.Shown {
	slices.SortFunc(list, func(a, b awards.Shown) int { return cmp.Compare(a.Slug, b.Slug) })
	return list
}

// awardsPart cuts a list of awards to what the address asks for.
func awardsPart(c echo.Context, of string, list []awards.Shown) (part []awards.Shown, next string, err error) {
	limit, err := web.Limit(c)
	if err != nil {
		return nil, "", err
	}
	var after string
	if err := web.DecodeCursor(c.QueryParam("cursor"), of, &after); err != nil {
		return nil, "", err
	}
	list = slices.DeleteFunc(list, func(a awards.Shown) bool { return after != "" && a.Slug <= after })
	if len(list) > limit {
		list = list[:limit]
		next = web.EncodeCursor(of, list[limit-1].Slug)
	}
	return list, next, nil
}

// APIList is the catalogue.
func (h *Handlers) APIList(c echo.Context) error {
	list, err := h.shownTo(c)
	if err != nil {
		return err
	}
	list, next, err := awardsPart(c, "awards", list)
	if err != nil {
		return err
	}
	registered, err := awards.CountRegistered(c.Request().Context(), h.DB.DB)
	if err != nil {
		return err
	}
	return web.SendList(c, list, next, func(a awards.Shown) apiCatalogued {
		return apiCatalogued{Slug: a.Slug, Title: a.Doc.Title, Text: a.Doc.Text, Goal: goalOf(&a.Doc), Levels: levelsOf(&a.Doc),
			State: a.State, Secret: a.Secret,
			Since: web.UTC(a.ActivatedAt), Holders: a.Holders, Rarity: math.Round(float64(a.Holders)/float64(max(registered, 1))*1e6) / 1e6}
	})
}

// APIOfMember is how a member stands with the awards. A banned member's are
// shown to itself, support and admins only, and custom members have none.
func (h *Handlers) APIOfMember(c echo.Context) error {
	h.SeeAll(c)
	ctx, v := c.Request().Context(), h.Viewer(c)
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	mine := v != nil && (v.ID == m.ID || v.Supports())
	var list []awards.Shown
	if !m.Custom && (m.BannedAt == nil || mine) {
		if list, err = h.shownTo(c); err != nil {
			return err
		}
	}
	tag, err := h.standingsTag(c, &m, list)
	if err != nil {
		return err
	}
	c.Response().Header().Set("ETag", tag)
	c.Response().Header().Add(echo.HeaderVary, echo.HeaderAuthorization)
	if web.MatchesETag(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	list, next, err := awardsPart(c, "awards of "+m.Name, list)
	if err != nil {
		return err
	}
	standings, err := awards.StandingsOf(ctx, h.DB.DB, &m, list, h.Now())
	if err != nil {
		return err
	}
	return web.SendList(c, standings, next, func(s awards.Standing) apiStanding { return h.showStanding(&s) })
}

// standingsTag names all that the list of a member's awards is made of: what was
// counted, which awards the one who asks may see, and the periods of now.
func (h *Handlers) standingsTag(c echo.Context, m *members.Member, list []awards.Shown) (string, error) {
	version, err := awards.CurrentVersion(c.Request().Context(), h.DB.DB, m.ID)
	if err != nil {
		return "", err
	}
	parts := []string{version, c.QueryString()}
	for i := range list {
		p, in := list[i].Doc.Window.Period(&rules.Event{At: h.Now(), Zone: m.Location()})
		parts = append(parts, list[i].Slug, p.Start, strconv.FormatBool(in))
	}
	return web.ETag(parts...), nil
}
