package archive

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
	pg "laurel/models/db"
)

// What goes into the archive is read as it is written: a number keeps all its
// digits, and whether a field is there or null is distinguished. So a body is read
// as a document first, and the functions below take it apart.

// Deeper documents and longer numbers are beyond what the database can hold.
const (
	maxDepth  = 100
	maxDigits = 1000
)

// exact is a JSON value whose numbers are json.Number.
type exact struct {
	value   any
	refused error
}

// UnmarshalJSONFrom reads the value.
func (e *exact) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	return json.UnmarshalDecode(d, &e.value, json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
		switch kind := d.PeekKind(); {
		case d.StackDepth() > maxDepth:
			e.refused = &pg.InputError{Field: web.FieldName(d.StackPointer()),
				Message: fmt.Sprintf("this is nested more than %d levels deep", maxDepth)}
			return e.refused
		case kind != '0':
			return json.SkipFunc
		}
		number, err := d.ReadValue()
		if err == nil && len(number) > maxDigits {
			e.refused = &pg.InputError{Field: web.FieldName(d.StackPointer()),
				Message: fmt.Sprintf("numbers may have %d characters at most", maxDigits)}
			err = e.refused
		}
		*v = stdjson.Number(number.String())
		return err
	})))
}

// document reads a JSON body of any kind.
func document(c echo.Context) (any, error) {
	var e exact
	err := web.Decode(c, &e)
	if e.refused != nil {
		err = e.refused
	}
	return e.value, err
}

// in names a part of a body: shards.ladder for (shards, ladder).
func in(field string, part any) string {
	return strings.TrimPrefix(fmt.Sprint(field, ".", part), ".")
}

func mustBe(field, what string) error {
	return &pg.InputError{Field: field, Message: "this must be " + what}
}

// object takes v for an object that has no other fields than known ones; any
// where none are given.
func object(v any, field string, known ...string) (map[string]any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, mustBe(field, "an object")
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if len(known) > 0 && !slices.Contains(known, name) {
			return nil, &pg.InputError{Field: in(field, name),
				Message: "unknown field; the fields are " + strings.Join(known, ", ")}
		}
	}
	return m, nil
}

// elements reads a list with read, with the name of each element. What
// is not given, or null, is an empty list.
func elements[T any](v any, field string, read func(v any, field string) (T, error)) ([]T, error) {
	given, ok := v.([]any)
	if !ok && v != nil {
		return nil, mustBe(field, "a list")
	}
	out := make([]T, len(given))
	for i, v := range given {
		var err error
		if out[i], err = read(v, in(field, i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// text is a string; "" where it is not given or null.
func text(v any, field string) (string, error) {
	s, ok := v.(string)
	if !ok && v != nil {
		return "", mustBe(field, "a string")
	}
	if strings.Contains(s, "\x00") {
		return "", &pg.InputError{Field: field, Message: "this contains the character U+0000, which cannot be stored"}
	}
	return s, nil
}

// texts are the strings of an object's fields, in the order of names.
func texts(m map[string]any, field string, names ...string) ([]string, error) {
	out := make([]string, len(names))
	for i, name := range names {
		var err error
		if out[i], err = text(m[name], in(field, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
