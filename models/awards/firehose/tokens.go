package firehose

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
)

// Tokens finds out whether a line contains one of many texts, looking at few of
// its bytes.
//
// A text of n bytes has n-2 triples of bytes. Whoever looks at every stride-th
// triple of a line meets one of any stride neighbours, so each text enters that
// many of its triples in a table, and the line is read in strides: the longer
// the shortest text, the fewer looks. A look depends on none before it, so the
// processor does several at once; that beats one bytes.Contains per text from
// the second text on, and hardly minds hundreds.
type tokens struct {
	stride int
	shift  uint32             // Of the hash, to the size of the table.
	table  []bool             // By hash of a triple: some text has it.
	places map[uint32][]place // By triple, exactly.
}

// A place is where a triple stands in a text. The text counts only in a line
// that contains also, too.
type place struct {
	text, also string
	offset     int
}

// A token is quoted, and so has three bytes or more.
const triple = 3

func newTokens(also map[string]string) *tokens {
	t := &tokens{places: map[uint32][]place{}}
	for text := range also {
		if n := len(text) - triple + 1; t.stride == 0 || n < t.stride {
			t.stride = n
		}
	}
	bits := 14 // 16 KB stay in the fastest cache.
	for bits < 20 && 1<<bits < 32*t.stride*len(also) {
		bits++
	}
	t.shift, t.table = uint32(32-bits), make([]bool, 1<<bits)
	for _, text := range slices.Sorted(maps.Keys(also)) {
		// The last ones, because names that begin alike are more than those that end alike.
		for at := len(text) - triple + 1 - t.stride; at <= len(text)-triple; at++ {
			w := uint32(text[at])<<8 | uint32(text[at+1])<<16 | uint32(text[at+2])<<24
			t.table[hash(w)>>(t.shift&31)] = true
			t.places[w] = append(t.places[w], place{text, also[text], at})
		}
	}
	return t
}

// hash spreads a triple, which is in the upper three bytes.
func hash(w uint32) uint32 { return w * 0x9E3779B1 }

// in reports whether a line that ends with the bracket of an object contains a
// text. Four bytes are read at once, so a triple at the very end is not seen;
// a quoted text cannot stand there.
func (t *tokens) in(line []byte) bool {
	if t.stride == 0 {
		return false
	}
	table, shift, stride := t.table, t.shift&31, t.stride
	for i := 0; i+4 <= len(line); i += stride {
		w := binary.LittleEndian.Uint32(line[i:]) << 8
		if table[hash(w)>>shift] && t.at(line, i, w) {
			return true
		}
	}
	return false
}

// at looks whether a text really stands around a triple.
func (t *tokens) at(line []byte, i int, w uint32) bool {
	for _, p := range t.places[w] {
		if start := i - p.offset; start >= 0 && bytes.HasPrefix(line[start:], []byte(p.text)) &&
			(p.also == "" || bytes.Contains(line, []byte(p.also))) {
			return true
		}
	}
	return false
}

// escaped reports whether a line may spell a letter, digit, _ or - as an escape,
// which JSON allows. Those of other alphabets do not begin with \u00.
func escaped(line []byte) bool {
	i := bytes.IndexByte(line, '\\')
	return i >= 0 && bytes.Contains(line[i:], []byte(`\u00`))
}
