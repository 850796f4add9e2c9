package firehose

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A value is a JSON value where it is in its line. Kind is '{' '[' '"' '0'
// 't' 'f' or 'n', and 0 for what is nested too deep to mean anything here.
type value struct {
	kind   jsontext.Kind
	raw    []byte  // Of what is no object and no list.
	fields []field // Of an object; of a list, without names.
}

// A field of an object. Of two with one name the last one is kept, as by most
// who read JSON.
type field struct {
	name  []byte
	value value
}

// text of a text is its content, of a number its literal.
func (v *value) text() string {
	if v.kind == '"' {
		return string(unquoted(v.raw))
	}
	return string(v.raw)
}

// unquoted is the content of a JSON text. What was cut in the middle of a
// character gets the sign for that.
func unquoted(raw []byte) []byte {
	if inner := raw[1 : len(raw)-1]; isASCII(inner) {
		return inner
	}
	text, _ := jsontext.AppendUnquote(nil, raw) // It gives the sign with an error.
	return text
}

// isASCII reports whether a text is what it looks like.
func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= 0x80 || b == '\\' {
			return false
		}
	}
	return true
}

const (
	maxDepth  = 8     // What the known formats need, and two more.
	maxItems  = 1_000 // Of a list. More would make a large line many times as large in memory.
	maxCached = 1_000 // Fields whose memory is used again.
)

// A decoder reads one line after the other. What it gave of one is gone with
// the next.
type decoder struct {
	json  *jsontext.Decoder
	line  []byte
	open  []field // Of objects and lists not yet read to the end.
	whole []field // Of the others.
}

func newDecoder() *decoder {
	return &decoder{json: jsontext.NewDecoder(new(bytes.Buffer))}
}

// decode reads a line whole, or says why it is not an object.
func (d *decoder) decode(line []byte) (value, error) {
	if cap(d.open) > maxCached || cap(d.whole) > maxCached {
		d.open, d.whole = nil, nil
	}
	d.line, d.open, d.whole = line, d.open[:0], d.whole[:0]
	d.json.Reset(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := d.value(1)
	if err != nil {
		return v, d.wrong(err)
	}
	switch _, err := d.json.ReadToken(); {
	case err == nil:
		return v, fmt.Errorf("has text after its end (byte %d)", d.json.InputOffset())
	case !errors.Is(err, io.EOF):
		return v, d.wrong(err)
	case v.kind != '{':
		return v, errors.New("must be an object")
	}
	return v, nil
}

// wrong says where a line stops being JSON.
func (d *decoder) wrong(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is not JSON: ends too early")
	case errors.As(err, &syntax) && syntax.Err != nil:
		return fmt.Errorf("is not JSON (byte %d): %s", syntax.ByteOffset+1, strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	}
	return fmt.Errorf("is not JSON (byte %d)", d.json.InputOffset()+1)
}

func (d *decoder) value(depth int) (value, error) {
	v := value{kind: d.json.PeekKind()}
	switch {
	case v.kind != '{' && v.kind != '[':
		raw, err := d.json.ReadValue()
		v.raw = d.behind(raw)
		return v, err
	case depth > maxDepth:
		return value{}, d.json.SkipValue()
	}
	if _, err := d.json.ReadToken(); err != nil {
		return v, err
	}
	start, end := len(d.open), v.kind+2 // The brackets are two apart.
	for d.json.PeekKind() != end {
		var f field
		if v.kind == '{' {
			name, err := d.json.ReadValue()
			if err != nil {
				return v, err
			}
			f.name = unquoted(d.behind(name))
		}
		var err error
		if f.value, err = d.value(depth + 1); err != nil {
			return v, err
		}
		if v.kind == '{' || len(d.open)-start < maxItems {
			d.open = append(d.open, f)
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return v, err
	}
	at, fields := len(d.whole), d.open[start:]
	if v.kind == '{' {
		fields = last(fields)
	}
	d.whole, d.open = append(d.whole, fields...), d.open[:start]
	v.fields = d.whole[at:len(d.whole):len(d.whole)]
	return v, nil
}

// behind is where a value stood that was just read.
func (d *decoder) behind(read []byte) []byte {
	end := int(d.json.InputOffset())
	return d.line[end-len(read) : end : end]
}

// last keeps the last field of each name.
func last(fields []field) []field {
	kept := fields[:0]
	var at map[string]int // Few fields are found sooner without.
	if len(fields) > 30 {
		at = make(map[string]int, len(fields))
	}
	for _, f := range fields {
		i, twice := at[string(f.name)]
		if at == nil {
			i = slices.IndexFunc(kept, func(k field) bool { return bytes.Equal(k.name, f.name) })
			twice = i >= 0
		}
		if twice {
			kept[i] = f
			continue
		}
		if at != nil {
			at[string(f.name)] = len(kept)
		}
		kept = append(kept, f)
	}
	return kept
}
