package profiles

import (
	"cmp"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/models/submissions"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

// How many rows a page of submissions has, and a file of them.
const (
	pageRows = 50
	fileRows = 20000
)

// Submissions lists a member's submissions.
func (h *Handlers) Submissions(c echo.Context) error {
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
	p := views.Submissions{Frame: h.ForumsFrame(c, texts.T(ctx, "Submissions of %s", m.DisplayName)), Now: h.Now().In(h.Zone(c, &m)),
		Name: m.Name,
		ID:   m.ID, DisplayName: m.DisplayName,
		Filter: views.SubmissionFilter{Site: q.Get("site"), Status: q.Get("status"), Language: q.Get("language"),
			Problem: q.Get("problem"), From: q.Get("from"), To: q.Get("to")}}
	for _, a := range accounts {
		p.Sites = append(p.Sites, parts.Choice{Value: a.Site, Text: h.Site(c, a.Site).Title})
		p.Pending = p.Pending || a.LastRetrievedAt == nil && a.State != members.StateInvalid && a.State != members.StatePaused
	}
	f, err := submissionFilter(&m, &p.Filter)
	if err == nil && q.Get("format") == "csv" {
		return h.submissionsFile(c, &m, f)
	}
	if err == nil {
		err = h.fillSubmissions(c, &m, f, &p)
	}
	status := http.StatusOK
	if wrong := web.FieldErrors(err); wrong != nil {
		for _, words := range wrong {
			p.Mistake = words
		}
		status, err = http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	return web.Render(c, status, views.SubmissionsPage(p))
}

// submissionFilter is what was typed, with days of the member's zone.
func submissionFilter(m *members.Member, typed *views.SubmissionFilter) (submissions.Filter, error) {
	f := submissions.Filter{MemberID: m.ID, Site: typed.Site, Status: typed.Status, Language: typed.Language, Problem: typed.Problem}
	var err error
	if f.Since, err = web.DayStart("from", typed.From, m, 0); err != nil {
		return f, err
	}
	f.Until, err = web.DayStart("to", typed.To, m, 1)
	return f, err
}

func (h *Handlers) fillSubmissions(c echo.Context, m *members.Member, f submissions.Filter, p *views.Submissions) error {
	after, before := c.QueryParam("after"), c.QueryParam("before")
	cursor, err := pg.ParseCursor(cmp.Or(after, before))
	if err != nil {
		return err
	}
	page, err := submissions.Of(c.Request().Context(), h.DB.DB, f, cursor, after == "" && before != "", pageRows)
	if err != nil {
		return err
	}
	if p.Filter == (views.SubmissionFilter{From: p.Filter.From, To: p.Filter.To}) && p.Filter.From != "" && p.Filter.To != "" {
		if p.Undetailed, err = h.undetailed(c, m, p.Filter.From, p.Filter.To); err != nil {
			return err
		}
	}
	p.Rows = h.submissionRows(c, page.Items)
	p.Older, p.Newer = web.PageAddress(c, "after", page.Next), web.PageAddress(c, "before", page.Previous)
	return h.countSubmissions(c, f, p)
}

// countSubmissions adds how many there are in all, and on each day that the page shows.
func (h *Handlers) countSubmissions(c echo.Context, f submissions.Filter, p *views.Submissions) error {
	zone := p.Now.Location()
	var from, until time.Time
	for _, r := range p.Rows {
		if r.At.IsZero() {
			continue
		}
		day := pg.CivilDay(r.At, zone)
		from = pg.StartOfDay(day, zone)
		if until.IsZero() {
			until = pg.StartOfDay(day.AddDate(0, 0, 1), zone)
		}
	}
	all, days, err := submissions.Counts(c.Request().Context(), h.DB.DB, f, zone.String(), from, until)
	if err != nil {
		return err
	}
	p.All, p.Accepted, p.Days = all.Submitted, all.Accepted, map[string]views.DaySum{}
	for _, d := range days {
		p.Days[d.Day.Format(time.DateOnly)] = views.DaySum{Submitted: d.Submitted, Accepted: d.Accepted}
	}
	return nil
}

// submissionsFile answers with the newest rows for spreadsheets.
func (h *Handlers) submissionsFile(c echo.Context, m *members.Member, f submissions.Filter) error {
	page, err := submissions.Of(c.Request().Context(), h.DB.DB, f, pg.Cursor{}, false, fileRows)
	if err != nil {
		return err
	}
	sheet := web.Sheet{Name: "submissions-" + m.Name,
		Head: []string{"submitted_at", "site", "problem", "name", "status", "language", "url"}}
	for _, s := range page.Items {
		var at any = s.SubmittedAt
		if s.SubmittedAt.Equal(submissions.UnknownTime) {
			at = nil
		}
		sheet.Rows = append(sheet.Rows, []any{at, s.Site, s.ProblemKey, s.ProblemName, s.Status, s.Language, s.URL})
	}
	return sheet.SendCSV(c)
}

// undetailed is what a member did on days, both included, that has no rows.
func (h *Handlers) undetailed(c echo.Context, m *members.Member, from, to string) (n int, err error) {
	first, err1 := time.Parse(time.DateOnly, from)
	last, err2 := time.Parse(time.DateOnly, to)
	if err := cmp.Or(err1, err2); err != nil {
		return 0, err
	}
	days, err := profiles.DaysOf(c.Request().Context(), h.DB.DB, m.ID, first, last.AddDate(0, 0, 1))
	for _, d := range days {
		n += d.Undetailed
	}
	return n, err
}
