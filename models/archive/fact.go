package archive

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Fact is a row that was checked against its shard: its values, and what it
// is compared by.
type Fact struct {
	values  []any // Key fields, then data fields.
	id      string
	key     string
	uniques []string // "" where a field is NULL: outside the constraint.
	scope   string   // "" where a field is NULL: in no scope.
}

// maxKeyText bounds text in keys: an index takes no entry longer than 2,700 bytes.
const maxKeyText = 500

// Fact checks a row. n is its place among the rows given, for the message.
func (s *Shard) Fact(row Row, n int) (Fact, error) {
	st := s.statements()
	return s.fact(row, n, &Fact{values: make([]any, len(st.fields)), uniques: make([]string, len(st.uniques))})
}

// room makes n facts in a few pieces of memory.
func (st *statements) room(n int) []Fact {
	facts, values, uniques := make([]Fact, n), make([]any, n*len(st.fields)), make([]string, n*len(st.uniques))
	for i := range facts {
		facts[i].values, values = values[:len(st.fields):len(st.fields)], values[len(st.fields):]
		facts[i].uniques, uniques = uniques[:len(st.uniques):len(st.uniques)], uniques[len(st.uniques):]
	}
	return facts
}

// fact checks a row and puts it where there is room for it.
func (s *Shard) fact(row Row, n int, f *Fact) (Fact, error) {
	st := s.statements()
	wrong := func(field, format string, args ...any) (Fact, error) {
		return Fact{}, &InputError{Shard: s.Name, Row: n, Field: field, Message: fmt.Sprintf(format, args...)}
	}
	for i, field := range st.fields {
		given, ok := row[field.Name]
		if !ok {
			return wrong(field.Name, "is missing; null says that the page shows it empty")
		}
		v, err := clean(field.Type, given)
		if err != nil {
			return wrong(field.Name, "%v", err)
		}
		if v == nil && i < len(s.Key) {
			return wrong(field.Name, "a key field cannot be null")
		}
		if text, ok := v.(string); ok && st.indexed[i] && len(text) > maxKeyText {
			return wrong(field.Name, "is longer than %d bytes, which a key cannot be", maxKeyText)
		}
		f.values[i] = v
	}
	if len(row) > len(st.fields) {
		for name := range row {
			if !slices.ContainsFunc(st.fields, func(f Field) bool { return f.Name == name }) {
				return wrong(name, "is no field of this shard")
			}
		}
	}
	f.name(st)
	return *f, nil
}

// name computes what the fact is compared by.
func (f *Fact) name(st *statements) {
	buf := make([]byte, 0, 96)
	key := 0
	for i, v := range f.values {
		if buf = appendValue(buf, v); i+1 == st.keys {
			key = len(buf)
		}
	}
	f.id = string(buf)
	f.key = f.id[:key]
	if len(f.uniques) < len(st.uniques) {
		f.uniques = make([]string, len(st.uniques))
	}
	for i, u := range st.uniques {
		f.uniques[i] = f.pick(u)
	}
	f.scope = f.pick(st.scope)
}

// pick encodes some of the values, or gives "" where one of them is NULL.
func (f *Fact) pick(at []int) string {
	if len(at) == 0 {
		return "s" // The one scope of all rows.
	}
	buf := append(make([]byte, 0, 48), 's')
	for _, i := range at {
		if f.values[i] == nil {
			return ""
		}
		buf = appendValue(buf, f.values[i])
	}
	return string(buf)
}

// contradicts says whether two facts cannot both hold at one instant.
func (f *Fact) contradicts(g *Fact) bool {
	if f.key == g.key {
		return f.id != g.id
	}
	for i, u := range f.uniques {
		if u != "" && u == g.uniques[i] {
			return true
		}
	}
	return false
}

// appendValue encodes a clean value so that no two values, and no two rows of
// values, look the same.
func appendValue(buf []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(buf, 'n')
	case bool:
		if v {
			return append(buf, 't')
		}
		return append(buf, 'f')
	case int64:
		return binary.AppendVarint(append(buf, 'i'), v)
	case float64:
		return binary.BigEndian.AppendUint64(append(buf, 'd'), math.Float64bits(v))
	case time.Time:
		return binary.AppendVarint(append(buf, '@'), v.UnixMicro())
	case string:
		return append(binary.AppendUvarint(append(buf, 's'), uint64(len(v))), v...)
	}
	panic(fmt.Sprintf("archive: a value of type %T was not cleaned", v))
}

// column returns value i of all facts as a list that goes to the database in one piece.
func column(facts []Fact, i int, kind string) any {
	switch kind {
	case Integer:
		return list[int64](facts, i)
	case Number:
		return list[float64](facts, i)
	case Boolean:
		return list[bool](facts, i)
	case Timestamp:
		return list[time.Time](facts, i)
	default:
		return list[string](facts, i)
	}
}

// list is a pointer because GORM would spread a plain slice over parameters.
func list[T any](facts []Fact, i int) any {
	if slices.ContainsFunc(facts, func(f Fact) bool { return f.values[i] == nil }) {
		out := make([]*T, len(facts))
		for n, f := range facts {
			if v, ok := f.values[i].(T); ok {
				out[n] = &v
			}
		}
		return &out
	}
	out := make([]T, len(facts))
	for n, f := range facts {
		out[n] = f.values[i].(T)
	}
	return &out
}
