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
	p := home.Today{Frame: h.Frame(c, "Today"), Name: firstName(m.DisplayName),
		When: t.now.Format("Monday 2 January, 15:04") + " in " + m.TimeZone}
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
		p.Facts, p.Note = nil, &home.Nothing{Text: "Your numbers and cards fill themselves.", Href: "/settings", Label: "Add your handles"}
	}
	for _, x := range todayCards {
		p.Choices = append(p.Choices, home.Choice{Value: x.key, Label: x.title, Here: !m.Hides(x.key)})
		if m.Hides(x.key) {
			continue
		}
		filled, err := x.fill(h, c, t)
		if err != nil {
			return err
		}
		filled.Title = x.title
		p.Cards = append(p.Cards, filled)
	}
	p.Choices = append(p.Choices, home.Choice{Value: accountsKey, Label: "My accounts", Here: !m.Hides(accountsKey)})
	return web.Render(c, http.StatusOK, home.TodayPage(p))
}

// addFacts adds the member's figures, and what the streak needs today.
func (h *Handlers) addFacts(ctx context.Context, t *today, p *home.Today) error {
	stats, err := profiles.StatsOf(ctx, h.DB.DB, t.member.ID)
	if err != nil {
		return err
	}
	day := pg.CivilDay(t.now, t.now.Location())
	streak := home.Fact{Figure: parts.Plural(stats.CurrentDayStreak(day), "day"), Line: "streak", Alive: stats.CurrentDayStreak(day) > 0}
	switch {
	case stats.LastDay != nil && stats.LastDay.Equal(day):
		streak.Line = "streak, today counts"
	case streak.Alive:
		streak.Line, streak.Strong = "streak ·", leftOf(t.now)+" left today"
		days := parts.Number(stats.CurrentDayStreak(day))
		p.Note = &home.Nothing{Text: "Nothing submitted yet today. Any submission keeps your " + days + "-day streak.",
			Href: parts.SubmissionsPath(t.member.Name), Label: "See what you tried last"}
	}
	solved := home.Fact{Figure: parts.Number(stats.Solved), Line: "solved", Alive: true}
	p.Facts = []home.Fact{streak, solved}
	if i := slices.IndexFunc(t.week, func(r standings.Row) bool { return r.MemberID == t.member.ID }); i >= 0 {
		own := t.week[i]
		p.Facts[1].Line += ", " + parts.Number(own.Value) + " this week"
		rank := home.Fact{Figure: "#" + parts.Number(own.Rank), Line: "this week"}
		switch up := own.RankWas - own.Rank; {
		case own.RankWas == 0:
		case up > 0:
			rank.Line += ", up " + parts.Number(up)
		case up < 0:
			rank.Line += ", down " + parts.Number(-up)
		}
		p.Facts = append(p.Facts, rank)
	}
	return nil
}

// leftOf is how much of the day is left in its zone: hours differ where clocks are changed.
func leftOf(now time.Time) string {
	y, m, d := now.Date()
	return parts.Span(time.Date(y, m, d+1, 0, 0, 0, 0, now.Location()).Sub(now))
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
