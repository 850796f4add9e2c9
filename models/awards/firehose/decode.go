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

// A value is a JSON value. Kind is '{' '[' '"' '0' 't' 'f' or 'n', and 0 for
// what is nested too deep to mean anything here.
type value struct {
	kind   jsontext.Kind
	text   string  // Of a text its content, of a number its literal.
	fields []field // Of an object; of a list, without names.
}

// A field of an object. Of two with one name the last one is kept, as by most
// who read JSON.
type field struct {
	name  string
	value value
}

const (
	maxDepth = 8     // What the known formats need, and two more.
	maxItems = 1_000 // Of a list. More would make a large line many times as large in memory.
)

// decode reads a line whole, or says why it is not an object. Text that was cut
// in the middle of a character is no reason.
func decode(line []byte) (value, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := read(d, 1)
	if err == nil {
		if _, err = d.ReadToken(); err == nil {
			return v, fmt.Errorf("goes on after its end (byte %d)", d.InputOffset())
		}
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF && v.kind == 0:
		return v, errors.New("is not JSON: ends too early")
	case errors.As(err, &syntax) && syntax.Err != nil:
		return v, fmt.Errorf("is not JSON (byte %d): %s", syntax.ByteOffset+1, strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	case err != io.EOF:
		return v, fmt.Errorf("is not JSON (byte %d)", d.InputOffset()+1)
	case v.kind != '{':
		return v, errors.New("must be an object")
	}
	return v, nil
}

func read(d *jsontext.Decoder, depth int) (value, error) {
	if kind := d.PeekKind(); depth > maxDepth && (kind == '{' || kind == '[') {
		return value{}, d.SkipValue()
	}
	token, err := d.ReadToken()
	if err != nil {
		return value{}, err
	}
	v := value{kind: token.Kind()}
	switch v.kind {
	case '"', '0':
		v.text = token.String()
	case '[':
		for d.PeekKind() != ']' {
			item, err := read(d, depth+1)
			if err != nil {
				return v, err
			}
			if len(v.fields) < maxItems {
				v.fields = append(v.fields, field{value: item})
			}
		}
		_, err = d.ReadToken()
	case '{':
		v.fields = make([]field, 0, 16>>min(depth, 3)) // Those further in are smaller.
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return v, err
			}
			f := field{name: name.String()}
			if f.value, err = read(d, depth+1); err != nil {
				return v, err
			}
			v.fields = append(v.fields, f)
		}
		v.fields = last(v.fields)
		_, err = d.ReadToken()
	}
	return v, err
}

// last keeps the last field of each name.
func last(fields []field) []field {
	kept := fields[:0]
	at := map[string]int{} // Few fields are found sooner without.
	for _, f := range fields {
		i, twice := at[f.name]
		if len(kept) < 20 {
			i = slices.IndexFunc(kept, func(k field) bool { return k.name == f.name })
			twice = i >= 0
		}
		if twice {
			kept[i] = f
			continue
		}
		if len(fields) > 20 {
			at[f.name] = len(kept)
		}
		kept = append(kept, f)
	}
	return kept
}
