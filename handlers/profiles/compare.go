package profiles

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/community"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/profiles"
	forumviews "laurel/views/forums"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

const (
	comparedDays = 365
	solvedShown  = 50
	leadShown    = 6 // Problems that only one has solved, on the comparison itself.
)

// Compare asks for two members, by any part of their names, and leads to their comparison.
func (h *Handlers) Compare(c echo.Context) error {
	ctx := c.Request().Context()
	p := views.Compare{Frame: h.ForumsFrame(c, texts.T(ctx, "Compare two members"))}
	typed := map[string]string{"a": strings.TrimSpace(c.QueryParam("a")), "b": strings.TrimSpace(c.QueryParam("b"))}
	if v := h.Viewer(c); v != nil && typed["a"] == "" {
		typed["a"] = v.Name
	}
	p.Form = parts.Form{Values: typed, Errors: map[string]string{}}
	if typed["a"] == "" || typed["b"] == "" {
		return web.Render(c, http.StatusOK, views.ComparePage(p))
	}
	found := map[string]string{}
	for _, field := range []string{"a", "b"} {
		list, err := h.meant(c, typed[field])
		switch {
		case err != nil:
			return err
		case len(list) == 0:
			p.Form.Errors[field] = texts.T(ctx, "No member found for %s", strconv.Quote(typed[field]))
		case len(list) == 1:
			found[field] = list[0].Name
		default:
			p.Choices = append(p.Choices, choicesOf(field, typed, list))
		}
	}
	if len(found) == 2 && found["a"] == found["b"] {
		p.Form.Errors["b"] = texts.T(ctx, "Choose two different members")
	}
	switch {
	case len(p.Form.Errors) > 0:
		return web.Render(c, http.StatusUnprocessableEntity, views.ComparePage(p))
	case len(p.Choices) > 0:
		return web.Render(c, http.StatusOK, views.ComparePage(p))
	}
	return c.Redirect(http.StatusSeeOther, "/compare/"+url.PathEscape(found["a"])+"/"+url.PathEscape(found["b"]))
}

// mostMeant is how many members a part of a name offers to choose from.
const mostMeant = 12

// meant are the members whom a text may mean: one alone, if it is somebody's name or handle.
func (h *Handlers) meant(c echo.Context, text string) ([]community.Person, error) {
	list, err := community.People(c.Request().Context(), h.DB.DB, h.Sites(c), text, mostMeant)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if strings.EqualFold(p.Name, text) {
			return []community.Person{p}, nil
		}
	}
	if exact := slices.DeleteFunc(slices.Clone(list), func(p community.Person) bool { return !p.Exact }); len(exact) == 1 {
		return exact, nil
	}
	return list, nil
}

// choicesOf are links that put one of several members into a field.
func choicesOf(field string, typed map[string]string, list []community.Person) views.CompareChoice {
	choice := views.CompareChoice{Typed: typed[field]}
	for _, p := range list {
		q := url.Values{"a": {typed["a"]}, "b": {typed["b"]}}
		q.Set(field, p.Name)
		choice.People = append(choice.People, views.ComparePerson{ID: p.ID, Name: p.Name, DisplayName: p.DisplayName,
			Path: "/compare?" + q.Encode()})
	}
	return choice
}

// comparison is the comparison in the address.
func (h *Handlers) comparison(c echo.Context) (profiles.Comparison, error) {
	return profiles.Compare(c.Request().Context(), h.DB.DB, c.Param("a"), c.Param("b"),
		pg.CivilDay(h.Now(), time.UTC).AddDate(0, 0, 1-comparedDays))
}

// Comparison shows two members side by side.
func (h *Handlers) Comparison(c echo.Context) error {
	ctx := c.Request().Context()
	both, err := h.comparison(c)
	if err != nil {
		return err
	}
	now := h.Now().In(h.ViewerZone(c))
	p := views.Comparison{Now: now, Active: both.BothActive, Sites: h.comparedSites(c, &both),
		Discussions: forumviews.TrackCard(trackView(both.Discussions, aboutAddress(forums.RefComparison, both.Key)), now)}
	for i := range both.Members {
		p.People[i] = comparedView(&both.Members[i], h.Now())
	}
	pair := [2]members.Member{both.Members[0].Member, both.Members[1].Member}
	for _, which := range []string{profiles.OnlySecond, profiles.OnlyFirst} { // The first is mostly who asks.
		list, _, err := profiles.SolvedProblems(ctx, h.DB.DB, pair, which, pg.Cursor{}, leadShown)
		if err != nil {
			return err
		}
		p.Leads = append(p.Leads, views.Lead{Which: which, Problems: h.solvedViews(c, list)})
	}
	p.Frame = h.ForumsFrame(c, texts.T(ctx, "%s and %s", p.People[0].DisplayName, p.People[1].DisplayName))
	return web.Render(c, http.StatusOK, views.ComparisonPage(p))
}

func comparedView(m *profiles.ComparedMember, now time.Time) views.Compared {
	v := views.Compared{Name: m.Name, DisplayName: m.DisplayName, Solved: m.Stats.Solved, Submissions: m.Stats.Submissions,
		Accepted: m.Stats.Accepted, Detailed: m.Stats.Detailed(), Active: m.Active,
		DayStreak: m.Stats.CurrentDayStreak(pg.CivilDay(now, m.Location())), BestDayStreak: m.Stats.BestDayStreak}
	for _, a := range m.Accounts {
		v.Pending = v.Pending || a.State != members.StatePaused && a.CompleteUntil == nil
	}
	return v
}

// comparedSites are the sites of both members by title.
func (h *Handlers) comparedSites(c echo.Context, both *profiles.Comparison) []views.ComparedSite {
	sites := map[string]*views.ComparedSite{}
	of := func(name string) *views.ComparedSite {
		if sites[name] == nil {
			sites[name] = &views.ComparedSite{Title: h.Site(c, name).Title}
		}
		return sites[name]
	}
	for _, s := range both.Sites {
		v := of(s.Site)
		v.First, v.Second, v.Both = s.First, s.Second, s.Both
	}
	for i := range both.Members {
		m := &both.Members[i]
		for _, a := range m.Accounts {
			v := of(a.Site)
			v.Handles[i] = a.Handle
			for _, curve := range h.curves(c, []profiles.AccountRatings{a}) {
				for j := range curve.Events {
					curve.Events[j].Contest = m.DisplayName + ", " + curve.Events[j].Contest
					v.Best[i] = max(v.Best[i], curve.Events[j].Rating)
				}
				v.Ratings[i] = curve.Events[len(curve.Events)-1].Rating
				v.Curves = append(v.Curves, curve)
			}
		}
	}
	list := make([]views.ComparedSite, 0, len(sites))
	for _, s := range sites {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b views.ComparedSite) int { return strings.Compare(a.Title, b.Title) })
	return list
}

// pair are the two members in the address.
func (h *Handlers) pair(c echo.Context) (both [2]members.Member, err error) {
	for i, name := range []string{c.Param("a"), c.Param("b")} {
		if both[i], err = members.ByName(c.Request().Context(), h.DB.DB, name); err != nil {
			return both, err
		}
	}
	if both[0].ID == both[1].ID {
		err = &pg.InputError{Field: "b", Message: texts.T(c.Request().Context(), "choose two different members")}
	}
	return both, err
}

// solvedProblems are the problems asked for by who of two members solved them.
func (h *Handlers) solvedProblems(c echo.Context, cursor string, limit int) (both [2]members.Member, which string,
	list []profiles.SolvedProblem, next pg.Cursor, err error) {
	which = c.QueryParam("solved")
	if which == "" {
		which = profiles.OnlyFirst
	}
	after, err := pg.ParseCursor(cursor)
	if err != nil {
		return both, which, nil, next, err
	}
	if both, err = h.pair(c); err != nil {
		return both, which, nil, next, err
	}
	list, next, err = profiles.SolvedProblems(c.Request().Context(), h.DB.DB, both, which, after, limit)
	return both, which, list, next, err
}

// ComparedProblems lists what one of two members solved and the other did not, or
// what both did.
func (h *Handlers) ComparedProblems(c echo.Context) error {
	both, which, list, next, err := h.solvedProblems(c, c.QueryParam("after"), solvedShown)
	if err != nil {
		return err
	}
	p := views.SolvedList{Now: h.Now().In(h.ViewerZone(c)), Which: which, Older: web.PageAddress(c, "after", next)}
	for i, m := range both {
		p.People[i] = views.Compared{Name: m.Name, DisplayName: m.DisplayName}
	}
	if c.QueryParam("after") != "" {
		p.Newest = c.Request().URL.Path + "?solved=" + which
	}
	p.Problems = h.solvedViews(c, list)
	p.Frame = h.ForumsFrame(c, texts.T(c.Request().Context(), "Problems of %s and %s", p.People[0].DisplayName, p.People[1].DisplayName))
	return web.Render(c, http.StatusOK, views.SolvedListPage(p))
}

func (h *Handlers) solvedViews(c echo.Context, list []profiles.SolvedProblem) (rows []views.SolvedProblem) {
	for _, x := range list {
		rows = append(rows, views.SolvedProblem{Site: x.Site, SiteTitle: h.Site(c, x.Site).Title, Key: x.Key, At: x.At,
			Words: h.problemName(c, x.Site, x.Key, x.Name)})
	}
	return rows
}
