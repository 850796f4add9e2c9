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
	facts := s.statements().room(1)
	if err := s.check(row, n, &facts[0]); err != nil {
		return Fact{}, err
	}
	s.statements().name(facts)
	return facts[0], nil
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

// check checks a row and puts its values where there is room for them.
func (s *Shard) check(row Row, n int, f *Fact) error {
	st := s.statements()
	wrong := func(field, format string, args ...any) error {
		return &InputError{Shard: s.Name, Row: n, Field: field, Message: fmt.Sprintf(format, args...)}
	}
	for i := range st.fields {
		field := &st.fields[i]
		given, ok := row[field.Name]
		if !ok {
			return wrong(field.Name, "is missing; send null for a field that the page shows empty")
		}
		v, err := clean(field.Type, given)
		if err != nil {
			return wrong(field.Name, "%v", err)
		}
		if v == nil && i < len(s.Key) {
			return wrong(field.Name, "a key field cannot be null")
		}
		if text, ok := v.(string); ok && st.indexed[i] && len(text) > maxKeyText {
			return wrong(field.Name, "is longer than %d bytes, the limit for keys", maxKeyText)
		}
		f.values[i] = v
	}
	if len(row) > len(st.fields) {
		for name := range row {
			if !slices.ContainsFunc(st.fields, func(f Field) bool { return f.Name == name }) {
				return wrong(name, "is not a field of this shard")
			}
		}
	}
	return nil
}

// name computes what facts are compared by, all of it as parts of one text.
func (st *statements) name(facts []Fact) {
	buf, ends := make([]byte, 0, 48*len(facts)), make([]int, 0, (3+len(st.uniques))*len(facts))
	for i := range facts {
		f := &facts[i]
		for n, v := range f.values {
			if buf = appendValue(buf, v); n+1 == st.keys {
				ends = append(ends, len(buf))
			}
		}
		ends = append(ends, len(buf))
		for _, u := range st.uniques {
			buf = f.pick(buf, u)
			ends = append(ends, len(buf))
		}
		buf = f.pick(buf, st.scope)
		ends = append(ends, len(buf))
	}
	text, from := string(buf), 0
	for i := range facts {
		f := &facts[i]
		f.key, f.id = text[from:ends[0]], text[from:ends[1]]
		from, ends = ends[1], ends[2:]
		for u := range f.uniques {
			f.uniques[u] = text[from:ends[0]]
			from, ends = ends[0], ends[1:]
		}
		f.scope = text[from:ends[0]]
		from, ends = ends[0], ends[1:]
	}
}

// pick encodes some of the values, or adds nothing where one of them is NULL.
// No fields at all are the one scope of all rows.
func (f *Fact) pick(buf []byte, at []int) []byte {
	before := len(buf)
	buf = append(buf, 's')
	for _, i := range at {
		if f.values[i] == nil {
			return buf[:before]
		}
		buf = appendValue(buf, f.values[i])
	}
	return buf
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
	out := make([]T, len(facts))
	for n := range facts {
		v, ok := facts[n].values[i].(T)
		if !ok {
			return listWithNull[T](facts, i)
		}
		out[n] = v
	}
	return &out
}

func listWithNull[T any](facts []Fact, i int) any {
	out := make([]*T, len(facts))
	for n := range facts {
		if v, ok := facts[n].values[i].(T); ok {
			out[n] = &v
		}
	}
	return &out
}
