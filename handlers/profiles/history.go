package profiles

import (
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	"laurel/models/members"
	"laurel/models/profiles"
	archiveviews "laurel/views/archive"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// history reads a member as known at the instant that the address names.
func (h *Handlers) history(c echo.Context, field string) (modelhistory.History, error) {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return modelhistory.History{}, err
	}
	at, err := h.InstantParam(c, field, h.Zone(c, &m))
	if err != nil {
		return modelhistory.History{}, err
	}
	return h.historyAt(c, m.Name, at, recentRows)
}

func (h *Handlers) historyAt(c echo.Context, member string, at time.Time, recent int) (modelhistory.History, error) {
	return modelhistory.At(c.Request().Context(), h.DB.DB,
		modelhistory.Query{Member: member, Sites: h.Sites(c), At: at, Now: h.Now(), Since: yearStart, Recent: recent})
}

// History is a member's page as known at an instant: /u/NAME?at=.
func (h *Handlers) History(c echo.Context) error {
	hist, err := h.history(c, "at")
	if err != nil {
		return err
	}
	ctx, now, base := c.Request().Context(), h.Now().In(h.Zone(c, &hist.Member)), web.MemberAddress(hist.Member.Name)
	sum := sumPages(hist.Pages)
	place, err := h.rankingPlace(c, &hist)
	if err != nil {
		return err
	}
	p := archiveviews.History{
		Frame: h.Frame(c, texts.T(ctx, "%s in the past", hist.DisplayName)), Now: now, At: hist.At,
		Name: hist.Member.Name, DisplayName: hist.DisplayName,
		Steps:   stepsOf(&hist, base, sum, now),
		Compare: base + "/diff?from=" + url.QueryEscape(hist.At.Format(time.RFC3339Nano)),
		Evident: c.QueryParam("show") == "evidence", Numbers: h.numberGroups(ctx, c, &hist),
		FirstCheck: web.Deref(sum.First), LastCheck: web.Deref(sum.Last), Place: place,
		Exports: archiveviews.Exports{Checks: "/looks?viewer=" + url.QueryEscape(hist.Member.Name),
			JSON: apiHistoryAddress(&hist, ""), CSV: apiHistoryAddress(&hist, "csv"), TimeMap: base + "/timemap"},
	}
	if p.Evident {
		p.Steps.Base += "?show=evidence"
		p.Evidence = h.evidence(c, &hist)
		if p.Checks, err = h.checkCalendar(c, &hist, p.Steps.Base, sum, now); err != nil {
			return err
		}
	} else if then := h.profileThen(c, &hist); then.Stats.Submissions > 0 {
		p.Then = views.Facts(then)
	}
	h.SetMementoHeaders(c, memberMementos(&hist, sum))
	return web.Render(c, http.StatusOK, archiveviews.HistoryPage(p))
}

// rankingPlace is the member's rank in Laurel's own ranking, as of the instant, and
// where the ranking of then is; empty if the member was not in it.
func (h *Handlers) rankingPlace(c echo.Context, hist *modelhistory.History) (parts.Choice, error) {
	ctx := c.Request().Context()
	s, err := archive.Lookup(ctx, h.DB.DB, "ladder")
	if err != nil {
		return parts.Choice{}, err
	}
	rows, err := archive.At(ctx, h.DB.DB, s, archive.Query{Key: shards.Row{"ladder": modelhistory.SolvedRanking,
		"player": hist.Member.Name}}, hist.At)
	if err != nil || len(rows) == 0 {
		return parts.Choice{}, err
	}
	rank, _ := rows[0].Data["rank"].(int64) // Ours has one for everybody.
	return parts.Choice{Value: web.AtAddress(web.RankingAddress(modelhistory.SolvedRanking), hist.At),
		Text: texts.T(ctx, "rank %d in %s", int(rank), web.RankingTitle(ctx, modelhistory.SolvedRanking))}, nil
}

// memberMementos are the states of a member's page: one for each instant at
// which anything was checked for the member.
func memberMementos(hist *modelhistory.History, sum modelhistory.PageFetches) web.Mementos {
	base := web.MemberAddress(hist.Member.Name)
	return web.Mementos{Original: base, TimeMap: base + "/timemap", First: web.Deref(sum.First), Last: web.Deref(sum.Last),
		Prev: web.Deref(sum.Before), Next: web.Deref(sum.After), At: hist.At}
}

// memberGate leads who asks for a member's page as of a time (RFC 7089) to the
// newest check by then.
func (h *Handlers) memberGate(c echo.Context) (answered bool, err error) {
	return h.TimeGate(c, func(at time.Time) (web.Mementos, error) {
		hist, err := h.historyAt(c, c.Param("name"), at, 1)
		if err != nil {
			return web.Mementos{}, err
		}
		sum := sumPages(hist.Pages)
		m := memberMementos(&hist, sum)
		m.At = web.Deref(sum.Fetched)
		return m, nil
	})
}

// TimeMap lists the instants at which a member was checked.
func (h *Handlers) TimeMap(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	instants, err := modelhistory.FetchTimes(ctx, h.DB.DB, m.Name, web.TimeMapAtMost)
	if err != nil {
		return err
	}
	return h.SendTimeMap(c, web.MemberAddress(m.Name), web.MemberAddress(m.Name)+"/timemap", instants)
}

func apiHistoryAddress(hist *modelhistory.History, format string) string {
	a := web.AtAddress("/api/v1/members/"+url.PathEscape(hist.Member.Name)+"/history", hist.At)
	if format != "" {
		a += "&format=" + format
	}
	return a
}

// sumPages takes the checks of all of a member's pages together.
func sumPages(pages []modelhistory.PageFetches) (sum modelhistory.PageFetches) {
	later := func(into **time.Time, t *time.Time) {
		if t != nil && (*into == nil || t.After(**into)) {
			*into = t
		}
	}
	earlier := func(into **time.Time, t *time.Time) {
		if t != nil && (*into == nil || t.Before(**into)) {
			*into = t
		}
	}
	for _, p := range pages {
		later(&sum.Before, p.Before)
		later(&sum.Last, p.Last)
		later(&sum.Fetched, p.Fetched)
		earlier(&sum.After, p.After)
		earlier(&sum.First, p.First)
	}
	return sum
}

func stepsOf(hist *modelhistory.History, base string, sum modelhistory.PageFetches, now time.Time) archiveviews.Steps {
	before, after := hist.Changes()
	return archiveviews.Steps{Base: base, At: hist.At, Now: now, PrevChange: web.Deref(before), NextChange: web.Deref(after),
		PrevCheck: web.Deref(sum.Before), NextCheck: web.Deref(sum.After)}
}

// profileThen is what the ordinary profile showed.
func (h *Handlers) profileThen(c echo.Context, hist *modelhistory.History) views.Profile {
	today := pg.CivilDay(hist.At, hist.Zone)
	member := members.Member{Name: hist.Member.Name, TimeZone: hist.Zone.String()}
	p := views.Profile{Now: hist.At.In(hist.Zone), Name: hist.Member.Name, DisplayName: hist.DisplayName, Zone: hist.Zone.String(),
		Year: yearView(&member, yearStart(today), today, hist.Days), Recent: h.submissionRows(c, hist.Recent),
		Accounts: views.AccountsCard{Name: hist.Member.Name}}
	marks := h.marksThen(c.Request().Context(), hist)
	p.Marks = marks
	var accounts []members.Account
	var rated []profiles.AccountRatings
	for _, a := range hist.Accounts {
		account := members.Account{
			Site:     a.Site,
			Handle:   a.Handle,
			Schedule: members.Schedule{Outcome: pg.OutcomeOK, State: members.StateActive},
			Coverage: members.Coverage{CompleteUntil: &a.Seen},
			Stats:    members.Stats{Submissions: a.Submissions, Accepted: a.Accepted, Solved: a.Solved, Statuses: a.Statuses},
		}
		accounts = append(accounts, account)
		rated = append(rated, profiles.AccountRatings{Account: account, Ratings: a.Ratings})
		v := h.accountView(c, &account)
		v.Mark = marks[a.Site]
		v.Undetailed, v.UndetailedSolved = a.Undetailed, a.UndetailedSolved
		p.Accounts.Accounts = append(p.Accounts.Accounts, v)
	}
	stats := hist.Stats
	stats.UndetailedSubmissions, stats.UndetailedSolved = undetailedThen(hist)
	p.Stats, p.Ratings = statsView(&stats, accounts, today), h.curves(c, rated)
	return p
}

// undetailedThen is what the sums counted beyond the listed submissions of the accounts.
func undetailedThen(hist *modelhistory.History) (submitted, solved int) {
	submitted, solved = hist.Stats.Submissions, hist.Stats.Solved
	for _, a := range hist.Accounts {
		submitted, solved = submitted-a.Submissions, solved-a.Solved
	}
	return max(submitted, 0), max(solved, 0)
}

// evidence says how each page was checked.
func (h *Handlers) evidence(c echo.Context, hist *modelhistory.History) []archiveviews.Evidence {
	var out []archiveviews.Evidence
	for _, p := range hist.Pages {
		q := url.Values{"viewer": {hist.Member.Name}, "source": {p.Source}, "address": {p.Address}}
		out = append(out, archiveviews.Evidence{Source: h.SourceTitle(c, p.Source), Address: p.Address, Checked: web.Deref(p.Fetched),
			UnchangedSince: web.Deref(p.UnchangedSince),
			Checks:         p.Fetches, NextChange: web.Deref(p.NextChange), Failed: p.Failed, Href: "/looks?" + q.Encode()})
	}
	return out
}

// checkCalendar is the year of checks that ends with the week of the instant.
func (h *Handlers) checkCalendar(c echo.Context, hist *modelhistory.History, base string, sum modelhistory.PageFetches,
	now time.Time) (archiveviews.CheckCalendar, error) {
	zone := now.Location()
	today := pg.CivilDay(hist.At, zone)
	first := today.AddDate(-1, 0, 1)
	days, err := modelhistory.FetchDays(c.Request().Context(), h.DB.DB, hist.Member.Name, zone, first, today)
	if err != nil {
		return archiveviews.CheckCalendar{}, err
	}
	cal := archiveviews.CheckCalendar{Base: base, First: first, At: today,
		Days: make([]archiveviews.CheckDay, int(today.Sub(first).Hours()/24)+1)}
	for _, d := range days {
		if i := int(d.Day.Sub(first).Hours() / 24); i >= 0 && i < len(cal.Days) {
			cal.Days[i] = archiveviews.CheckDay{Checks: d.Fetches, Failed: d.Failed, Last: d.Last}
		}
	}
	if sum.First != nil && pg.CivilDay(*sum.First, zone).Before(first) {
		cal.Earlier = web.AtAddress(base, pg.StartOfDay(first, zone).Add(-time.Second))
	}
	if sum.Last != nil && pg.CivilDay(*sum.Last, zone).After(today) {
		next := pg.StartOfDay(today.AddDate(1, 0, 1), zone).Add(-time.Second)
		if next.After(now) {
			next = now
		}
		cal.Later = web.AtAddress(base, next)
	}
	return cal, nil
}
