package handlers

import (
	"fmt"
	"strings"
	"time"
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
