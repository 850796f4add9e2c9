package awards

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"laurel/handlers/web"
)

// An eventLine is one event as it was sent, and which one it is.
type eventLine struct {
	number int // From 1.
	text   []byte
}

// eventLines takes a body apart: one JSON object per line, or a JSON list, or
// one object over several lines. What the lines hold is not read.
func eventLines(body io.Reader) ([]eventLine, error) {
	text, err := io.ReadAll(body)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, err
	}
	if err != nil {
		return nil, web.BadBody("the body was cut off", err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 {
		return nil, web.BadBody("the body is empty; send one JSON object per line", io.EOF)
	}
	if !firstIsEvent(start) {
		whole, err := wholeEvents(start)
		if err == nil || errors.Is(err, errTooMany) || start[0] == '[' && !firstIsJSON(start) {
			return whole, err
		}
	}
	var lines []eventLine
	number := 0
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(lines) == maxEvents {
			return nil, errTooMany
		}
		lines = append(lines, eventLine{number, line})
	}
	return lines, nil
}

var errTooMany = echo.NewHTTPError(http.StatusRequestEntityTooLarge,
	fmt.Sprintf("one request has at most %d events; nothing was stored, send them in parts", maxEvents))

// firstIsJSON reports whether the first line is a JSON value by itself.
func firstIsJSON(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return jsontext.Value(first).IsValid(jsontext.AllowDuplicateNames(true))
}

// firstIsEvent reports whether what begins so is one object per line, or nothing
// that is JSON at all.
func firstIsEvent(text []byte) bool {
	return text[0] != '[' && (text[0] != '{' || firstIsJSON(text))
}

// wholeEvents reads a body that is one JSON value: an event, or a list of them.
func wholeEvents(text []byte) (lines []eventLine, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	notJSON := func(err error) error {
		return web.BadBody(fmt.Sprintf("the body is not JSON: %v; send one JSON object per line", err), err)
	}
	list := d.PeekKind() == '['
	if list {
		if _, err := d.ReadToken(); err != nil {
			return nil, notJSON(err)
		}
	}
	for list && d.PeekKind() != ']' || !list && len(lines) == 0 {
		if len(lines) == maxEvents {
			return nil, errTooMany
		}
		v, err := d.ReadValue()
		if err != nil {
			return nil, notJSON(err)
		}
		lines = append(lines, eventLine{len(lines) + 1, bytes.Clone(v)})
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
