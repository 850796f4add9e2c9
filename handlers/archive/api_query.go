package archive

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"laurel/models/archive"
	pg "laurel/models/db"
)

// query is what an address asks for, by name. Everything in it is known and
// given once: an archive that leaves a filter out gives wrong answers.
type query map[string]string

// queryOf reads the query of an address that may have the key fields of a shard
// and these other parts.
func queryOf(c echo.Context, key []archive.Field, others ...string) (query, error) {
	values, err := url.ParseQuery(c.QueryString())
	if err != nil {
		return nil, &pg.InputError{Message: "the query string is malformed: write %25 for %, and separate parameters by &"}
	}
	var names []string
	for _, f := range key {
		names = append(names, f.Name)
	}
	names = append(names, others...)
	q := query{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			return nil, &pg.InputError{Field: name, Message: "unknown parameter " + strconv.Quote(name) + "; known are " +
				strings.Join(names, ", ")}
		}
		if len(values[name]) > 1 {
			return nil, &pg.InputError{Field: name, Message: "this parameter is given more than once"}
		}
		q[name] = values[name][0]
	}
	return q, nil
}

func (q query) text(name string) string { return q[name] }

// given is a part of the query, nil where it is not there.
func (q query) given(name string) *string {
	if v, ok := q[name]; ok {
		return &v
	}
	return nil
}

// row is what the query says of a key, each field by its type.
func (q query) row(key []archive.Field) (archive.Row, error) {
	row := archive.Row{}
	for _, f := range key {
		text, ok := q[f.Name]
		if !ok {
			continue
		}
		v, err := parseField(f.Type, text)
		if err != nil {
			return nil, &pg.InputError{Field: f.Name, Message: fmt.Sprintf("%q is not of type %s", text, f.Type)}
		}
		row[f.Name] = v
	}
	return row, nil
}

// parseField reads a value from an address. The archive itself checks texts and
// times.
func parseField(kind, text string) (any, error) {
	switch kind {
	case archive.Integer:
		return strconv.ParseInt(text, 10, 64)
	case archive.Boolean:
		if text != "true" && text != "false" {
			return nil, strconv.ErrSyntax
		}
		return text == "true", nil
	case archive.Number:
		f, err := strconv.ParseFloat(text, 64)
		if err == nil && (math.IsInf(f, 0) || math.IsNaN(f)) {
			err = strconv.ErrRange
		}
		return f, err
	}
	return text, nil
}

// windowOf is the time of which at most two instants are shown.
func (q query) windowOf() (time.Duration, error) {
	text := q.text("window")
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, &pg.InputError{Field: "window", Message: "a window is a time such as 12m, 1h30m or 24h"}
	}
	return d, nil
}
