package profiles

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/models/standings"
	"laurel/views/home"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// A todayCard is a part of Today. Its file registers it: that is all there is to do for a new one.
type todayCard struct {
	key, title string
	place      int // Among the others, ascending.
	fill       func(h *Handlers, c echo.Context, t *today) (home.Card, error)
}

// todayCards are all cards, in their order.
var todayCards []todayCard

func registerCard(card todayCard) {
	todayCards = append(todayCards, card)
	slices.SortFunc(todayCards, func(a, b todayCard) int { return cmp.Compare(a.place, b.place) })
}

// accountsKey is the card of accounts, which comes with the button.
const accountsKey = "accounts"

// today is what all cards of a request may use.
type today struct {
	member *members.Member
	now    time.Time       // In the member's zone.
	week   []standings.Row // The board of the week around the member.
}

// Home is Today for members, and the community for visitors.
func (h *Handlers) Home(c echo.Context) error {
	if h.Viewer(c) == nil {
		return h.Landing(c)
	}
	return h.Today(c)
}

// Today is the first page of a member.
func (h *Handlers) Today(c echo.Context) error {
	ctx, m := c.Request().Context(), h.Viewer(c)
	t := &today{member: m, now: h.Now().In(m.Location())}
	p := home.Today{Frame: h.Frame(c, texts.T(ctx, "Today")), Name: firstName(m.DisplayName),
		When: texts.T(ctx, "%s in %s", texts.Format(ctx, t.now, "Monday 2 January, 15:04"), m.TimeZone)}
	accounts, err := members.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	card := h.plainCard(c, m, accounts, h.Now())
	if card.On = views.OnToday; m.Hides(accountsKey) && len(accounts) > 0 {
		card.On = views.OnTodayAlone
	}
	p.Accounts = views.AccountsSection(card)
	if card.Live {
		p.Frame.Refresh = 2
	}
	if t.week, err = standings.Around(ctx, h.DB.DB, standings.Board{By: "solved", In: "week"}, m.ID, aroundShown, t.now); err != nil {
		return err
	}
	if err := h.addFacts(ctx, t, &p); err != nil {
		return err
	}
	if len(accounts) == 0 {
		p.Facts, p.Note = nil, &home.Nothing{Text: texts.T(ctx, "Your numbers and cards fill themselves."), Href: "/settings",
			Label: texts.T(ctx, "Add your handles")}
	}
	for _, x := range todayCards {
		p.Choices = append(p.Choices, home.Choice{Value: x.key, Label: texts.Say(ctx, x.title), Here: !m.Hides(x.key)})
		if m.Hides(x.key) {
			continue
		}
		filled, err := x.fill(h, c, t)
		if err != nil {
			return err
		}
		filled.Title = texts.Say(ctx, x.title)
		p.Cards = append(p.Cards, filled)
	}
	p.Choices = append(p.Choices, home.Choice{Value: accountsKey, Label: texts.T(ctx, "My accounts"), Here: !m.Hides(accountsKey)})
	return web.Render(c, http.StatusOK, home.TodayPage(p))
}

// addFacts adds the member's figures, and what the streak needs today.
func (h *Handlers) addFacts(ctx context.Context, t *today, p *home.Today) error {
	stats, err := profiles.StatsOf(ctx, h.DB.DB, t.member.ID)
	if err != nil {
		return err
	}
	day := pg.CivilDay(t.now, t.now.Location())
	streak := home.Fact{Figure: texts.N(ctx, stats.CurrentDayStreak(day), "%d day", "%d days"), Line: texts.T(ctx, "streak"),
		Alive: stats.CurrentDayStreak(day) > 0}
	switch {
	case stats.LastDay != nil && stats.LastDay.Equal(day):
		streak.Line = texts.T(ctx, "streak, today counts")
	case streak.Alive:
		streak.Line, streak.Strong = texts.T(ctx, "streak")+" ·", texts.T(ctx, "%s left today", leftOf(ctx, t.now))
		p.Note = &home.Nothing{Text: texts.T(ctx, "Nothing submitted yet today. Any submission keeps your %d-day streak.",
			stats.CurrentDayStreak(day)),
			Href: parts.SubmissionsPath(t.member.Name), Label: texts.T(ctx, "See what you tried last")}
	}
	solved := home.Fact{Figure: texts.Number(ctx, stats.Solved), Line: texts.T(ctx, "solved"), Alive: true}
	p.Facts = []home.Fact{streak, solved}
	if i := slices.IndexFunc(t.week, func(r standings.Row) bool { return r.MemberID == t.member.ID }); i >= 0 {
		own := t.week[i]
		p.Facts[1].Line += ", " + texts.T(ctx, "%d this week", own.Value)
		rank := home.Fact{Figure: "#" + texts.Number(ctx, own.Rank), Line: texts.T(ctx, "this week")}
		switch up := own.RankWas - own.Rank; {
		case own.RankWas == 0:
		case up > 0:
			rank.Line += ", " + texts.T(ctx, "up %d", up)
		case up < 0:
			rank.Line += ", " + texts.T(ctx, "down %d", -up)
		}
		p.Facts = append(p.Facts, rank)
	}
	return nil
}

// leftOf is how much of the day is left in its zone: hours differ where clocks are changed.
func leftOf(ctx context.Context, now time.Time) string {
	y, m, d := now.Date()
	return texts.Span(ctx, time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()).Sub(now))
}

// firstName is the first word of a name.
func firstName(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}

// SaveCards stores which cards the viewer wants on Today.
func (h *Handlers) SaveCards(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	shown, hidden := c.Request().PostForm["show"], []string{}
	for _, x := range append(slices.Clone(todayCards), todayCard{key: accountsKey}) {
		if !slices.Contains(shown, x.key) {
			hidden = append(hidden, x.key)
		}
	}
	if err := members.HideCards(c.Request().Context(), h.DB.DB, h.Viewer(c).ID, hidden); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/?done=saved")
}
