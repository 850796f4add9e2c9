package admin

import (
	"encoding/csv"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/accounts"
	views "laurel/views/admin"
)

const membersShown = 50

// Members lists the registered members, those who were searched for or all.
func (h *Handlers) Members(c echo.Context) error {
	f := accounts.Find{Search: c.QueryParam("q"), State: c.QueryParam("state"), After: c.QueryParam("after"), Limit: membersShown}
	found, err := accounts.FindMembers(c.Request().Context(), h.DB.DB, f)
	if err != nil {
		return err
	}
	p := views.Members{Frame: h.Frame(c, "Members"), Now: h.Now().In(h.Viewer(c).Location()), Search: f.Search, State: f.State}
	for _, m := range found.Items {
		p.Members = append(p.Members, views.Member{ID: m.ID, Name: m.Name, DisplayName: m.DisplayName, Role: m.Role,
			Password: m.PasswordHash != "", Suspended: m.SuspendedAt != nil, Banned: m.BannedAt != nil, Joined: m.CreatedAt})
	}
	if found.Next != "" {
		p.More = "/admin/members?" + url.Values{"q": {f.Search}, "state": {f.State}, "after": {found.Next}}.Encode()
	}
	return web.Render(c, http.StatusOK, views.MembersPage(p))
}

// exportedAtOnce is how many members one statement of the export reads.
const exportedAtOnce = 500

// Export sends all members with their handles as the CSV file that Import reads.
func (h *Handlers) Export(c echo.Context) error {
	ctx, sites := c.Request().Context(), h.Sites(c)
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	header.Set(echo.HeaderContentDisposition, `attachment; filename="members.csv"`)
	out := csv.NewWriter(c.Response())
	columns := []string{"name", "display_name", "time_zone", "custom"}
	for _, s := range sites {
		columns = append(columns, s.Name)
	}
	if err := out.Write(columns); err != nil {
		return err
	}
	for cursor, more := "", true; more; more = cursor != "" {
		people, next, err := accounts.After(ctx, h.DB.DB, cursor, exportedAtOnce)
		if err != nil {
			return h.cutOff(c, err)
		}
		for _, m := range people {
			custom := ""
			if m.Custom {
				custom = "yes"
			}
			handles := map[string]string{}
			for _, a := range m.Accounts {
				handles[a.Site] = a.Handle
			}
			row := []string{m.Name, web.PlainCell(m.DisplayName), m.TimeZone, custom}
			for _, s := range sites {
				row = append(row, web.PlainCell(handles[s.Name]))
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		cursor = next
	}
	out.Flush()
	return out.Error()
}

// cutOff ends a file that could not be sent whole, so that the browser does not take it for whole.
func (h *Handlers) cutOff(c echo.Context, err error) error {
	if !c.Response().Committed {
		return err
	}
	h.Log.ErrorContext(c.Request().Context(), "the members could not be sent whole", "err", err)
	panic(http.ErrAbortHandler)
}
