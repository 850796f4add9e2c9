package handlers

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
	"laurel/views"
)

// Days is the heatmap as a table: a year, or with ?until=DAY one that ends then.
func (h *Handlers) Days(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := models.MemberByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	today := models.CivilDay(h.Now(), m.Location())
	last := today
	if text := c.QueryParam("until"); text != "" {
		last, err = time.Parse(time.DateOnly, text)
		if err != nil || last.Year() < 1970 || last.Year() > 9000 {
			return &models.InputError{Field: "until", Message: "write the day as 2026-05-31"}
		}
	}
	first := last.AddDate(-1, 0, 1)
	days, err := models.DaysOf(ctx, h.DB.DB, m.ID, first, last.AddDate(0, 0, 1))
	if err != nil {
		return err
	}
	begin, err := models.FirstDayOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	p := views.Days{Frame: h.frame(c, "Days of "+m.DisplayName), DisplayName: m.DisplayName, Year: yearView(&m, first, last, days)}
	if !begin.IsZero() && begin.Before(first) {
		p.Earlier = "/u/" + m.Name + "/days?until=" + first.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if last.Before(today) {
		p.Later = "/u/" + m.Name + "/days?until=" + last.AddDate(1, 0, 0).Format(time.DateOnly)
	}
	return render(c, http.StatusOK, views.DaysPage(p))
}

// Ratings is the rating curves as tables.
func (h *Handlers) Ratings(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := models.MemberByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	accounts, err := models.RatingsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, views.RatingsPage(views.Ratings{Frame: h.frame(c, "Ratings of "+m.DisplayName), Name: m.Name, DisplayName: m.DisplayName, Curves: h.curves(accounts)}))
}

// SitesPage is how the judge sites do.
func (h *Handlers) SitesPage(c echo.Context) error {
	now := h.Now()
	healths, err := models.SiteHealths(c.Request().Context(), h.DB.DB, now)
	if err != nil {
		return err
	}
	viewer := h.viewer(c)
	p := views.Sites{Frame: h.frame(c, "Sites"), Now: now.In(h.viewerZone(c)), Admin: viewer != nil && viewer.Role == models.RoleAdmin}
	held := h.held(c)
	for _, s := range h.Sites {
		i := slices.IndexFunc(healths, func(x models.SiteHealth) bool { return x.Site == s.Name })
		var x models.SiteHealth
		if i >= 0 {
			x = healths[i]
		}
		v := views.SiteHealth{Title: s.Title, Home: s.Home, Accounts: x.Accounts, LastSuccess: deref(x.LastSuccess), FailingSince: deref(x.FailingSince),
			Outcome: x.Outcome, Why: x.Message, Requests: x.Requests, Queue: x.Queue, OldestDue: deref(x.OldestDue),
			Running: x.Running, Failed: x.Failures, Done: x.Retrievals - x.Failures, New: x.NewRows, Invalid: x.Invalid, Paused: x.Paused}
		viewCircuit(&v, held[s.Name])
		p.Sites = append(p.Sites, v)
	}
	slices.SortFunc(p.Sites, func(a, b views.SiteHealth) int { return compare(a.Title, b.Title) })
	p.Frame.Health = views.HealthLine(p.Sites, p.Now)
	return render(c, http.StatusOK, views.SitesPage(p))
}
