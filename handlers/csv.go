package handlers

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models"
)

// csvCell writes a value as a cell. Spreadsheets run cells that look like
// formulas, so those get a ' before them.
func csvCell(v any) string {
	if v == nil {
		return ""
	}
	text, isText := v.(string)
	if !isText {
		return fmt.Sprint(v)
	}
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func csvTime(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// A sheet is what a page shows, for programs: the whole as JSON, and its rows as CSV.
type sheet struct {
	name  string // Of the file, without what it ends with.
	head  []string
	rows  [][]any
	whole any
}

// pageFormat is what a page is asked for as: csv, json, or "" for the page.
func pageFormat(c echo.Context) (string, error) {
	switch format := c.QueryParam("format"); format {
	case "", "csv", "json":
		return format, nil
	}
	return "", &models.InputError{Field: "format", Message: "the formats are csv and json"}
}

// asFormat is the address of a page's sheet.
func asFormat(address, format string) string {
	mark := "?"
	if strings.Contains(address, "?") {
		mark = "&"
	}
	return address + mark + "format=" + format
}

func (s *sheet) send(c echo.Context, format string) error {
	if format == "json" {
		return c.JSON(http.StatusOK, s.whole)
	}
	c.Response().Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+s.name+`.csv"`)
	w := csv.NewWriter(c.Response())
	_ = w.Write(s.head)
	for _, row := range s.rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = sheetCell(v)
		}
		_ = w.Write(cells) // Error tells.
	}
	w.Flush()
	return w.Error()
}

// sheetCell writes nothing where there is nothing.
func sheetCell(v any) string {
	switch v := v.(type) {
	case time.Time:
		return csvTime(&v)
	case *int64:
		if v == nil {
			return ""
		}
		return strconv.FormatInt(*v, 10)
	case *float64:
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
	return csvCell(v)
}
