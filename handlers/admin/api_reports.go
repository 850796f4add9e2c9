package admin

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	"laurel/models/reports"
)

// An apiReport is a report as admins read it.
type apiReport struct {
	ID         int64      `json:"id"`
	Member     *string    `json:"member"`  // Whose profile it is about; null: a message.
	Message    *int64     `json:"message"` // Its serial.
	Subject    string     `json:"subject"` // The message's.
	Text       string     `json:"text"`
	By         *string    `json:"by"` // Null: a visitor, or who left.
	Visitor    bool       `json:"visitor"`
	ReportedAt time.Time  `json:"reported_at"`
	ResolvedAt *time.Time `json:"resolved_at"`
	ResolvedBy string     `json:"resolved_by"`
	Note       string     `json:"note"`
}

func apiReportOf(r reports.Report) apiReport {
	v := apiReport{ID: r.ID, Text: r.Text, Visitor: r.Visitor, ReportedAt: r.At.UTC(), ResolvedAt: web.UTC(r.ResolvedAt),
		ResolvedBy: r.ResolvedBy, Note: r.Note}
	if r.Reporter != "" {
		v.By = &r.Reporter
	}
	if r.Serial != 0 {
		v.Message, v.Subject = &r.Serial, r.Subject
	} else {
		v.Member = &r.Member
	}
	return v
}

// choose reads a parameter that is one of two words, the first of which is meant where there is none.
func choose(c echo.Context, name, first, second string) (bool, error) {
	switch c.QueryParam(name) {
	case "", first:
		return false, nil
	case second:
		return true, nil
	}
	return false, &pg.InputError{Field: name, Message: "use " + first + " or " + second}
}

// APIReports lists reports, the newest first.
func (h *Handlers) APIReports(c echo.Context) error {
	limit, err := web.Limit(c)
	if err != nil {
		return err
	}
	var f reports.Filter
	if f.Resolved, err = choose(c, "state", "waiting", "resolved"); err != nil {
		return err
	}
	if f.Visitors, err = choose(c, "from", "members", "visitors"); err != nil {
		return err
	}
	if err := web.DecodeCursor(c.QueryParam("cursor"), "reports", &f.Before); err != nil {
		return err
	}
	list, err := reports.Of(c.Request().Context(), h.DB.DB, f, limit+1)
	if err != nil {
		return err
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		next = web.EncodeCursor("reports", list[limit-1].ID)
	}
	return web.SendList(c, list, next, apiReportOf)
}

// APIResolveReport ends a report with a note.
func (h *Handlers) APIResolveReport(c echo.Context) error {
	var in struct {
		Note string `json:"note"`
	}
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return pg.ErrNotFound
	}
	if err := reports.Resolve(c.Request().Context(), h.DB.DB, id, h.Viewer(c).Name, in.Note, h.Now()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
