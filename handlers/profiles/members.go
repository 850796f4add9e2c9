package profiles

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/profiles"
	"laurel/models/submissions"
	views "laurel/views/profiles"
	"laurel/views/texts"
)

const membersShown = 50

// Members lists the community's members.
func (h *Handlers) Members(c echo.Context) error {
	ctx, now := c.Request().Context(), h.Now()
	page, _ := strconv.Atoi(c.QueryParam("page")) // No number is the first page.
	page = min(max(page, 0), 10_000)
	rows, total, err := profiles.Members(ctx, h.DB.DB, "", page*membersShown, membersShown, now)
	if err != nil {
		return err
	}
	p := views.Members{Frame: h.Frame(c, texts.T(ctx, "Members")), Now: now.In(h.ViewerZone(c)), Total: int(total)}
	for _, m := range rows {
		p.Members = append(p.Members, memberRow(m, now))
	}
	if page > 0 {
		p.Newer = "/members?page=" + strconv.Itoa(page-1)
	}
	if int64((page+1)*membersShown) < total {
		p.Older = "/members?page=" + strconv.Itoa(page+1)
	}
	return web.Render(c, http.StatusOK, views.MembersPage(p))
}

func memberRow(m profiles.MemberRow, now time.Time) views.MemberRow {
	stats := submissions.MemberStats{DayStreak: m.DayStreak, LastDay: m.LastDay}
	today := pg.CivilDay(now, (&members.Member{TimeZone: m.TimeZone}).Location())
	return views.MemberRow{Name: m.Name, DisplayName: m.DisplayName, Custom: m.Custom, Solved: m.Solved,
		DayStreak: stats.CurrentDayStreak(today),
		Newest:    web.Deref(m.NewestAt), Accounts: m.Accounts, Running: m.Running > 0, Invalid: m.Invalid, Failing: m.Failing,
		Unread: m.Unread, Incomplete: m.Incomplete, CompleteUntil: web.Deref(m.CompleteUntil)}
}
