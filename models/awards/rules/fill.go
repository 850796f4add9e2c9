package rules

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// What a type may have to be read in its own way. Numbers come as their text,
// because a float is not what the admin wrote.
type (
	filler     interface{ fill(v value, m *Mistakes) }
	numberText interface{ setNumber(text string) error }
	defaulter  interface{ setDefaults() }
)

const maxText = 4000 // Characters of any text in a document.

// fill writes a JSON value into a Go value and reports all that does not fit: an
// unknown key, a wrong type, what is missing. A field without omitempty or
// omitzero is required.
func fill(v value, into reflect.Value, m *Mistakes) {
	if fillItself(v, into.Addr().Interface(), m) {
		return
	}
	switch into.Kind() {
	case reflect.Pointer:
		to := reflect.New(into.Type().Elem())
		if d, ok := to.Interface().(defaulter); ok {
			d.setDefaults()
		}
		fill(v, to.Elem(), m)
		into.Set(to)
	case reflect.Slice:
		fillList(v, into, m)
	case reflect.Struct:
		fillStruct(v, into, m)
	case reflect.String:
		if v.is('"', "a text", m) {
			into.SetString(v.text)
			if utf8.RuneCountInString(v.text) > maxText {
				m.add(v.path, "is longer than %d characters", maxText)
			}
		}
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(v.text, 10, 64)
		if !v.is('0', "a whole number", m) {
			return
		}
		if err != nil {
			m.add(v.path, "must be a whole number, not %s", v.text)
		}
		into.SetInt(n)
	}
}

// fillItself lets a type that knows how to read itself do so.
func fillItself(v value, into any, m *Mistakes) bool {
	var err error
	switch to := into.(type) {
	case filler:
		to.fill(v, m)
	case numberText:
		if v.is('0', "a number", m) {
			err = to.setNumber(v.text)
		}
	case encoding.TextUnmarshaler:
		if v.is('"', "a text", m) {
			err = to.UnmarshalText([]byte(v.text))
		}
	default:
		return false
	}
	if err != nil {
		m.add(v.path, "%s", err)
	}
	return true
}

func fillList(v value, into reflect.Value, m *Mistakes) {
	if !v.is('[', "a list", m) {
		return
	}
	list := reflect.MakeSlice(into.Type(), len(v.items), len(v.items))
	for i, item := range v.items {
		fill(item, list.Index(i), m)
	}
	into.Set(list)
}

func fillStruct(v value, into reflect.Value, m *Mistakes) {
	if !v.is('{', "an object", m) {
		return
	}
	fields := fieldsOf(into.Type())
	for i, key := range v.keys {
		f := slices.IndexFunc(fields, func(f field) bool { return f.Name == key })
		if f < 0 {
			m.add(v.fields[i].path, "is unknown (known: %s)", strings.Join(names(fields), ", "))
			continue
		}
		to := into.FieldByIndex(fields[f].index)
		fill(v.fields[i], to, m)
		if fields[f].Required && (to.Kind() == reflect.Slice || to.Kind() == reflect.String) && to.Len() == 0 {
			m.add(v.fields[i].path, "must not be empty")
		}
	}
	for _, f := range fields {
		if f.Required && !slices.Contains(v.keys, f.Name) {
			m.add(join(v.path, f.Name), "is missing")
		}
	}
}

// is reports a value of another kind than it must be.
func (v value) is(kind jsontext.Kind, want string, m *Mistakes) bool {
	if v.kind == kind {
		return true
	}
	got := map[jsontext.Kind]string{'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "true", 'f': "false",
		'n': "null"}[v.kind]
	if got != "" { // Nothing at all was reported when it was read.
		m.add(v.path, "must be %s, not %s", want, got)
	}
	return false
}
