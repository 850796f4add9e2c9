package profiles

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	views "laurel/views/profiles"
)

// Days is the heatmap as a table: a year, or with ?until=DAY one that ends then.
func (h *Handlers) Days(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	today := pg.CivilDay(h.Now(), m.Location())
	last := today
	if text := c.QueryParam("until"); text != "" {
		last, err = time.Parse(time.DateOnly, text)
		if err != nil || last.Year() < 1970 || last.Year() > 9000 {
			return &pg.InputError{Field: "until", Message: "write the day as 2026-05-31"}
		}
	}
	first := last.AddDate(-1, 0, 1)
	days, err := profiles.DaysOf(ctx, h.DB.DB, m.ID, first, last.AddDate(0, 0, 1))
	if err != nil {
		return err
	}
	begin, err := profiles.FirstDayOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	p := views.Days{Frame: h.Frame(c, "Days of "+m.DisplayName), DisplayName: m.DisplayName, Year: yearView(&m, first, last, days)}
	if !begin.IsZero() && begin.Before(first) {
		p.Earlier = "/u/" + m.Name + "/days?until=" + first.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if last.Before(today) {
		p.Later = "/u/" + m.Name + "/days?until=" + last.AddDate(1, 0, 0).Format(time.DateOnly)
	}
	return web.Render(c, http.StatusOK, views.DaysPage(p))
}

// Ratings is the rating curves as tables.
func (h *Handlers) Ratings(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	accounts, err := profiles.RatingsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	return web.Render(c, http.StatusOK, views.RatingsPage(
		views.Ratings{Frame: h.Frame(c, "Ratings of "+m.DisplayName), Name: m.Name, DisplayName: m.DisplayName,
			Curves: h.curves(c, accounts)}))
}
