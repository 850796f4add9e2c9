package profiles

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/views/cards"
)

// Card is a member's small picture for other people's pages, with the ?parts= and in the ?theme= asked
// for. Who may not be seen by everybody has a neutral one, as has a name that nobody has: the picture
// does not say who is here.
func (h *Handlers) Card(c echo.Context) error {
	show, theme, wrong := cardChoice(c.QueryParams())
	if wrong != "" {
		return sendSVG(c, http.StatusBadRequest, cards.Wrong(wrong))
	}
	card, err := h.publicCard(c)
	if err != nil {
		return err
	}
	return sendSVG(c, http.StatusOK, card.SVG(show, theme))
}

// Badge is a flat badge with how many problems the member has solved.
func (h *Handlers) Badge(c echo.Context) error {
	card, err := h.publicCard(c)
	if err != nil {
		return err
	}
	return sendSVG(c, http.StatusOK, card.Badge())
}

// Preview is the picture that a shared link to the profile shows.
func (h *Handlers) Preview(c echo.Context) error {
	card, err := h.publicCard(c)
	if err != nil {
		return err
	}
	picture, err := card.Preview()
	if err != nil {
		return err
	}
	return sendPicture(c, http.StatusOK, "image/png", 24*time.Hour, picture)
}

// CommunityPreview is the picture that a shared link to any other page shows.
func (h *Handlers) CommunityPreview(c echo.Context) error {
	card := h.neutralCard()
	picture, err := card.Preview()
	if err != nil {
		return err
	}
	return sendPicture(c, http.StatusOK, "image/png", 24*time.Hour, picture)
}

// cardChoice reads what a card is to show; wrong says what cannot be shown.
func cardChoice(query url.Values) (show []string, theme, wrong string) {
	show, theme = cards.Parts, cards.ThemeAuto
	if query.Has("parts") {
		show = strings.FieldsFunc(strings.Join(query["parts"], ","), func(r rune) bool { return r == ',' })
	}
	for _, part := range show {
		if !slices.Contains(cards.Parts, part) {
			return nil, "", fmt.Sprintf("There is no part %q. Parts: %s", part, strings.Join(cards.Parts, ", "))
		}
	}
	if query.Has("theme") {
		theme = query.Get("theme")
	}
	if !slices.Contains(cards.Themes, theme) {
		return nil, "", fmt.Sprintf("There is no theme %q. Themes: %s", theme, strings.Join(cards.Themes, ", "))
	}
	return show, theme, ""
}

// publicCard is the card of the member in the address as everybody may see it.
func (h *Handlers) publicCard(c echo.Context) (cards.Card, error) {
	closed, err := members.MembersOnly(c.Request().Context(), h.DB.DB)
	if err != nil || closed {
		return h.neutralCard(), err
	}
	card, err := h.memberCard(c, c.Param("name"))
	if errors.Is(err, pg.ErrNotFound) {
		return h.neutralCard(), nil
	}
	return card, err
}

func (h *Handlers) neutralCard() cards.Card {
	host := h.URL
	if u, err := url.Parse(h.URL); err == nil {
		host = u.Host
	}
	return cards.Card{Community: "Laurel", Host: host}
}

// memberCard is a member's card, or ErrNotFound if not everybody may see the member.
func (h *Handlers) memberCard(c echo.Context, name string) (cards.Card, error) {
	card := h.neutralCard()
	since := cardStart(pg.CivilDay(h.Now(), time.UTC)).AddDate(0, 0, -1)
	m, err := profiles.CardOf(c.Request().Context(), h.DB.DB, name, since)
	if err != nil {
		return card, err
	}
	today := pg.CivilDay(h.Now(), m.Location())
	card.Name, card.Solved, card.Awards, card.First = m.DisplayName, m.Stats.Solved, m.Awards, cardStart(today)
	card.Streak, card.Best, card.Rating = m.Stats.CurrentDayStreak(today), m.Stats.BestDayStreak, m.Rating
	card.Days = yearView(&m.Member, card.First, today, m.Days).Days
	card.Updated = web.Deref(m.Updated)
	if m.RatedOn != "" {
		card.RatedOn = h.Site(c, m.RatedOn).Title
	}
	return card, nil
}

// cardStart is the Monday on which the days of a card begin, which ends with the week of today.
func cardStart(today time.Time) time.Time {
	return today.AddDate(0, 0, -(int(today.Weekday())+6)%7).AddDate(0, 0, 7-7*cards.Weeks)
}

func sendSVG(c echo.Context, status int, picture []byte) error {
	policy := strings.Replace(web.ContentPolicy, "style-src 'self'", "style-src 'self' "+cards.StyleSources(), 1)
	c.Response().Header().Set("Content-Security-Policy", policy)
	return sendPicture(c, status, "image/svg+xml", time.Hour, picture)
}

// sendPicture sends what other sites may show and keep for a while.
func sendPicture(c echo.Context, status int, kind string, fresh time.Duration, picture []byte) error {
	set, tag := c.Response().Header().Set, web.ETag(string(picture))
	set("Cross-Origin-Resource-Policy", "cross-origin")
	if status == http.StatusOK {
		set("ETag", tag)
		set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(fresh.Seconds())))
		if web.MatchesETag(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	return c.Blob(status, kind, picture)
}
