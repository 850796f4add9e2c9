package handlers

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/models/submissions"
	"laurel/views/parts"
	profileviews "laurel/views/profiles"
)

const homeRows = 50

// Home is the community.
func (h *profileHandlers) Home(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	page, _ := strconv.Atoi(c.QueryParam("page")) // No number is the first page.
	page = min(max(page, 0), 10_000)
	rows, total, err := profiles.Members(ctx, h.DB.DB, "", page*homeRows, homeRows, now)
	if err != nil {
		return err
	}
	p := profileviews.Home{Frame: h.Frame(c, "Members"), Now: now.In(h.ViewerZone(c)), Total: int(total)}
	if h.Viewer(c) == nil {
		mode, err := members.SignUpMode(ctx, h.DB.DB)
		if err != nil {
			return err
		}
		if mode == members.SignUpOpen {
			p.SignUp = "/sign-up"
		}
		found, err := members.HasAdmin(ctx, h.DB.DB)
		if err != nil {
			return err
		}
		p.SetUp = !found
	}
	for _, m := range rows {
		p.Members = append(p.Members, memberRow(m, now))
	}
	if page > 0 {
		p.Newer = "/?page=" + strconv.Itoa(page-1)
	}
	if int64((page+1)*homeRows) < total {
		p.Older = "/?page=" + strconv.Itoa(page+1)
	}
	return Render(c, http.StatusOK, profileviews.HomePage(p))
}

func memberRow(m profiles.MemberRow, now time.Time) profileviews.MemberRow {
	stats := submissions.MemberStats{DayStreak: m.DayStreak, LastDay: m.LastDay}
	today := pg.CivilDay(now, (&members.Member{TimeZone: m.TimeZone}).Location())
	return profileviews.MemberRow{Name: m.Name, DisplayName: m.DisplayName, Custom: m.Custom, Solved: m.Solved, DayStreak: stats.CurrentDayStreak(today),
		Newest: Deref(m.NewestAt), Accounts: m.Accounts, Running: m.Running > 0, Invalid: m.Invalid, Failing: m.Failing, Unread: m.Unread,
		CompleteUntil: Deref(m.CompleteUntil)}
}

// Submissions lists a member's submissions.
func (h *profileHandlers) Submissions(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	accounts, err := members.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	q := c.QueryParams()
	p := profileviews.Submissions{Frame: h.ForumsFrame(c, "Submissions of "+m.DisplayName), Now: h.Now().In(h.Zone(c, &m)), Name: m.Name, DisplayName: m.DisplayName,
		Filter: profileviews.SubmissionFilter{Site: q.Get("site"), Status: q.Get("status"), Language: q.Get("language"), Problem: q.Get("problem"), From: q.Get("from"), To: q.Get("to")}}
	for _, a := range accounts {
		p.Sites = append(p.Sites, parts.Choice{Value: a.Site, Text: h.Site(a.Site).Title})
		p.Pending = p.Pending || a.LastRetrievedAt == nil && a.State != members.StateInvalid
	}
	status := http.StatusOK
	err = h.fillSubmissions(c, &m, &p)
	if wrong := FieldErrors(err); wrong != nil {
		for _, words := range wrong {
			p.Mistake = words
		}
		status, err = http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	return Render(c, status, profileviews.SubmissionsPage(p))
}

func (h *profileHandlers) fillSubmissions(c echo.Context, m *members.Member, p *profileviews.Submissions) error {
	f := submissions.Filter{MemberID: m.ID, Site: p.Filter.Site, Status: p.Filter.Status, Language: p.Filter.Language, Problem: p.Filter.Problem}
	var err error
	if f.Since, err = DayStart("from", p.Filter.From, m, 0); err != nil {
		return err
	}
	if f.Until, err = DayStart("to", p.Filter.To, m, 1); err != nil {
		return err
	}
	after, before := c.QueryParam("after"), c.QueryParam("before")
	cursor, err := pg.ParseCursor(cmp.Or(after, before))
	if err != nil {
		return err
	}
	page, err := submissions.Of(c.Request().Context(), h.DB.DB, f, cursor, after == "" && before != "", 100)
	if err != nil {
		return err
	}
	p.Rows = h.submissionRows(page.Items)
	p.Older, p.Newer = PageAddress(c, "after", page.Next), PageAddress(c, "before", page.Previous)
	return nil
}
