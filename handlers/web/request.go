package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	pg "laurel/models/db"
	"laurel/models/members"
)

const (
	limitAtMost  = 500
	limitDefault = 50
)

// Limit returns how many items a list shall have.
func Limit(c echo.Context) (int, error) {
	text := c.QueryParam("limit")
	if text == "" {
		return limitDefault, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > limitAtMost {
		return 0, &pg.InputError{Field: "limit", Message: fmt.Sprintf("a limit is a number from 1 to %d", limitAtMost)}
	}
	return n, nil
}

// SiteParam returns the site that a list is filtered by, "" for all.
func (h *Base) SiteParam(c echo.Context) (string, error) {
	name := c.QueryParam("site")
	if name == "" {
		return "", nil
	}
	s, err := members.SiteNamed(h.Sites(c), name, "site")
	return s.Name, err
}

// TimeParam reads a moment from the address: RFC 3339, or a date, which is the
// beginning of that day in UTC. Zero where it is not given.
func TimeParam(c echo.Context, name string) (time.Time, error) {
	text := c.QueryParam(name)
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, &pg.InputError{Field: name,
		Message: "write a time as 2026-11-21T14:02:00Z (+ as %2B in a URL) or 2026-11-21"}
}

// Decode reads a JSON body that has no other fields than into, none twice, and
// nothing behind it.
func Decode(c echo.Context, into any) error {
	err := json.UnmarshalRead(c.Request().Body, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	return DecodeError(err)
}

// DecodeError is what was wrong with JSON, for the one who sent it.
func DecodeError(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return err
	}
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		message := "unknown field"
		if !errors.Is(err, json.ErrUnknownName) {
			message = "this must be " + kindWords(e.GoType)
		}
		return &pg.InputError{Field: FieldName(e.JSONPointer), Message: message}
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return &pg.InputError{Field: FieldName(e.JSONPointer), Message: "this field is given twice"}
		}
		return BadBody(fmt.Sprintf("the body is not JSON: %v, at byte %d", e.Err, e.ByteOffset), err)
	}
	if errors.Is(err, io.EOF) {
		return BadBody("the body is empty; send a JSON object", err)
	}
	return BadBody("the body was cut off", err)
}

// BadBody is the refusal of a body that cannot be read.
func BadBody(message string, err error) error {
	return echo.NewHTTPError(http.StatusBadRequest, message).SetInternal(err)
}

// FieldName is accounts.codeforces for /accounts/codeforces.
func FieldName(p jsontext.Pointer) string {
	var names []string
	for name := range p.Tokens() {
		names = append(names, name)
	}
	return strings.Join(names, ".")
}

func kindWords(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil:
		return "something else"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "a string"
	case t.Kind() == reflect.Int:
		return "a whole number"
	case t.Kind() == reflect.Slice:
		return "a list"
	}
	return "an object"
}
