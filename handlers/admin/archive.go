package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
	modelhistory "laurel/models/history"
	views "laurel/views/admin"
)

// Archive is the page of the last check of the archive.
func (h *Handlers) Archive(c echo.Context) error {
	check, err := h.archiveCheck(c.Request().Context(), c.QueryParam("findings"))
	if err != nil {
		return err
	}
	check.Frame, check.Now = h.Frame(c, "Archive check"), h.Now().In(h.Viewer(c).Location())
	return web.Render(c, http.StatusOK, views.ArchivePage(check))
}

// findingsShown is how many findings one page has.
const findingsShown = 20

// archiveCheck is the last check of the archive from one of its findings on, and what was refused of late.
func (h *Handlers) archiveCheck(ctx context.Context, from string) (views.ArchiveCheck, error) {
	refused, err := modelhistory.RefusedFetches(ctx, h.DB.DB, h.Now().AddDate(0, 0, -7))
	if err != nil {
		return views.ArchiveCheck{}, err
	}
	v := views.ArchiveCheck{Refused: refused}
	c, err := modelhistory.LastCheck(ctx, h.DB.DB)
	if errors.Is(err, pg.ErrNotFound) {
		return v, nil
	}
	v.At, v.Took, v.Rows, v.Retrievals = c.StartedAt, time.Duration(c.Took*float64(time.Second)), int(c.Rows), int(c.Retrievals)
	v.Part, v.Total = c.Part, c.Total
	first, _ := strconv.Atoi(from) // Anything else is the beginning.
	first = max(0, min(first, len(c.Findings)))
	end := min(first+findingsShown, len(c.Findings))
	v.First = first
	if first > 0 {
		v.Before = fmt.Sprintf("/admin/archive?findings=%d", max(0, first-findingsShown))
	}
	if end < len(c.Findings) {
		v.After = fmt.Sprintf("/admin/archive?findings=%d", end)
	}
	for _, f := range c.Findings[first:end] {
		v.Findings = append(v.Findings, views.Finding{Shard: f.Shard, Kind: f.Kind, Message: f.Message})
	}
	return v, err
}
