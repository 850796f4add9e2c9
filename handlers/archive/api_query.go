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
	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// query is what an address asks for, by name. Everything in it is known and
// given once: an archive that leaves a filter out gives wrong answers.
type query map[string]string

// queryOf reads the query of an address that may have these fields of a shard and these
// other parts.
func queryOf(c echo.Context, key []shards.Field, others ...string) (query, error) {
	values, err := url.ParseQuery(c.QueryString())
	if err != nil {
		return nil, &pg.InputError{Message: "the query string is malformed: write %25 for %, and separate parameters by &"}
	}
	var names []string
	for _, f := range key {
		if !f.Document() {
			names = append(names, f.Name)
		}
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
func (q query) row(key []shards.Field) (shards.Row, error) {
	row := shards.Row{}
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
	case shards.Integer:
		return strconv.ParseInt(text, 10, 64)
	case shards.Boolean:
		if text != "true" && text != "false" {
			return nil, strconv.ErrSyntax
		}
		return text == "true", nil
	case shards.Number:
		f, err := strconv.ParseFloat(text, 64)
		if err == nil && (math.IsInf(f, 0) || math.IsNaN(f)) {
			err = strconv.ErrRange
		}
		return f, err
	}
	return text, nil
}

// filter takes the fields of a shard out of the query: the key's, then those of the data that
// are not also the name of another part of the query.
func (q query) filter(s *archive.Shard, others ...string) (key, data shards.Row, err error) {
	if key, err = q.row(s.Key); err != nil {
		return nil, nil, err
	}
	var plain []shards.Field
	for _, f := range s.Data {
		if !f.Document() && !slices.Contains(others, f.Name) {
			plain = append(plain, f)
		}
	}
	if data, err = q.row(plain); err != nil {
		return nil, nil, err
	}
	for _, f := range append(plain, s.Key...) {
		delete(q, f.Name)
	}
	return key, data, nil
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

// timeOf is an instant of the query; zero where it is not given.
func (q query) timeOf(name string) (time.Time, error) {
	text := q.text(name)
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 1970 && t.Year() < 9000 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, &pg.InputError{Field: name,
		Message: "write a time from 1970 to 8999 as 2026-11-21T14:02:00Z (+ as %2B in a URL) or 2026-11-21"}
}
