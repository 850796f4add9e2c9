package forums

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/forums"
	views "laurel/views/forums"
	"laurel/views/parts"
)

const (
	twiceShown        = 20
	runsShown         = 20
	inspectionRefresh = 5 // Seconds, for browsers without scripts.
)

// Admin is the admins' page of forums.
func (h *Handlers) Admin(c echo.Context) error {
	return h.showAdmin(c, http.StatusOK, views.Admin{})
}

// showAdmin fills p, which says what was refused, with the rest of the page.
func (h *Handlers) showAdmin(c echo.Context, status int, p views.Admin) error {
	ctx := c.Request().Context()
	p.Frame, p.Now = h.ForumsFrame(c, "Manage forums"), h.Now().In(h.ViewerZone(c))
	var err error
	if p.Forums, err = h.forumViews(ctx); err != nil {
		return err
	}
	return web.Render(c, status, views.AdminPage(p))
}

// AdminForum is the admins' page of one forum.
func (h *Handlers) AdminForum(c echo.Context) error {
	return h.showAdminForum(c, http.StatusOK, views.AdminForum{})
}

// showAdminForum fills p, which says what was refused, with the rest of the page.
func (h *Handlers) showAdminForum(c echo.Context, status int, p views.AdminForum) error {
	ctx := c.Request().Context()
	f, err := forums.BySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	p.Frame, p.Now, p.From = h.ForumsFrame(c, f.Name+" for admins"), h.Now().In(h.ViewerZone(c)), f.FromPeriod
	runs, err := forums.Runs(ctx, h.DB.DB, f.ID, runsShown)
	if err != nil {
		return err
	}
	p.Forum = h.forumView(&f, forums.Run{})
	for _, r := range runs {
		p.Runs = append(p.Runs, runView(r))
	}
	if len(runs) > 0 {
		p.Forum.Run = p.Runs[0]
	}
	if p.Forum.Running || p.Forum.Kicked {
		p.Frame.Refresh = inspectionRefresh
	}
	periods, err := forums.Periods(ctx, h.DB.DB, f.ID)
	if err != nil {
		return err
	}
	p.Periods, p.Gaps = len(periods), gaps(periods)
	var last time.Time
	for _, x := range periods {
		if x.CheckedAt == nil || x.CheckedAt.Before(p.Forum.Run.Started) {
			continue
		}
		p.Read++
		if x.CheckedAt.After(last) {
			last, p.LastPart = *x.CheckedAt, x.Period
		}
	}
	for _, g := range p.Gaps {
		p.Forum.Missing += g.Listed - g.Stored
	}
	if err := h.fillTroubles(c, &p, &f); err != nil {
		return err
	}
	return web.Render(c, status, views.AdminForumPage(p))
}

// fillTroubles shows what could not be read, and what came twice.
func (h *Handlers) fillTroubles(c echo.Context, p *views.AdminForum, f *forums.Forum) error {
	ctx := c.Request().Context()
	broken, total, err := forums.Gaps(ctx, h.DB.DB, f.ID, twiceShown)
	if err != nil {
		return err
	}
	p.Broken.Total = total
	for _, g := range broken {
		p.Broken.Shown = append(p.Broken.Shown, views.BrokenPage{URL: g.Address, Reason: g.Reason, Tries: g.Tries, First: g.FirstAt,
			Next: g.DueAt})
	}
	if f.Duplicates > 0 {
		list, err := forums.Duplicates(ctx, h.DB.DB, f.ID, twiceShown)
		if err != nil {
			return err
		}
		p.Twice.Total = f.Duplicates
		for _, d := range list {
			p.Twice.Shown = append(p.Twice.Shown, views.Twice(d))
		}
	}
	return nil
}

// forumRefused shows a forum's page again with what was wrong.
func (h *Handlers) forumRefused(c echo.Context, err error) error {
	for _, message := range web.FieldErrors(err) {
		return h.showAdminForum(c, http.StatusUnprocessableEntity, views.AdminForum{Wrong: message})
	}
	return err
}

// Kick has a forum read at once.
func (h *Handlers) Kick(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	how := c.FormValue("how")
	if _, err := forums.Kick(c.Request().Context(), h.DB.DB, c.Param("slug"), how == "burst", how == "again", h.Now()); err != nil {
		return h.forumRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, adminForum(c, "kicked"))
}

// adminForum is the admins' page of the forum that was changed.
func adminForum(c echo.Context, done string) string {
	return "/admin/forums/" + c.Param("slug") + "?done=" + done
}

// SetState opens, pauses or finishes a forum.
func (h *Handlers) SetState(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if _, err := forums.SetState(c.Request().Context(), h.DB.DB, c.Param("slug"), c.FormValue("state"), h.Now()); err != nil {
		return h.forumRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, adminForum(c, "saved"))
}

// SetGap sets how far apart requests to a forum are.
func (h *Handlers) SetGap(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(c.FormValue("gap")), 64)
	if err != nil || !(seconds >= 0 && seconds < 1e6) {
		seconds = 0 // Which is refused, with what is allowed.
	}
	gap := int(seconds * 1000)
	_, err = forums.Change(c.Request().Context(), h.DB.DB, c.Param("slug"), forums.Edit{GapMs: &gap}, h.Now())
	if wrong := web.FieldErrors(err); wrong != nil {
		wrong = map[string]string{"gap": "must be from 1 to 600 seconds"}
		return h.showAdminForum(c, http.StatusUnprocessableEntity, views.AdminForum{Rate: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, adminForum(c, "saved"))
}

// RequestInspection asks what a pasted address is; a job answers.
func (h *Handlers) RequestInspection(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	in, err := forums.RequestInspection(c.Request().Context(), h.DB.DB, c.FormValue("url"), h.Viewer(c).Name, h.Now())
	if wrong := web.FieldErrors(err); wrong != nil {
		return h.showAdmin(c, http.StatusUnprocessableEntity, views.Admin{Add: web.FormAgain(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, inspectionAddress(in.ID))
}

func inspectionAddress(id int64) string { return "/admin/forums/looks/" + strconv.FormatInt(id, 10) }

func (h *Handlers) inspection(c echo.Context) (forums.Inspection, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		return forums.Inspection{}, pg.ErrNotFound
	}
	return forums.InspectionByID(c.Request().Context(), h.DB.DB, id)
}

// Inspection shows what an address turned out to be.
func (h *Handlers) Inspection(c echo.Context) error {
	in, err := h.inspection(c)
	if err != nil {
		return err
	}
	return h.showInspection(c, http.StatusOK, &in, parts.Form{})
}

func (h *Handlers) showInspection(c echo.Context, status int, in *forums.Inspection, form parts.Form) error {
	p := views.Inspection{Frame: h.ForumsFrame(c, "Check an address"), Now: h.Now().In(h.ViewerZone(c)), ID: in.ID, URL: in.URL,
		Asked: in.RequestedAt, Answered: web.Deref(in.AnsweredAt),
		Kind: in.Kind, Base: in.Base, Robots: in.Robots, Wrong: in.Message, Periods: in.Periods, Messages: in.Messages,
		Form: form, Slug: forums.SlugFor(in.Base)}
	p.Name = cmp.Or(in.Name, p.Slug)
	if in.AnsweredAt == nil {
		p.Frame.Refresh = inspectionRefresh
	}
	if in.Kind != "" {
		f, err := forums.ByURL(c.Request().Context(), h.DB.DB, in.Base)
		if err != nil && !errors.Is(err, pg.ErrNotFound) {
			return err
		}
		p.Known = f.Slug
	}
	return web.Render(c, status, views.InspectionPage(p))
}

// HarvestInspected adds the forum that an inspection found, which is harvested at once.
func (h *Handlers) HarvestInspected(c echo.Context) error {
	in, err := h.inspection(c)
	if err != nil {
		return err
	}
	if err := web.ParseForm(c); err != nil {
		return err
	}
	if in.Kind == "" {
		return h.showAdmin(c, http.StatusUnprocessableEntity,
			views.Admin{Add: parts.Form{Values: map[string]string{"url": in.URL},
				Errors: map[string]string{"url": "no mailing list or forum found at this address"}}})
	}
	f, _, err := forums.Add(c.Request().Context(), h.DB.DB,
		forums.New{Slug: c.FormValue("slug"), Name: c.FormValue("name"), Kind: in.Kind, URL: in.Base, From: c.FormValue("from"),
			AddedBy: h.Viewer(c).Name}, h.ForumKinds, h.Now())
	if wrong := web.FieldErrors(err); wrong != nil {
		for _, other := range []string{"url", "kind"} { // They have no field here.
			wrong["slug"] = cmp.Or(wrong["slug"], wrong[other])
		}
		return h.showInspection(c, http.StatusUnprocessableEntity, &in, web.FormAgain(c, wrong))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/forums/"+f.Slug+"?done=harvest")
}
