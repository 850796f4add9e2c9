package handlers

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/views"
)

const homeRows = 50

// Home is the community.
func (h *profileHandlers) Home(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	page, _ := strconv.Atoi(c.QueryParam("page")) // No number is the first page.
	page = min(max(page, 0), 10_000)
	rows, total, err := models.Members(ctx, h.DB.DB, "", page*homeRows, homeRows, now)
	if err != nil {
		return err
	}
	p := views.Home{Frame: h.frame(c, "Members"), Now: now.In(h.viewerZone(c)), Total: int(total)}
	if h.viewer(c) == nil {
		mode, err := models.SignUpMode(ctx, h.DB.DB)
		if err != nil {
			return err
		}
		if mode == models.SignUpOpen {
			p.SignUp = "/sign-up"
		}
		found, err := models.HasAdmin(ctx, h.DB.DB)
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
	return render(c, http.StatusOK, views.HomePage(p))
}

func memberRow(m models.MemberRow, now time.Time) views.MemberRow {
	stats := models.MemberStats{DayStreak: m.DayStreak, LastDay: m.LastDay}
	today := pg.CivilDay(now, (&models.Member{TimeZone: m.TimeZone}).Location())
	return views.MemberRow{Name: m.Name, DisplayName: m.DisplayName, Custom: m.Custom, Solved: m.Solved, DayStreak: stats.CurrentDayStreak(today),
		Newest: deref(m.NewestAt), Accounts: m.Accounts, Running: m.Running > 0, Invalid: m.Invalid, Failing: m.Failing, Unread: m.Unread,
		CompleteUntil: deref(m.CompleteUntil), Apart: m.Apart}
}

// viewerZone is the zone of pages that are about nobody.
func (h *Base) viewerZone(c echo.Context) *time.Location {
	if v := h.viewer(c); v != nil {
		return v.Location()
	}
	return time.UTC
}

// Submissions lists a member's submissions.
func (h *profileHandlers) Submissions(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := models.MemberByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	accounts, err := models.AccountsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	q := c.QueryParams()
	p := views.Submissions{Frame: h.forumsFrame(c, "Submissions of "+m.DisplayName), Now: h.Now().In(h.zone(c, &m)), Name: m.Name, DisplayName: m.DisplayName,
		Filter: views.SubmissionFilter{Site: q.Get("site"), Status: q.Get("status"), Language: q.Get("language"), Problem: q.Get("problem"), From: q.Get("from"), To: q.Get("to")}}
	for _, a := range accounts {
		p.Sites = append(p.Sites, views.Choice{Value: a.Site, Text: h.site(a.Site).Title})
		p.Pending = p.Pending || a.LastRetrievedAt == nil && a.State != models.StateInvalid
	}
	status := http.StatusOK
	err = h.fillSubmissions(c, &m, &p)
	if wrong := fieldErrors(err); wrong != nil {
		for _, words := range wrong {
			p.Mistake = words
		}
		status, err = http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	return render(c, status, views.SubmissionsPage(p))
}

func (h *profileHandlers) fillSubmissions(c echo.Context, m *models.Member, p *views.Submissions) error {
	f := models.SubmissionFilter{MemberID: m.ID, Site: p.Filter.Site, Status: p.Filter.Status, Language: p.Filter.Language, Problem: p.Filter.Problem}
	var err error
	if f.Since, err = dayStart("from", p.Filter.From, m, 0); err != nil {
		return err
	}
	if f.Until, err = dayStart("to", p.Filter.To, m, 1); err != nil {
		return err
	}
	after, before := c.QueryParam("after"), c.QueryParam("before")
	cursor, err := pg.ParseCursor(cmp.Or(after, before))
	if err != nil {
		return err
	}
	page, err := models.SubmissionsOf(c.Request().Context(), h.DB.DB, f, cursor, after == "" && before != "", 100)
	if err != nil {
		return err
	}
	p.Rows = h.submissionRows(page.Items)
	p.Older, p.Newer = pageAddress(c, "after", page.Next), pageAddress(c, "before", page.Previous)
	return nil
}

// dayStart is the moment at which a day of the member begins, or the day after it.
func dayStart(field, text string, m *models.Member, plus int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1900 || day.Year() > 9000 {
		return time.Time{}, &pg.InputError{Field: field, Message: "write the day as 2026-05-31"}
	}
	return pg.StartOfDay(day.AddDate(0, 0, plus), m.Location()), nil
}

// pageAddress is this page's address with another place in the list.
func pageAddress(c echo.Context, which string, cursor pg.Cursor) string {
	if cursor == (pg.Cursor{}) {
		return ""
	}
	q := url.Values{}
	for k, v := range c.QueryParams() {
		if k != "after" && k != "before" && len(v) > 0 && v[0] != "" {
			q.Set(k, v[0])
		}
	}
	q.Set(which, cursor.String())
	return c.Request().URL.Path + "?" + q.Encode()
}

func compare(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }

func deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
