package rules

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Sheet is a JSON value as somebody edits it: in the order of its keys, and
// wrong in any way that JSON allows. A form reads it by paths, changes a part
// and writes it again; Parse says what is wrong with it as an award.
type Sheet struct {
	From, Until int // Where it was in what was read, in bytes.

	kind  jsontext.Kind
	text  string // Of a text its content, of another plain value its literal.
	keys  []string
	items []*Sheet // Of a list its elements, of an object its values.
}

// ReadSheet reads JSON, whatever it is about. What is not JSON is a mistake.
func ReadSheet(doc []byte) (*Sheet, Mistakes) {
	var m Mistakes
	if parse(doc, &m); len(m) > 0 && m[0].Path == "" || len(doc) == 0 {
		return nil, m
	}
	d := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true))
	s, err := readSheet(d, doc)
	if err != nil && !errors.Is(err, io.EOF) {
		m.add("", "is not JSON")
		return nil, m
	}
	return s, nil
}

func readSheet(d *jsontext.Decoder, doc []byte) (*Sheet, error) {
	from := int(d.InputOffset())
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	s := &Sheet{kind: token.Kind(), Until: int(d.InputOffset())}
	s.From = s.Until - len(bytes.TrimLeft(doc[from:s.Until], " \t\r\n,:"))
	switch s.kind {
	case '{', '[':
		for d.PeekKind() != '}' && d.PeekKind() != ']' {
			if s.kind == '{' {
				key, err := d.ReadToken()
				if err != nil {
					return nil, err
				}
				s.keys = append(s.keys, key.String())
			}
			item, err := readSheet(d, doc)
			if err != nil {
				return nil, err
			}
			s.items = append(s.items, item)
		}
		_, err = d.ReadToken()
		s.Until = int(d.InputOffset())
		return s, err
	}
	s.text = token.String()
	return s, nil
}

// NewText is a text.
func NewText(text string) *Sheet { return &Sheet{kind: '"', text: text} }

// NewNumber is a number, or a text where it is none: Parse says so then.
func NewNumber(literal string) *Sheet {
	if s, wrong := ReadSheet([]byte(literal)); len(wrong) == 0 && s.kind == '0' {
		return s
	}
	return NewText(literal)
}

// NewTexts is a list of texts.
func NewTexts(list []string) *Sheet {
	s := &Sheet{kind: '['}
	for _, text := range list {
		s.items = append(s.items, NewText(text))
	}
	return s
}

// NewList is a list of values.
func NewList(items ...*Sheet) *Sheet { return &Sheet{kind: '[', items: items} }

// NewObject is an object of keys and values in turn.
func NewObject(fields ...any) *Sheet {
	s := &Sheet{kind: '{'}
	for i := 0; i+1 < len(fields); i += 2 {
		s.Set(fields[i].(string), fields[i+1].(*Sheet))
	}
	return s
}

// Key is the value of a key; nil where there is none, or s is no object.
func (s *Sheet) Key(key string) *Sheet {
	if s == nil || s.kind != '{' {
		return nil
	}
	if i := slices.Index(s.keys, key); i >= 0 {
		return s.items[i]
	}
	return nil
}

// Items are the elements of a list.
func (s *Sheet) Items() []*Sheet {
	if s == nil || s.kind != '[' {
		return nil
	}
	return s.items
}

// Text is the content of a text, and what is there of anything else.
func (s *Sheet) Text() string {
	switch {
	case s == nil:
		return ""
	case s.kind == '"', s.kind == '0':
		return s.text
	}
	return s.line()
}

// Texts are the elements of a list of texts, and whether it is one.
func (s *Sheet) Texts() ([]string, bool) {
	if s == nil || s.kind != '[' {
		return nil, false
	}
	var list []string
	for _, item := range s.items {
		if item.kind != '"' {
			return nil, false
		}
		list = append(list, item.text)
	}
	return list, true
}

// IsObject reports whether s has keys.
func (s *Sheet) IsObject() bool { return s != nil && s.kind == '{' }

// Set gives a key of an object a value: the one it has, or a new one at the end.
// Nil takes the key away.
func (s *Sheet) Set(key string, value *Sheet) {
	i := slices.Index(s.keys, key)
	switch {
	case s.kind != '{':
	case value == nil && i >= 0:
		s.keys, s.items = slices.Delete(s.keys, i, i+1), slices.Delete(s.items, i, i+1)
	case value == nil:
	case i >= 0:
		s.items[i] = value
	default:
		s.keys, s.items = append(s.keys, key), append(s.items, value)
	}
}

// Append adds to the list under a key, which is made where there is none.
func (s *Sheet) Append(key string, value *Sheet) {
	list := s.Key(key)
	if list == nil || list.kind != '[' {
		list = &Sheet{kind: '['}
		s.Set(key, list)
	}
	list.items = append(list.items, value)
}

// Put replaces the elements of a list.
func (s *Sheet) Put(items []*Sheet) {
	if s != nil && s.kind == '[' {
		s.items = items
	}
}

// Drop takes the elements of a list away that are so.
func (s *Sheet) Drop(so func(i int, item *Sheet) bool) {
	if s == nil || s.kind != '[' {
		return
	}
	kept := []*Sheet{}
	for i, item := range s.items {
		if !so(i, item) {
			kept = append(kept, item)
		}
	}
	s.items = kept
}

// Place finds the value that a mistake is about, or what is around it where the
// value itself is missing.
func (s *Sheet) Place(path string) *Sheet {
	found := s
	s.walk("", func(at string, item *Sheet) {
		if at == path || len(at) > 0 && strings.HasPrefix(path, at) && strings.ContainsAny(path[len(at):len(at)+1], ".[") {
			found = item
		}
	})
	return found
}

func (s *Sheet) walk(at string, visit func(string, *Sheet)) {
	visit(at, s)
	for i, item := range s.items {
		inner := at + "[" + strconv.Itoa(i) + "]"
		if s.kind == '{' {
			inner = join(at, s.keys[i])
		}
		item.walk(inner, visit)
	}
}
