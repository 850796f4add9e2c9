package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
	pg "laurel/models/db"
	"laurel/views"
)

const (
	twiceShown     = 20
	runsShown      = 20
	lookRefreshing = 5 // Seconds, for browsers without scripts.
)

// ForumsAdmin is the admins' page of forums.
func (h *forumHandlers) ForumsAdmin(c echo.Context) error {
	return h.showForumsAdmin(c, http.StatusOK, views.ForumsAdmin{})
}

// showForumsAdmin fills p, which says what was refused, with the rest of the page.
func (h *forumHandlers) showForumsAdmin(c echo.Context, status int, p views.ForumsAdmin) error {
	ctx := c.Request().Context()
	p.Frame, p.Now = h.forumsFrame(c, "Forums for admins"), h.Now().In(h.viewerZone(c))
	var err error
	if p.Forums, err = h.forumViews(ctx); err != nil {
		return err
	}
	return render(c, status, views.ForumsAdminPage(p))
}

// ForumAdmin is the admins' page of one forum.
func (h *forumHandlers) ForumAdmin(c echo.Context) error {
	return h.showForumAdmin(c, http.StatusOK, views.ForumAdmin{})
}

// showForumAdmin fills p, which says what was refused, with the rest of the page.
func (h *forumHandlers) showForumAdmin(c echo.Context, status int, p views.ForumAdmin) error {
	ctx := c.Request().Context()
	f, err := models.ForumBySlug(ctx, h.DB.DB, c.Param("slug"))
	if err != nil {
		return err
	}
	p.Frame, p.Now, p.From = h.forumsFrame(c, f.Name+" for admins"), h.Now().In(h.viewerZone(c)), f.FromPeriod
	runs, err := models.ForumRuns(ctx, h.DB.DB, f.ID, runsShown)
	if err != nil {
		return err
	}
	p.Forum = h.forumView(&f, models.Run{})
	for _, r := range runs {
		p.Runs = append(p.Runs, runView(r))
	}
	if len(runs) > 0 {
		p.Forum.Run = p.Runs[0]
	}
	if p.Forum.Running || p.Forum.Kicked {
		p.Frame.Refresh = lookRefreshing
	}
	periods, err := models.ForumPeriods(ctx, h.DB.DB, f.ID)
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
	broken, total, err := models.ForumGaps(ctx, h.DB.DB, f.ID, twiceShown)
	if err != nil {
		return err
	}
	p.Broken.Total = total
	for _, g := range broken {
		p.Broken.Shown = append(p.Broken.Shown, views.BrokenPage{URL: g.Address, Reason: g.Reason, Tries: g.Tries, First: g.FirstAt, Next: g.DueAt})
	}
	if f.Duplicates > 0 {
		list, err := models.ForumDuplicates(ctx, h.DB.DB, f.ID, twiceShown)
		if err != nil {
			return err
		}
		p.Twice.Total = f.Duplicates
		for _, d := range list {
			p.Twice.Shown = append(p.Twice.Shown, views.Twice(d))
		}
	}
	return render(c, status, views.ForumAdminPage(p))
}

// forumRefused shows a forum's page again with what was wrong.
func (h *forumHandlers) forumRefused(c echo.Context, err error) error {
	for _, message := range fieldErrors(err) {
		return h.showForumAdmin(c, http.StatusUnprocessableEntity, views.ForumAdmin{Wrong: message})
	}
	return err
}

// KickForum wants a forum looked at at once.
func (h *forumHandlers) KickForum(c echo.Context) error {
	if err := parse(c); err != nil {
		return err
	}
	how := c.FormValue("how")
	if _, err := models.KickForum(c.Request().Context(), h.DB.DB, c.Param("slug"), how == "burst", how == "again", h.Now()); err != nil {
		return h.forumRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, adminForum(c, "kicked"))
}

// adminForum is the admins' page of the forum that was changed.
func adminForum(c echo.Context, done string) string {
	return "/admin/forums/" + c.Param("slug") + "?done=" + done
}

// MoveForum opens, pauses or finishes a forum.
func (h *forumHandlers) MoveForum(c echo.Context) error {
	if err := parse(c); err != nil {
		return err
	}
	if _, err := models.SetForumState(c.Request().Context(), h.DB.DB, c.Param("slug"), c.FormValue("state"), h.Now()); err != nil {
		return h.forumRefused(c, err)
	}
	return c.Redirect(http.StatusSeeOther, adminForum(c, "saved"))
}

// SetForumGap sets how far apart requests to a forum are.
func (h *forumHandlers) SetForumGap(c echo.Context) error {
	if err := parse(c); err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(c.FormValue("gap")), 64)
	if err != nil || !(seconds >= 0 && seconds < 1e6) {
		seconds = 0 // Which is refused, with what is allowed.
	}
	gap := int(seconds * 1000)
	_, err = models.ChangeForum(c.Request().Context(), h.DB.DB, c.Param("slug"), models.ForumChange{GapMs: &gap}, h.Now())
	if wrong := fieldErrors(err); wrong != nil {
		wrong = map[string]string{"gap": "must be from 1 to 600 seconds"}
		return h.showForumAdmin(c, http.StatusUnprocessableEntity, views.ForumAdmin{Rate: typed(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, adminForum(c, "saved"))
}

// AskForumLook asks what a pasted address is; a job answers.
func (h *forumHandlers) AskForumLook(c echo.Context) error {
	if err := parse(c); err != nil {
		return err
	}
	look, err := models.AskForumLook(c.Request().Context(), h.DB.DB, c.FormValue("url"), h.viewer(c).Name, h.Now())
	if wrong := fieldErrors(err); wrong != nil {
		return h.showForumsAdmin(c, http.StatusUnprocessableEntity, views.ForumsAdmin{Add: typed(c, wrong)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, lookAddress(look.ID))
}

func lookAddress(id int64) string { return "/admin/forums/looks/" + strconv.FormatInt(id, 10) }

func (h *forumHandlers) forumLook(c echo.Context) (models.ForumLook, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		return models.ForumLook{}, pg.ErrNotFound
	}
	return models.ForumLookByID(c.Request().Context(), h.DB.DB, id)
}

// ForumLook shows what an address turned out to be.
func (h *forumHandlers) ForumLook(c echo.Context) error {
	look, err := h.forumLook(c)
	if err != nil {
		return err
	}
	return h.showForumLook(c, http.StatusOK, &look, views.Form{})
}

func (h *forumHandlers) showForumLook(c echo.Context, status int, look *models.ForumLook, form views.Form) error {
	p := views.ForumLook{Frame: h.forumsFrame(c, "What is at this address"), Now: h.Now().In(h.viewerZone(c)), ID: look.ID, URL: look.URL, Asked: look.AskedAt, Answered: deref(look.AnsweredAt),
		Kind: look.Kind, Base: look.Base, Robots: look.Robots, Wrong: look.Message, Periods: look.Periods, Messages: look.Messages, Form: form, Slug: models.ForumSlugFor(look.Base)}
	p.Name = cmp.Or(look.Name, p.Slug)
	if look.AnsweredAt == nil {
		p.Frame.Refresh = lookRefreshing
	}
	if look.Kind != "" {
		f, err := models.ForumByURL(c.Request().Context(), h.DB.DB, look.Base)
		if err != nil && !errors.Is(err, pg.ErrNotFound) {
			return err
		}
		p.Known = f.Slug
	}
	return render(c, status, views.ForumLookPage(p))
}

// HarvestLooked adds the forum that a look has found, which is harvested at once.
func (h *forumHandlers) HarvestLooked(c echo.Context) error {
	look, err := h.forumLook(c)
	if err != nil {
		return err
	}
	if err := parse(c); err != nil {
		return err
	}
	if look.Kind == "" {
		return h.showForumsAdmin(c, http.StatusUnprocessableEntity, views.ForumsAdmin{Add: views.Form{Values: map[string]string{"url": look.URL}, Errors: map[string]string{"url": "nothing that can be harvested was found here"}}})
	}
	f, _, err := models.AddForum(c.Request().Context(), h.DB.DB, models.NewForum{Slug: c.FormValue("slug"), Name: c.FormValue("name"), Kind: look.Kind, URL: look.Base, From: c.FormValue("from"),
		AddedBy: h.viewer(c).Name}, h.ForumKinds, h.Now())
	if wrong := fieldErrors(err); wrong != nil {
		for _, other := range []string{"url", "kind"} { // They have no field here.
			wrong["slug"] = cmp.Or(wrong["slug"], wrong[other])
		}
		return h.showForumLook(c, http.StatusUnprocessableEntity, &look, typed(c, wrong))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/forums/"+f.Slug+"?done=harvest")
}
