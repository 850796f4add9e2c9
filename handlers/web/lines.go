package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"
)

// A Line is one of a body's JSON values as it was sent, and which one it is.
type Line struct {
	Number int // From 1.
	Text   []byte
}

// Lines takes a body apart, of at most so many things: one JSON object per line, or a JSON
// list, or one object over several lines. What the lines hold is not read.
func Lines(body io.Reader, most int, things string) ([]Line, error) {
	text, err := io.ReadAll(body)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, err
	}
	if err != nil {
		return nil, BadBody("the body was cut off", err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	errTooMany := echo.NewHTTPError(http.StatusRequestEntityTooLarge,
		fmt.Sprintf("one request has at most %d %s; nothing was stored, send them in parts", most, things))
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 {
		return nil, BadBody("the body is empty; send one JSON object per line", io.EOF)
	}
	if !firstIsObject(start) {
		whole, err := wholeBody(start, most)
		if len(whole) > most {
			return nil, errTooMany
		}
		if err == nil || start[0] == '[' && !firstIsJSON(start) {
			return whole, err
		}
	}
	var lines []Line
	number := 0
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(lines) == most {
			return nil, errTooMany
		}
		lines = append(lines, Line{number, line})
	}
	return lines, nil
}

// firstIsJSON reports whether the first line is a JSON value by itself.
func firstIsJSON(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return jsontext.Value(first).IsValid(jsontext.AllowDuplicateNames(true))
}

// firstIsObject reports whether what begins so is one object per line, or nothing
// that is JSON at all.
func firstIsObject(text []byte) bool {
	return text[0] != '[' && (text[0] != '{' || firstIsJSON(text))
}

// wholeBody reads a body that is one JSON value: an object, or a list of them. Of a list that
// is too long it returns one more than the most.
func wholeBody(text []byte, most int) (lines []Line, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	notJSON := func(err error) error {
		return BadBody(fmt.Sprintf("the body is not JSON: %v; send one JSON object per line", err), err)
	}
	list := d.PeekKind() == '['
	if list {
		if _, err := d.ReadToken(); err != nil {
			return nil, notJSON(err)
		}
	}
	for list && d.PeekKind() != ']' || !list && len(lines) == 0 {
		if len(lines) > most {
			return lines, nil
		}
		v, err := d.ReadValue()
		if err != nil {
			return nil, notJSON(err)
		}
		lines = append(lines, Line{len(lines) + 1, bytes.Clone(v)})
	}
	if list {
		if _, err := d.ReadToken(); err != nil {
			return nil, notJSON(err)
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, notJSON(errors.New("text follows the end of the value"))
	}
	return lines, nil
}
