package shards

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Row is what a response says for one fact, by the names of the shard's fields.
// All fields are there: null says that the page shows the field empty, and a
// page that does not show it at all belongs to another shard. Only a field that was
// added later is left out of what was seen before it was asked for.
type Row = map[string]any

// A Fact is a row that was checked against its shard: its values, and what it
// is compared by.
type Fact struct {
	Values  []any // Key fields, then data fields.
	ID      string
	Key     string
	Uniques []string // "" where a field is NULL: outside the constraint.
	Scope   string   // "" where a field is NULL: in no scope.
}

// maxKeyText bounds text in keys: an index takes no entry longer than 2,700 bytes.
const maxKeyText = 500

// Fact checks a row. n is its place among the rows given, for the message.
func (l *Layout) Fact(row Row, n int) (Fact, error) {
	facts := l.Room(1)
	if err := l.Fill(row, n, &facts[0]); err != nil {
		return Fact{}, err
	}
	l.Name(facts)
	return facts[0], nil
}

// Room makes n facts in a few pieces of memory.
func (l *Layout) Room(n int) []Fact {
	facts, values, uniques := make([]Fact, n), make([]any, n*len(l.Fields)), make([]string, n*len(l.Uniques))
	for i := range facts {
		facts[i].Values, values = values[:len(l.Fields):len(l.Fields)], values[len(l.Fields):]
		facts[i].Uniques, uniques = uniques[:len(l.Uniques):len(l.Uniques)], uniques[len(l.Uniques):]
	}
	return facts
}

// Fill checks a row and puts its values where there is room for them.
func (l *Layout) Fill(row Row, n int, f *Fact) error {
	wrong := func(field, format string, args ...any) error {
		return &InputError{Shard: l.Shard, Row: n, Field: field, Message: fmt.Sprintf(format, args...)}
	}
	known, mask := 0, int64(0)
	for i := range l.Fields {
		field := &l.Fields[i]
		if i == l.Asked {
			f.Values[i] = mask
			continue
		}
		given, ok := row[field.Name]
		if !ok && l.bits[i] >= 0 {
			f.Values[i] = nil // See Missing.
			continue
		}
		if !ok {
			return wrong(field.Name, "is missing; send null for a field that the page shows empty")
		}
		v, err := Clean(field.Type, given)
		if err != nil {
			return wrong(field.Name, "%v", err)
		}
		if v == nil && i < l.Keys {
			return wrong(field.Name, "a key field cannot be null")
		}
		if text, ok := v.(string); ok && l.indexed[i] && len(text) > maxKeyText {
			return wrong(field.Name, "is longer than %d bytes, the limit for keys", maxKeyText)
		}
		f.Values[i] = v
		known++
		if l.bits[i] >= 0 {
			mask |= 1 << l.bits[i]
		}
	}
	if len(row) > known {
		return wrong(l.unknown(row), "is not a field of this shard")
	}
	return nil
}

// unknown is what a row has and the shard does not.
func (l *Layout) unknown(row Row) string {
	for name := range row {
		if !slices.ContainsFunc(l.Fields, func(f Field) bool { return f.Name == name && name != asked }) {
			return name
		}
	}
	return ""
}

// Name computes what facts are compared by, all of it as parts of one text.
func (l *Layout) Name(facts []Fact) {
	buf, ends := make([]byte, 0, 48*len(facts)), make([]int, 0, (3+len(l.Uniques))*len(facts))
	for i := range facts {
		f := &facts[i]
		left := 0 // Fields without a value: those after the last value leave no trace, as when they were not there yet.
		for n, v := range f.Values {
			if n == l.Asked {
				continue
			}
			if !l.Has(f, n) {
				left++
				continue
			}
			for ; left > 0; left-- {
				buf = append(buf, 'x')
			}
			if buf = AppendValue(buf, v); n+1 == l.Keys {
				ends = append(ends, len(buf))
			}
		}
		ends = append(ends, len(buf))
		for _, u := range l.Uniques {
			buf = f.Pick(buf, u)
			ends = append(ends, len(buf))
		}
		buf = f.Pick(buf, l.Scope)
		ends = append(ends, len(buf))
	}
	text, from := string(buf), 0
	for i := range facts {
		f := &facts[i]
		f.Key, f.ID = text[from:ends[0]], text[from:ends[1]]
		from, ends = ends[1], ends[2:]
		for u := range f.Uniques {
			f.Uniques[u] = text[from:ends[0]]
			from, ends = ends[0], ends[1:]
		}
		f.Scope = text[from:ends[0]]
		from, ends = ends[0], ends[1:]
	}
}

// Pick encodes some of the values, or adds nothing where one of them is NULL.
// No fields at all are the one scope of all rows.
func (f *Fact) Pick(buf []byte, at []int) []byte {
	before := len(buf)
	buf = append(buf, 's')
	for _, i := range at {
		if f.Values[i] == nil {
			return buf[:before]
		}
		buf = AppendValue(buf, f.Values[i])
	}
	return buf
}

// Contradicts says whether two facts cannot both hold at one instant.
func (f *Fact) Contradicts(g *Fact) bool {
	if f.Key == g.Key {
		return f.ID != g.ID
	}
	for i, u := range f.Uniques {
		if u != "" && u == g.Uniques[i] {
			return true
		}
	}
	return false
}

// AppendValue encodes a clean value so that no two values, and no two rows of
// values, look the same.
func AppendValue(buf []byte, v any) []byte {
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
	panic(fmt.Sprintf("shards: a value of type %T was not cleaned", v))
}

// Column returns value i of all facts as a list that goes to the database in one piece.
func Column(facts []Fact, i int, kind string) any {
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
		v, ok := facts[n].Values[i].(T)
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
		if v, ok := facts[n].Values[i].(T); ok {
			out[n] = &v
		}
	}
	return &out
}
