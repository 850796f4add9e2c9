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
	p := views.Submissions{Frame: h.ForumsFrame(c, "Submissions of "+m.DisplayName), Now: h.Now().In(h.Zone(c, &m)), Name: m.Name,
		DisplayName: m.DisplayName,
		Filter: views.SubmissionFilter{Site: q.Get("site"), Status: q.Get("status"), Language: q.Get("language"),
			Problem: q.Get("problem"), From: q.Get("from"), To: q.Get("to")}}
	for _, a := range accounts {
		p.Sites = append(p.Sites, parts.Choice{Value: a.Site, Text: h.Site(c, a.Site).Title})
		p.Pending = p.Pending || a.LastRetrievedAt == nil && a.State != members.StateInvalid && a.State != members.StatePaused
	}
	status := http.StatusOK
	err = h.fillSubmissions(c, &m, &p)
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

func (h *Handlers) fillSubmissions(c echo.Context, m *members.Member, p *views.Submissions) error {
	f := submissions.Filter{MemberID: m.ID, Site: p.Filter.Site, Status: p.Filter.Status, Language: p.Filter.Language,
		Problem: p.Filter.Problem}
	var err error
	if f.Since, err = web.DayStart("from", p.Filter.From, m, 0); err != nil {
		return err
	}
	if f.Until, err = web.DayStart("to", p.Filter.To, m, 1); err != nil {
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
	if p.Filter == (views.SubmissionFilter{From: p.Filter.From, To: p.Filter.To}) && p.Filter.From != "" && p.Filter.To != "" {
		if p.Undetailed, err = h.undetailed(c, m, p.Filter.From, p.Filter.To); err != nil {
			return err
		}
	}
	p.Rows = h.submissionRows(c, page.Items)
	p.Older, p.Newer = web.PageAddress(c, "after", page.Next), web.PageAddress(c, "before", page.Previous)
	return nil
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
