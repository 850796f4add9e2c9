package rules

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// An eventReader reads events that have no mistake, which nearly all are, without
// a tree of values and their places. It gives up on anything unusual; then the
// line is read again by those who can tell what is wrong with it.
type eventReader struct {
	in  bytes.Reader
	dec jsontext.Decoder
}

var eventReaders = sync.Pool{New: func() any { return new(eventReader) }}

// quickEvent reads an event as ParseEvent does, if it has no mistake.
func quickEvent(line []byte) (e Event, ok bool) {
	if len(line) > maxDocument || bytes.Contains(line, []byte(`\u0000`)) {
		return Event{}, false
	}
	r := eventReaders.Get().(*eventReader)
	defer eventReaders.Put(r)
	r.in.Reset(line)
	r.dec.Reset(&r.in, jsontext.AllowDuplicateNames(true))
	if !r.event(&e) {
		return Event{}, false
	}
	var m Mistakes
	e.check(&m)
	return e, len(m) == 0
}

func (r *eventReader) event(e *Event) bool {
	if r.dec.PeekKind() != '{' || !r.skip() {
		return false
	}
	seen := 0 // One bit per key: none may come twice.
	for r.dec.PeekKind() == '"' {
		name, err := r.dec.ReadValue()
		if err != nil {
			return false
		}
		bit, ok := r.key(string(name), e)
		if !ok || seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	if !r.skip() {
		return false
	}
	_, err := r.dec.ReadToken()
	return errors.Is(err, io.EOF)
}

// key reads the value of a key, and returns the key's bit.
func (r *eventReader) key(name string, e *Event) (bit int, ok bool) {
	switch name {
	case `"source"`:
		return 1, r.text(&e.Source)
	case `"id"`:
		return 2, r.text(&e.ID)
	case `"item"`:
		return 4, r.text(&e.Item)
	case `"seq"`:
		return 8, r.number(&e.Seq)
	case `"member"`:
		return 16, r.text(&e.Member)
	case `"type"`:
		return 32, r.text(&e.Type)
	case `"object"`:
		return 64, r.text(&e.Object)
	case `"status"`:
		return 128, r.text(&e.Status)
	case `"at"`:
		return 256, r.time(e)
	case `"facts"`:
		return 512, r.facts(e)
	}
	return 0, false
}

// skip reads a bracket.
func (r *eventReader) skip() bool {
	_, err := r.dec.ReadToken()
	return err == nil
}

// raw reads a value of a kind, as it is written.
func (r *eventReader) raw(kind jsontext.Kind) (jsontext.Value, bool) {
	if r.dec.PeekKind() != kind {
		return nil, false
	}
	v, err := r.dec.ReadValue()
	return v, err == nil
}

func (r *eventReader) text(to *string) bool {
	raw, ok := r.raw('"')
	if !ok || len(raw) > maxText {
		return false
	}
	*to, ok = unquoted(raw)
	return ok
}

func unquoted(raw jsontext.Value) (string, bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}

func (r *eventReader) number(to *int64) bool {
	raw, ok := r.raw('0')
	if !ok {
		return false
	}
	var err error
	*to, err = strconv.ParseInt(string(raw), 10, 64)
	return err == nil
}

func (r *eventReader) time(e *Event) bool {
	raw, ok := r.raw('"')
	return ok && bytes.IndexByte(raw, '\\') < 0 && e.At.UnmarshalText(raw[1:len(raw)-1]) == nil
}

func (r *eventReader) facts(e *Event) bool {
	if r.dec.PeekKind() != '{' || !r.skip() {
		return false
	}
	e.Facts = Facts{}
	for n := 0; r.dec.PeekKind() == '"'; n++ {
		name, err := r.dec.ReadValue()
		if err != nil {
			return false
		}
		key, ok := unquoted(name)
		if !ok || n > maxFacts || e.Facts[key] != nil {
			return false
		}
		fact, ok := r.fact()
		if !ok {
			return false
		}
		e.Facts[key] = fact
	}
	return r.skip()
}

// fact reads what factOf does, but for null.
func (r *eventReader) fact() (any, bool) {
	switch kind := r.dec.PeekKind(); kind {
	case '"':
		raw, ok := r.raw('"')
		if !ok {
			return nil, false
		}
		return unquoted(raw)
	case '0':
		raw, ok := r.raw('0')
		if !ok {
			return nil, false
		}
		a, _, err := amountOf(string(raw))
		return a, err == nil
	case 't', 'f':
		return kind == 't', r.skip()
	case '[':
		return r.list()
	}
	return nil, false
}

func (r *eventReader) list() (any, bool) {
	if !r.skip() {
		return nil, false
	}
	list := []string{}
	for r.dec.PeekKind() == '"' {
		raw, ok := r.raw('"')
		if !ok {
			return nil, false
		}
		text, ok := unquoted(raw)
		if !ok {
			return nil, false
		}
		list = append(list, text)
	}
	return list, r.dec.PeekKind() == ']' && r.skip()
}
