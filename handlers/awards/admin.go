package awards

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/members"
	views "laurel/views/awards"
)

// Admin is the admins' list of awards.
func (h *Handlers) Admin(c echo.Context) error {
	return h.showAdmin(c, http.StatusOK, views.Admin{})
}

func (h *Handlers) showAdmin(c echo.Context, status int, p views.Admin) error {
	ctx := c.Request().Context()
	all, err := awards.All(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	recounts, err := awards.OpenRecounts(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	missing, err := awards.MissingStarters(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	p.Starter, p.Frame, p.Now = len(missing), h.AwardsFrame(c, "Manage awards"), h.Now().In(h.Viewer(c).Location())
	for i := range all {
		a := &all[i]
		card := awardCard(a, 0)
		r, counting := recounts[a.ID]
		row := views.AdminRow{Slug: a.Slug, Title: card.Title, State: string(a.State), Secret: a.Secret, Version: a.Version,
			Latest: a.Latest, Holders: int(a.Holders), Recounting: counting, Items: int(r.Items)}
		if len(a.Mistakes) > 0 {
			row.Mistake = a.Mistakes[0].String()
		}
		p.Rows = append(p.Rows, row)
	}
	return web.Render(c, status, views.AdminPage(p))
}

// InstallStarters writes the awards of the starter set that are not here, and
// lets them run if that is asked for.
func (h *Handlers) InstallStarters(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	ctx := c.Request().Context()
	missing, err := awards.MissingStarters(ctx, h.DB.DB)
	if err != nil {
		return err
	}
	if _, err := awards.InstallStarters(ctx, h.DB.DB, h.Viewer(c).Name, h.Now()); err != nil {
		return err
	}
	if c.FormValue("as") == "active" {
		for _, a := range missing {
			if err := awards.Activate(ctx, h.DB.DB, a.Slug, 1, h.Now()); err != nil {
				return err
			}
		}
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards?done=starter")
}

// Activate lets any version run: the newest, or an older one again.
func (h *Handlers) Activate(c echo.Context) error {
	return h.changeAward(c, "activated", func(a *awards.Award) error {
		number, err := strconv.Atoi(c.FormValue("version"))
		if err != nil || number < 1 {
			return &pg.InputError{Field: "version", Message: "choose one of the versions"}
		}
		return awards.Activate(c.Request().Context(), h.DB.DB, a.Slug, number, h.Now())
	})
}

// SetState pauses, retires or hides an award, or lets it go on.
func (h *Handlers) SetState(c echo.Context) error {
	return h.changeAward(c, "saved", func(a *awards.Award) error {
		to := rules.State(c.FormValue("to"))
		if to == rules.Running {
			return awards.Activate(c.Request().Context(), h.DB.DB, a.Slug, a.Version, h.Now())
		}
		return awards.SetState(c.Request().Context(), h.DB.DB, a.Slug, to, h.Now())
	})
}

// SetSecret shows an award only to those who have it, or to all.
func (h *Handlers) SetSecret(c echo.Context) error {
	return h.changeAward(c, "saved", func(a *awards.Award) error {
		return awards.SetSecret(c.Request().Context(), h.DB.DB, a.Slug, c.FormValue("secret") == "yes")
	})
}

// changeAward does something to the award of the address and shows it again.
func (h *Handlers) changeAward(c echo.Context, done string, change func(a *awards.Award) error) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	a, err := h.editedAward(c)
	if err != nil {
		return err
	}
	if err := change(&a); err != nil {
		return h.stillEdits(c, a, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards/"+a.Slug+"?done="+done)
}

// stillEdits shows an award's form with why something was not done to it.
func (h *Handlers) stillEdits(c echo.Context, a awards.Award, cause error) error {
	v, err := awards.VersionOf(c.Request().Context(), h.DB.DB, &a, 0)
	if err != nil {
		return cause
	}
	d := &draft{award: a, basis: a.Latest, number: a.Latest}
	d.read(versionText(&v))
	return h.refusedEdit(c, d, cause)
}

// Delete deletes an award whose address was typed once more.
func (h *Handlers) Delete(c echo.Context) error {
	if err := web.ParseForm(c); err != nil {
		return err
	}
	a, err := h.editedAward(c)
	if err != nil {
		return err
	}
	if strings.TrimSpace(c.FormValue("confirm")) != a.Slug {
		err = &pg.InputError{Field: "confirm", Message: "to delete " + a.Slug + ", type " + a.Slug + " exactly"}
	} else {
		err = awards.Delete(c.Request().Context(), h.DB.DB, a.Slug)
	}
	if err != nil {
		return h.stillEdits(c, a, err)
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards?done=gone")
}

// Versions shows what differs between two versions.
func (h *Handlers) Versions(c echo.Context) error {
	ctx := c.Request().Context()
	a, err := h.editedAward(c)
	if err != nil {
		return err
	}
	to := versionParam(c, "to")
	if to == 0 {
		to = a.Latest
	}
	from := versionParam(c, "from")
	if from == 0 {
		from = max(to-1, 1)
	}
	p := views.Diff{Frame: h.AwardsFrame(c, fmt.Sprintf("Versions %d and %d of %s", from, to, a.Slug)),
		Now: h.Now().In(h.Viewer(c).Location()), Slug: a.Slug}
	older, err := awards.VersionOf(ctx, h.DB.DB, &a, from)
	if err != nil {
		return err
	}
	newer, err := awards.VersionOf(ctx, h.DB.DB, &a, to)
	if err != nil {
		return err
	}
	x, wrongX := older.Parsed()
	y, wrongY := newer.Parsed()
	if len(wrongX) == 0 && len(wrongY) == 0 {
		p.Change = changeWords[rules.Compare(&x, &y)]
	}
	p.Title, p.From, p.To = y.Title, viewVersion(&older, &a), viewVersion(&newer, &a)
	p.Lines = lineDiff(versionText(&older), versionText(&newer))
	return web.Render(c, http.StatusOK, views.DiffPage(p))
}

// changeWords is what it takes to go from one version to another.
var changeWords = map[rules.Change]string{
	rules.Same:     "No differences.",
	rules.Words:    "Only texts differ. Nothing is recounted.",
	rules.Goals:    "Goals differ. Awards are evaluated again from the existing counters.",
	rules.Counting: "What counts differs. The changed tasks are recounted.",
}

// FindMember leads to the page that explains the award of a member.
func (h *Handlers) FindMember(c echo.Context) error {
	m, err := members.ByName(c.Request().Context(), h.DB.DB, strings.TrimSpace(c.QueryParam("member")))
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/admin/awards/"+url.PathEscape(c.Param("slug"))+"/members/"+url.PathEscape(m.Name))
}
