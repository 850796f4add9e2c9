package profiles

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	pg "laurel/models/db"
	"laurel/models/follows"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/models/retrieval"
	"laurel/models/submissions"
	"laurel/views/charts"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// yearDays is the length of the heatmap: 53 weeks.
const yearDays = 53 * 7

// recentRows is how many of the newest submissions a profile shows.
const recentRows = 12

// yearStart is the first day of the heatmap that ends with the week of today: a Monday.
func yearStart(today time.Time) time.Time {
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	return monday.AddDate(0, 0, 7-yearDays)
}

// Show is a member's page; with ?at=, as known at that instant.
func (h *Handlers) Show(c echo.Context) error {
	ctx := c.Request().Context()
	if c.QueryParam("at") != "" {
		return h.History(c)
	}
	if answered, err := h.memberGate(c); answered {
		return err
	}
	now := h.Now()
	// The days asked for begin early enough for every zone; which day is today is
	// known when the member is.
	since := yearStart(pg.CivilDay(now, time.UTC)).AddDate(0, 0, -1)
	p, err := profiles.Of(ctx, h.DB.DB, c.Param("name"), since, recentRows)
	if err != nil {
		return err
	}
	all := make([]members.Account, len(p.Accounts))
	for i, a := range p.Accounts {
		all[i] = a.Account
	}
	today := pg.CivilDay(now, p.Location())
	local := now.In(h.Zone(c, &p.Member))
	card, err := h.accountsCard(c, &p.Member, all, now)
	if err != nil {
		return err
	}
	page := views.Profile{
		Frame: h.Frame(c, p.DisplayName), Now: local, Name: p.Name, DisplayName: p.DisplayName, Zone: p.TimeZone,
		Custom: p.Custom, FollowedBy: p.Owner, Accounts: card,
		Stats:   statsView(&p.Stats, all, today),
		Year:    yearView(&p.Member, yearStart(today), today, p.Days),
		Ratings: h.curves(c, p.Accounts), Recent: h.submissionRows(c, p.Recent),
		ID: p.ID, Messages: p.Track.Messages, MessagesURL: memberMessagesAddress(&p), Discussions: discussionViews(p.Track),
	}
	if v := h.Viewer(c); v != nil && v.Manages(&p.Member) {
		page.SeenBy = views.SeenBy(ctx, p.Audience, v.ID == p.ID)
	}
	if page.Follow, err = h.followButton(c, &p.Member); err != nil {
		return err
	}
	if !p.Custom {
		page.Joined = p.CreatedAt.In(local.Location())
	}
	h.placed(c, p.Said, &page)
	if err := h.addShelf(c, &page); err != nil {
		return err
	}
	page.Activity = views.ActivityOf(ctx, &page)
	if page.Accounts.Live {
		page.Frame.Refresh = 2
	}
	page.Frame.Preview.Picture = h.URL + web.MemberAddress(p.Name) + "/preview.png"
	page.Frame.Preview.Words = views.PreviewWords(ctx, page)
	h.SetMementoHeaders(c, web.Mementos{Original: web.MemberAddress(p.Name), TimeMap: web.MemberAddress(p.Name) + "/timemap"})
	return web.Render(c, http.StatusOK, views.Page(page))
}

// followButton is what the viewer can do about another registered member.
func (h *Handlers) followButton(c echo.Context, of *members.Member) (*parts.FollowButton, error) {
	v := h.Viewer(c)
	if v == nil || v.ID == of.ID || of.Custom {
		return nil, nil
	}
	r, err := follows.Between(c.Request().Context(), h.DB.DB, v.ID, of.ID)
	return &parts.FollowButton{Name: of.Name, Following: r.State == follows.Following, Requested: r.State == follows.Requested,
		Blocked: r.Blocked}, err
}

func statsView(s *submissions.MemberStats, accounts []members.Account, today time.Time) views.Stats {
	v := views.Stats{Submissions: s.Submissions, Accepted: s.Accepted, Solved: s.Solved,
		Undetailed: s.UndetailedSubmissions, UndetailedSolved: s.UndetailedSolved, DayStreak: s.CurrentDayStreak(today),
		BestDayStreak: s.BestDayStreak, ACStreak: s.AcStreak, BestACStreak: s.BestAcStreak, TodayCounts: s.LastDay != nil &&
			s.LastDay.Equal(today)}
	for _, a := range accounts {
		if at := a.CompleteUntil; at != nil && at.After(v.Updated) {
			v.Updated = *at
		}
	}
	return v
}

// yearView lays days out from first to today.
func yearView(m *members.Member, first, today time.Time, days []submissions.Day) charts.Year {
	y := charts.Year{Name: m.Name, Zone: m.TimeZone, First: first, Days: make([]charts.DayCount, int(today.Sub(first).Hours()/24)+1)}
	for _, d := range days {
		if i := int(d.Day.Sub(first).Hours() / 24); i >= 0 && i < len(y.Days) {
			y.Days[i] = charts.DayCount{Submissions: d.Submissions, Accepted: d.Accepted, Undetailed: d.Undetailed}
		}
	}
	return y
}

// accountsCard is the accounts with the button and what was changed of the handles, as the viewer may see it.
func (h *Handlers) accountsCard(c echo.Context, m *members.Member, accounts []members.Account, now time.Time) (views.AccountsCard, error) {
	card := h.plainCard(c, m, accounts, now)
	return card, h.addChanges(c, m, accounts, &card)
}

// plainCard is the accounts with the button: it asks nothing more of the database.
func (h *Handlers) plainCard(c echo.Context, m *members.Member, accounts []members.Account, now time.Time) views.AccountsCard {
	viewer := h.Viewer(c)
	held := h.SuspendedSites(c)
	r := retrieval.ProgressOf(m, accounts, held, now)
	card := views.AccountsCard{Name: m.Name, Now: now.In(h.Zone(c, m)), Own: viewer != nil && viewer.ID == m.ID,
		Manage: viewer != nil && viewer.Manages(m), Fix: "/settings", Asked: web.Deref(m.RequestedAt)}
	if card.Manage {
		card.Fix = web.EditPath(viewer, m)
	}
	asked := slices.ContainsFunc(accounts, func(a members.Account) bool {
		_, waits := held[a.Site]
		return !waits && a.State != members.StatePaused && a.RequestedAt != nil && a.RequestedAt.Equal(card.Asked)
	})
	card.Running = asked && r.Phase != retrieval.PhaseDone
	card.Live = card.Running || beingRead(accounts, held, now)
	if until, cooling := retrieval.CoolsUntil(m, accounts, h.CoolDown); cooling {
		card.Again = until
	}
	for _, a := range accounts {
		v := h.accountView(c, &a)
		v.Phase = phaseView(&a, card.Running, now)
		if site, ok := held[a.Site]; ok && a.State != members.StatePaused {
			v.Suspended = suspendedNote(c.Request().Context(), site)
		}
		card.Accounts = append(card.Accounts, v)
	}
	slices.SortStableFunc(card.Accounts, func(a, b views.Account) int { return web.CompareFold(a.Title, b.Title) })
	return card
}

// undoShown is for how long a profile offers to bring a handle back; the settings do it longer.
const undoShown = 3 * 24 * time.Hour

// addChanges adds what the viewer has changed of the handles: those that are looked up, and those
// that went.
func (h *Handlers) addChanges(c echo.Context, m *members.Member, all []members.Account, card *views.AccountsCard) error {
	if !card.Manage {
		return nil
	}
	wanted, removed, err := accounts.ChangesOf(c.Request().Context(), h.DB.DB, m.ID, h.Now().Add(-undoShown))
	if err != nil {
		return err
	}
	for _, a := range all {
		w, ok := wanted[a.ID]
		i := slices.IndexFunc(card.Accounts, func(v views.Account) bool { return v.Site == a.Site })
		if ok && i >= 0 {
			card.Accounts[i].Wanted, card.Accounts[i].Refused = w.Handle, w.RefusedAt != nil
		}
	}
	for _, r := range removed {
		if card.Own {
			card.Removed = append(card.Removed, views.Removed{Title: h.SourceTitle(c, r.Site), Handle: r.Handle, Submissions: r.Submissions,
				Path: fmt.Sprintf("/settings/handles/removed/%d/restore", r.ID)})
		}
	}
	return nil
}

// beingRead says whether somebody checks one of the accounts, or is about to: for the first time, or
// for a handle that is looked up. Then who waits for the result should see it come.
func beingRead(accounts []members.Account, held map[string]retrieval.Circuit, now time.Time) bool {
	return slices.ContainsFunc(accounts, func(a members.Account) bool {
		_, waits := held[a.Site]
		soon := a.LastAttemptAt == nil && !a.DueAt.After(now) || a.RequestedAt != nil
		return a.State != members.StatePaused && (soon && !waits || retrieval.Phase(&a, now) == retrieval.PhaseRunning)
	})
}

// phaseView is an account's part of the request, if it has one.
func phaseView(a *members.Account, asked bool, now time.Time) string {
	phase := retrieval.Phase(a, now)
	if a.State == members.StatePaused || !asked && phase == retrieval.PhaseDone {
		return ""
	}
	return phase
}

func (h *Handlers) accountView(c echo.Context, a *members.Account) views.Account {
	site := h.Site(c, a.Site)
	v := views.Account{Site: a.Site, Title: site.Title, Handle: a.Handle, State: a.State, Outcome: a.Outcome, Message: a.Message,
		Page: a.Page, New: a.NewRows, Delay: a.Delay, Reason: a.Reason, FailingSince: web.Deref(a.FailingSince),
		LastAttempt: web.Deref(a.LastAttemptAt),
		Missing:     a.Missing, MissingFrom: web.Deref(a.MissingFrom), MissingUntil: web.Deref(a.MissingUntil),
		Unread: a.Unread, CompleteUntil: web.Deref(a.CompleteUntil), CheckedThrough: web.Deref(a.AuditedAt),
		CheckedFrom: web.Deref(a.AuditedFrom),
		Due:         a.DueAt, Newest: web.Deref(a.NewestAt), Submissions: a.Submissions, Accepted: a.Accepted, Solved: a.Solved,
		Statuses: statusCounts(a.Statuses), Former: a.FormerHandle, Renamed: web.Deref(a.RenamedAt),
		Proved: a.ProvedAt != nil, Outside: site.Outside, Pushed: web.Deref(a.PushedAt)}
	v.Undetailed, v.UndetailedSolved = a.Undetailed()
	if site.Profile != nil {
		v.URL = site.Profile(a.Handle)
	}
	if a.Outcome == pg.OutcomeOK && !a.Leased(h.Now()) {
		v.New = a.LastNew
	}
	return v
}

// statusCounts reads the account's counts, most frequent first.
func statusCounts(raw json.RawMessage) []parts.StatusCount {
	var counts map[string]int
	if json.Unmarshal(raw, &counts) != nil {
		return nil // Never: the database keeps it as JSON.
	}
	var out []parts.StatusCount
	for _, s := range submissions.Statuses {
		if counts[s] > 0 {
			out = append(out, parts.StatusCount{Status: s, Count: counts[s]})
		}
	}
	slices.SortStableFunc(out, func(a, b parts.StatusCount) int { return b.Count - a.Count })
	return out
}

func (h *Handlers) curves(c echo.Context, accounts []profiles.AccountRatings) []charts.Curve {
	var curves []charts.Curve
	for _, a := range accounts {
		if len(a.Ratings) == 0 {
			continue
		}
		curve := charts.Curve{Site: h.Site(c, a.Site).Title, Handle: a.Handle}
		for _, r := range a.Ratings {
			curve.Events = append(curve.Events, charts.RatingEvent{Contest: r.Name, URL: r.URL, Rank: r.Rank, Rating: r.Rating, At: r.At})
		}
		curves = append(curves, curve)
	}
	return curves
}

func (h *Handlers) submissionRows(c echo.Context, items []submissions.Submission) []views.Submission {
	rows := make([]views.Submission, len(items))
	for i, s := range items {
		rows[i] = views.Submission{At: s.SubmittedAt, Site: h.Site(c, s.Site).Title, ProblemURL: s.ProblemURL,
			Problem: h.problemName(c, s.Site, s.ProblemKey, s.ProblemName), Page: parts.ProblemPath(s.Site, s.ProblemKey),
			Status: s.Status, Language: s.Language, URL: s.URL, Brought: s.Source == submissions.SourceMember}
		if s.SubmittedAt.Equal(submissions.UnknownTime) {
			rows[i].At = time.Time{}
		}
	}
	return rows
}

// problemName is a problem as people call it.
func (h *Handlers) problemName(c echo.Context, site, key, name string) string {
	switch {
	case name == "":
		return key
	case h.Site(c, site).KeyInName:
		return key + " " + name
	}
	return name
}

// suspendedNote says of an account why its site is not asked now.
func suspendedNote(ctx context.Context, c retrieval.Circuit) string {
	switch {
	case c.PausedAt != nil && c.PausedReason != "":
		return texts.T(ctx, "site paused: %s", c.PausedReason)
	case c.PausedAt != nil:
		return texts.T(ctx, "site paused")
	}
	return texts.T(ctx, "site not answering")
}
