package pushes

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/pushes"
)

const (
	maxBody   = pushes.MaxFile
	maxForm   = 64 << 10 // What stands around a file.
	maxRows   = pushes.MaxRows
	maxReason = 500 // Bytes said about one line that is refused.
)

// APIPush stores submissions that a member brings. A line that is wrong hurts no other, and
// sending all again is no harm.
func (h *Handlers) APIPush(c echo.Context) error {
	of, err := h.pushing(c)
	if err != nil {
		return err
	}
	lines, err := web.Lines(c.Request().Body, maxRows, "submissions")
	if err != nil {
		return err
	}
	sites, now := h.Sites(c), h.Now()
	p := pushes.Push{MemberID: of.ID, Sites: sites, Handle: pg.CleanText(c.QueryParam("handle"))}
	var unread []pushes.Rejected
	for _, l := range lines {
		row, err := pushes.ParseLine(l.Text, sites, now)
		if err != nil {
			unread = append(unread, pushes.Rejected{Line: l.Number, Error: web.Shorten(err.Error(), maxReason)})
			continue
		}
		row.Line = l.Number
		p.Rows = append(p.Rows, row)
	}
	out, err := pushes.Store(c.Request().Context(), h.DB.DB, p, now)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out.With(unread))
}

// pushing is the member in the address, if the viewer may push for it, and does not push too often.
func (h *Handlers) pushing(c echo.Context) (*members.Member, error) {
	of, err := h.Managed(c)
	if err != nil {
		return nil, err
	}
	key := "push:" + strconv.FormatInt(of.ID, 10)
	return of, pushes.Limit.Take(c.Request().Context(), h.DB.DB, key, "pushes", h.Now())
}

// APIDelete removes what a member brought to a site: all, or one submission.
func (h *Handlers) APIDelete(c echo.Context) error {
	of, err := h.Managed(c)
	if err != nil {
		return err
	}
	site, err := h.SiteParam(c)
	if err == nil && site == "" {
		err = &pg.InputError{Field: "site", Message: "say from which site, such as ?site=cses"}
	}
	if err != nil {
		return err
	}
	n, err := pushes.Delete(c.Request().Context(), h.DB.DB, of.ID, site, c.QueryParam("id"), h.Now())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]int{"deleted": n})
}
