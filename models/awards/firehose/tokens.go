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
// the shortest text, the fewer probes. A probe depends on none before it, so the
// processor does several at once, and hundreds of texts take as long as three.
type tokens struct {
	stride int
	has    [tableSize]bool // By hash of a triple: some text has it. What is asked all the time is small.
	first  []int32         // By the same hash: a place and one.
	places []place
}

const (
	tableBits = 15
	tableSize = 1 << tableBits
)

// A place is where a triple is in a text. The text counts only in a line
// that contains also, too.
type place struct {
	triple     uint32
	next       int32 // Of the same hash, as in first.
	text, also string
	offset     int
}

// A token is quoted, and so has three bytes or more.
const triple = 3

func newTokens(also map[string]string) *tokens {
	t := &tokens{first: make([]int32, tableSize)}
	for text := range also {
		if n := len(text) - triple + 1; t.stride == 0 || n < t.stride {
			t.stride = n
		}
	}
	for _, text := range slices.Sorted(maps.Keys(also)) {
		// The last ones, because names that begin alike are more than those that end alike.
		for at := len(text) - triple + 1 - t.stride; at <= len(text)-triple; at++ {
			w := uint32(text[at])<<8 | uint32(text[at+1])<<16 | uint32(text[at+2])<<24
			h := hash(w)
			t.places = append(t.places, place{w, t.first[h], text, also[text], at})
			t.has[h], t.first[h] = true, int32(len(t.places))
		}
	}
	return t
}

// hash spreads a triple, which is in the upper three bytes.
func hash(w uint32) uint32 { return w * 0x9E3779B1 >> (32 - tableBits) }

// in reports whether a line that ends with the bracket of an object contains a
// text. Four bytes are read at once, so a triple at the very end is not seen;
// a quoted text cannot be there.
func (t *tokens) in(line []byte) bool {
	if t.stride == 0 {
		return false
	}
	has, stride := &t.has, t.stride
	for i := 0; i+4 <= len(line); i += stride {
		w := binary.LittleEndian.Uint32(line[i:]) << 8
		if has[hash(w)] && t.at(line, i, w) {
			return true
		}
	}
	return false
}

// at looks whether a text really is around a triple.
func (t *tokens) at(line []byte, i int, w uint32) bool {
	for n := t.first[hash(w)]; n != 0; n = t.places[n-1].next {
		p := &t.places[n-1]
		if start := i - p.offset; p.triple == w && start >= 0 && bytes.HasPrefix(line[start:], []byte(p.text)) &&
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
