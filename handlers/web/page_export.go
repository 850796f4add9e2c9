package web

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
)

// csvCell writes a value as a cell, and nothing where there is nothing: numbers
// with all their digits, and documents as JSON. Spreadsheets run texts that look
// like formulas, so those get a ' before them.
func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return PlainCell(v)
	case time.Time:
		return CSVTime(v)
	case *time.Time:
		if v == nil {
			return ""
		}
		return CSVTime(*v)
	case *int64:
		if v == nil {
			return ""
		}
	case *float64:
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
	text, _ := json.Marshal(v) // Numbers, and what was read from the database as JSON.
	return string(text)
}

// PlainCell puts a ' before what a spreadsheet would run as a formula.
func PlainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// CSVTime writes an instant as files have it.
func CSVTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// A Sheet is what a page shows, for programs: the whole as JSON, and its rows as CSV.
type Sheet struct {
	Name  string // Of the file, without what it ends with.
	Head  []string
	Rows  [][]any
	Whole any
}

// FileStamp is how the names of sheets say an instant, which is in UTC.
const FileStamp = "20060102T150405Z"

// PageFormat is what a page is asked for as: csv, json, or "" for the page.
func PageFormat(c echo.Context) (string, error) {
	switch format := c.QueryParam("format"); format {
	case "", "csv", "json":
		return format, nil
	}
	return "", &pg.InputError{Field: "format", Message: "the formats are csv and json"}
}

// asFormat is the address of a page's sheet.
func asFormat(address, format string) string {
	mark := "?"
	if strings.Contains(address, "?") {
		mark = "&"
	}
	return address + mark + "format=" + format
}

// Send answers in a format: json, else csv.
func (s *Sheet) Send(c echo.Context, format string) error {
	if format == "json" {
		return c.JSON(http.StatusOK, s.Whole)
	}
	return s.SendCSV(c)
}

// SendCSV answers with the rows.
func (s *Sheet) SendCSV(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+s.Name+`.csv"`)
	w := csv.NewWriter(c.Response())
	_ = w.Write(s.Head)
	for _, row := range s.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = csvCell(v)
		}
		_ = w.Write(cells) // Error implements error.
	}
	w.Flush()
	return w.Error()
}

// WantsFormat says whether an answer is wanted in a format and not as JSON: by
// what the address gives or, where mime is not "", by what the program accepts.
func WantsFormat(c echo.Context, given, format, mime string) (bool, error) {
	switch given {
	case format:
		return true, nil
	case "json":
		return false, nil
	case "":
		if mime == "" {
			return false, nil
		}
		c.Response().Header().Add(echo.HeaderVary, echo.HeaderAccept)
		return strings.Contains(c.Request().Header.Get(echo.HeaderAccept), mime), nil
	}
	return false, &pg.InputError{Field: "format", Message: "the formats are json and " + format}
}
