package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxDocument = 64 << 10 // Bytes: some ten times what an award or an event needs. It bounds all that is done with them.
	maxDepth    = 24       // A strategy of 8 levels is at depth 17.
)

// A value is a JSON value together with the place where it stands, so that any
// mistake found later can name it.
type value struct {
	path   string
	kind   jsontext.Kind // '{' '[' '"' '0' 't' 'f' 'n', or 0 where there is nothing.
	text   string        // Of a string its content, of a number its literal.
	keys   []string      // Of an object, in their order.
	fields []value
	items  []value
}

// parse reads a document whole. What is not JSON at all ends it with one
// mistake; a key that is given twice is reported and its first value kept.
func parse(doc []byte, m *Mistakes) value {
	if len(doc) > maxDocument {
		m.add("", "has %d bytes; the limit is %d", len(doc), maxDocument)
		return value{}
	}
	dec := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true))
	p := parser{doc: doc, dec: dec, m: m}
	v := p.value("", 1)
	if p.stopped {
		return value{}
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		m.add("", "has text after its end%s", p.position())
		return value{}
	}
	return v
}

type parser struct {
	doc     []byte
	dec     *jsontext.Decoder
	m       *Mistakes
	stopped bool
}

func (p *parser) stop(path string, err error) value {
	if !p.stopped {
		p.stopped = true
		var syntax *jsontext.SyntacticError
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			p.m.add(path, "ends too early%s", p.position())
		} else if errors.As(err, &syntax) && syntax.Err != nil {
			p.m.add(path, "is not JSON%s: %s", p.position(), strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
		} else {
			p.m.add(path, "is not JSON%s", p.position())
		}
	}
	return value{}
}

func (p *parser) value(path string, depth int) value {
	if depth > maxDepth {
		p.m.add(path, "is nested deeper than %d", maxDepth)
		p.stopped = true
		return value{}
	}
	token, err := p.dec.ReadToken()
	if err != nil {
		return p.stop(path, err)
	}
	v := value{path: path, kind: token.Kind()}
	switch v.kind {
	case '"', '0':
		v.text = token.String()
		if strings.ContainsRune(v.text, 0) {
			p.m.add(path, "contains the character NUL, which cannot be stored")
		}
	case '[':
		for !p.stopped && p.dec.PeekKind() != ']' {
			v.items = append(v.items, p.value(element(path, len(v.items)), depth+1))
		}
		p.end(path)
	case '{':
		p.object(&v, depth)
		p.end(path)
	}
	return v
}

func (p *parser) object(v *value, depth int) {
	seen := map[string]bool{}
	for !p.stopped && p.dec.PeekKind() != '}' {
		token, err := p.dec.ReadToken()
		if err != nil {
			p.stop(v.path, err)
			return
		}
		key := token.String()
		at := join(v.path, key)
		field := p.value(at, depth+1)
		if seen[key] {
			p.m.add(at, "is given twice")
			continue
		}
		seen[key] = true
		v.keys = append(v.keys, key)
		v.fields = append(v.fields, field)
	}
}

// end reads the bracket that closes an object or a list.
func (p *parser) end(path string) {
	if p.stopped {
		return
	}
	if _, err := p.dec.ReadToken(); err != nil {
		p.stop(path, err)
	}
}

// position says how far was read, as an editor counts.
func (p *parser) position() string {
	line, column := endOf(string(p.doc[:min(int(p.dec.InputOffset()), len(p.doc))]))
	return fmt.Sprintf(" (line %d, column %d)", line, column)
}

// endOf is the line and the column behind a text.
func endOf(text string) (line, column int) {
	return strings.Count(text, "\n") + 1, utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:]) + 1
}
