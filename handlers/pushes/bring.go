package pushes

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/pushes"
	"laurel/models/submissions"
	"laurel/views/parts"
	views "laurel/views/pushes"
	"laurel/views/texts"
)

// Bring is the page on which a member brings a history.
func (h *Handlers) Bring(c echo.Context) error {
	of, err := h.Managed(c)
	if err != nil {
		return err
	}
	return h.showBring(c, http.StatusOK, of, views.Bring{})
}

// showBring fills p, which says what was just done, with the rest of the page.
func (h *Handlers) showBring(c echo.Context, status int, of *members.Member, p views.Bring) error {
	brought, err := pushes.BroughtBy(c.Request().Context(), h.DB.DB, of.ID)
	if err != nil {
		return err
	}
	for _, b := range brought {
		p.Brought = append(p.Brought, views.Brought{Site: b.Site, Title: h.Site(c, b.Site).Title, N: b.N, At: web.Deref(b.PushedAt)})
	}
	p.Frame, p.Now = h.Frame(c, texts.T(c.Request().Context(), "Bring your history")), h.Now().In(h.Zone(c, of))
	p.Name, p.DisplayName = of.Name, of.DisplayName
	return web.Render(c, status, views.BringPage(p))
}

// Preview reads a file and shows what would be stored.
func (h *Handlers) Preview(c echo.Context) error {
	of, err := h.pushing(c)
	if err != nil {
		return err
	}
	text, err := web.Upload(c, "text", maxBody)
	if err != nil {
		return err
	}
	f, err := pushes.ReadFile([]byte(text), h.Sites(c), h.Now())
	if err != nil {
		form := web.FormAgain(c, map[string]string{"file": web.Sentence(err.Error())})
		return h.showBring(c, http.StatusUnprocessableEntity, of, views.Bring{Form: form})
	}
	handle := pg.CleanText(c.FormValue("handle"))
	p := pushes.Push{MemberID: of.ID, Sites: h.Sites(c), Handle: handle, Rows: f.Rows}
	would, err := pushes.DryRun(c.Request().Context(), h.DB.DB, p, h.Now())
	if err != nil {
		return err
	}
	id, err := pushes.Keep(c.Request().Context(), h.DB.DB, of.ID, handle, f, h.Now())
	if err != nil {
		return err
	}
	v := h.preview(c, f)
	v.ID, v.New, v.Changed, v.Known = id, would.Accepted, would.Changed, would.Duplicate
	v.Unread = unread(would.With(f.Unread).Rejected)
	return h.showBring(c, http.StatusOK, of, views.Bring{Preview: &v})
}

// preview counts what a file would store.
func (h *Handlers) preview(c echo.Context, f *pushes.File) views.Preview {
	v := views.Preview{Kind: f.Kind, Rows: len(f.Rows)}
	statuses, sites := map[string]int{}, map[string]int{}
	for i := range f.Rows {
		r := &f.Rows[i]
		statuses[r.Status]++
		sites[h.Site(c, r.Site).Title]++
		switch {
		case r.At.Equal(submissions.UnknownTime):
			v.Timeless++
			continue
		case v.First.IsZero() || r.At.Before(v.First):
			v.First = r.At
		}
		if r.At.After(v.Last) {
			v.Last = r.At
		}
	}
	for title, n := range sites {
		v.Sites = append(v.Sites, views.Count{Title: title, N: n})
	}
	slices.SortFunc(v.Sites, func(a, b views.Count) int { return strings.Compare(a.Title, b.Title) })
	for _, s := range submissions.Statuses {
		if statuses[s] > 0 {
			v.Statuses = append(v.Statuses, parts.StatusCount{Status: s, Count: statuses[s]})
		}
	}
	return v
}

func unread(lines []pushes.Rejected) []views.Unread {
	out := make([]views.Unread, len(lines))
	for i, l := range lines {
		out[i] = views.Unread{Line: l.Line, Why: l.Error}
	}
	slices.SortStableFunc(out, func(a, b views.Unread) int { return a.Line - b.Line })
	return out
}

// StoreFile stores the file whose preview was shown, and reports.
func (h *Handlers) StoreFile(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	of, err := h.pushing(c)
	if err != nil {
		return err
	}
	r, err := pushes.StoreKept(c.Request().Context(), h.DB.DB, h.Sites(c), of.ID, c.FormValue("id"), h.Now())
	if err != nil {
		return err
	}
	return h.showBring(c, http.StatusOK, of, views.Bring{Report: &views.Report{Accepted: r.Accepted, Duplicate: r.Duplicate,
		Changed: r.Changed, Rejected: unread(r.Rejected)}})
}

// DeleteBrought removes what a member brought to a site.
func (h *Handlers) DeleteBrought(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	of, err := h.Managed(c)
	if err != nil {
		return err
	}
	if _, err := pushes.Delete(c.Request().Context(), h.DB.DB, of.ID, c.FormValue("site"), "", h.Now()); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/u/"+of.Name+"/bring?done=brought-gone")
}
