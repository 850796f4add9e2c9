package archive

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	"laurel/models/archive"
)

// sendRowsCSV sends rows as a table with a column for each field.
func sendRowsCSV(c echo.Context, s *archive.Shard, rows []archive.Snapshot, next string) error {
	linkNext(c, next)
	out := &web.Sheet{Name: s.Name, Head: slices.Concat(names(s.Key), names(s.Data), addedColumn(s),
		[]string{"valid_from", "valid_until", "end_reason", "retrieved", "first_retrieved", "last_retrieved", "retrieved_at"})}
	for _, r := range rows {
		var cells []any
		for _, f := range s.Key {
			cells = append(cells, r.Key[f.Name])
		}
		for _, f := range s.Data {
			cells = append(cells, r.Data[f.Name])
		}
		if len(s.Since) > 0 {
			cells = append(cells, s.NotAsked(r.Data))
		}
		var first, last any
		seen := make([]string, len(r.Retrieved))
		for i, at := range r.Retrieved {
			seen[i] = web.CSVTime(at)
		}
		if n := len(seen); n > 0 {
			first, last = seen[0], seen[n-1]
		}
		out.Rows = append(out.Rows, append(cells, r.ValidFrom, r.ValidUntil, r.EndReason, len(seen), first, last, strings.Join(seen, " ")))
	}
	return out.SendCSV(c)
}

// addedColumn is the column of a shard with fields that were added: which of them a row was not asked for.
func addedColumn(s *archive.Shard) []string {
	if len(s.Since) == 0 {
		return nil
	}
	return []string{"not_asked"}
}

// linkNext leads to the next part of a list that is not sent as JSON.
func linkNext(c echo.Context, next string) {
	if next == "" {
		return
	}
	query := c.Request().URL.Query()
	query.Set("cursor", next)
	c.Response().Header().Set("Link", "<"+web.WithQuery(c.Request().URL.EscapedPath(), query)+`>; rel="next"`)
}
