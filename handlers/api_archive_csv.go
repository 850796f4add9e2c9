package handlers

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"laurel/models/archive"
)

// sendRowsCSV sends rows as a table with a column for each field.
func sendRowsCSV(c echo.Context, s *archive.Shard, rows []archive.Snapshot, next string) error {
	linkNext(c, next)
	c.Response().Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	c.Response().Header().Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="%s.csv"`, s.Name))
	w := csv.NewWriter(c.Response())
	var names []string
	for _, f := range append(append([]archive.Field{}, s.Key...), s.Data...) {
		names = append(names, f.Name)
	}
	err := w.Write(append(names, "valid_from", "valid_until", "end_reason", "retrieved", "first_retrieved", "last_retrieved", "retrieved_at"))
	for _, r := range rows {
		var cells, seen []string
		var first, last string
		for _, f := range s.Key {
			cells = append(cells, valueCell(r.Key[f.Name]))
		}
		for _, f := range s.Data {
			cells = append(cells, valueCell(r.Data[f.Name]))
		}
		for _, at := range r.Retrieved {
			last = csvTime(&at)
			first, seen = cmp.Or(first, last), append(seen, last)
		}
		cells = append(cells, csvTime(&r.ValidFrom), csvTime(r.ValidUntil), r.EndReason, strconv.Itoa(len(seen)), first, last, strings.Join(seen, " "))
		if err == nil {
			err = w.Write(cells)
		}
	}
	w.Flush()
	return err
}

// valueCell writes numbers with all their digits, and documents as JSON.
func valueCell(v any) string {
	if text, ok := v.(string); ok || v == nil {
		return csvCell(text)
	}
	text, _ := json.Marshal(v) // It was read from the database as JSON.
	return string(text)
}

// linkNext leads to the next part of a list that is not sent as JSON.
func linkNext(c echo.Context, next string) {
	if next == "" {
		return
	}
	address := *c.Request().URL
	query := address.Query()
	query.Set("cursor", next)
	address.RawQuery = query.Encode()
	c.Response().Header().Set("Link", "<"+(&url.URL{Path: address.Path, RawQuery: address.RawQuery}).String()+`>; rel="next"`)
}
