package profiles

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/views/parts"
	views "laurel/views/profiles"
	"laurel/views/texts"
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
			return &pg.InputError{Field: "until", Message: texts.T(ctx, "write the day as 2026-05-31")}
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
	p := views.Days{Frame: h.Frame(c, texts.T(ctx, "Days of %s", m.DisplayName)), DisplayName: m.DisplayName,
		Year: yearView(&m, first, last, days)}
	if !begin.IsZero() && begin.Before(first) {
		p.Earlier = "/u/" + m.Name + "/days?until=" + first.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if last.Before(today) {
		p.Later = "/u/" + m.Name + "/days?until=" + last.AddDate(1, 0, 0).Format(time.DateOnly)
	}
	return web.Render(c, http.StatusOK, views.DaysPage(p))
}

// ratingRows is how many contests a page of ratings has.
const ratingRows = 40

// Ratings is the rated contests of all sites or of one, newest first, a page at a time, and their curves.
func (h *Handlers) Ratings(c echo.Context) error {
	ctx, site := c.Request().Context(), c.QueryParam("site")
	m, err := members.ByName(ctx, h.DB.DB, c.Param("name"))
	if err != nil {
		return err
	}
	accounts, err := profiles.RatingsOf(ctx, h.DB.DB, m.ID)
	if err != nil {
		return err
	}
	path := web.MemberAddress(m.Name) + "/ratings"
	p := views.Ratings{Frame: h.Frame(c, texts.T(ctx, "Ratings of %s", m.DisplayName)), ID: m.ID, Name: m.Name, DisplayName: m.DisplayName}
	all, shown := 0, []profiles.AccountRatings(nil)
	for _, a := range accounts {
		if len(a.Ratings) > 0 {
			all += len(a.Ratings)
			p.Scopes = append(p.Scopes, parts.Scope{Label: h.Site(c, a.Site).Title, Path: path + "?site=" + url.QueryEscape(a.Site),
				Count: len(a.Ratings), Here: site == a.Site})
		}
		if site == "" || site == a.Site {
			shown = append(shown, a)
		}
	}
	if len(p.Scopes) > 1 {
		p.Scopes = append([]parts.Scope{{Label: texts.T(ctx, "All"), Path: path, Count: all, Here: site == ""}}, p.Scopes...)
	}
	p.Curves = h.curves(c, shown)
	p.Rows, p.Pages = views.RatingRows(p.Curves), parts.Pages{}
	n, _ := strconv.Atoi(c.QueryParam("page"))
	first := min((max(n, 1)-1)*ratingRows, len(p.Rows))
	address := func(n int) string {
		q := url.Values{"page": {strconv.Itoa(n)}}
		if site != "" {
			q.Set("site", site)
		}
		return path + "?" + q.Encode()
	}
	if first > 0 {
		p.Pages.Newer = address(n - 1)
	}
	if first+ratingRows < len(p.Rows) {
		p.Pages.Older = address(max(n, 1) + 1)
	}
	p.Rows = p.Rows[first:min(first+ratingRows, len(p.Rows))]
	return web.Render(c, http.StatusOK, views.RatingsPage(p))
}
