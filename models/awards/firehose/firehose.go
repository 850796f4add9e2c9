// Package firehose thins a stream of analytics to the few events that active
// awards can want, and makes one format of several. docs/api.md says what
// becomes of which key.
//
// It is quick because most lines are never decoded: what is wanted has a type
// that must be in its line as it is, so a line without any such text is
// dropped. The rule that holds here is that this never loses an event. A type
// spelt with escapes passes; values are compared decoded; and one in a
// thousand of the dropped lines is decoded all the same, to prove it.
package firehose

import (
	"encoding/binary"

	"laurel/models/awards/rules"
)

// A Filter keeps what some awards want. It does not change, so streams may share
// it; make a new one when awards are activated or edited.
type Filter struct {
	source string
	wanted wanted
	all    bool // Every line is decoded.
	tokens *tokens
}

// New makes the filter of these awards, for lines that come from source where
// they name no other.
func New(active []rules.Award, source string) *Filter {
	w, n := wantedBy(active, source)
	return &Filter{source, w, n.all, newTokens(n.texts)}
}

// Counts tell what became of the lines that are not blank: Lines is the sum of
// Kept, Dropped, Anonymous and Rejected.
type Counts struct {
	Lines     int64 `json:"lines"`
	Kept      int64 `json:"kept"`
	Dropped   int64 `json:"dropped"`   // No award wants it.
	Anonymous int64 `json:"anonymous"` // Wanted, but of nobody.
	Rejected  int64 `json:"rejected"`  // Wanted or perhaps wanted, and not readable.

	Audited        int64 `json:"audited"`         // Of those without a token: decoded all the same.
	FalseNegatives int64 `json:"false_negatives"` // Of those: wanted. Must be 0.

	Rejects []Reject `json:"rejects,omitempty"` // The first ones.
}

// A Reject is a line that could not be read.
type Reject struct {
	Line  int64  `json:"line"` // The first is 1; blank ones count here.
	Error string `json:"error"`
}

const maxRejects = 100

func (c *Counts) reject(line int64, why string) {
	c.Rejected++
	if len(c.Rejects) < maxRejects {
		c.Rejects = append(c.Rejects, Reject{line, why})
	}
}

// passes reports whether a line may be wanted.
func (f *Filter) passes(line []byte) bool {
	return f.all || f.tokens.in(line) || f.tokens.stride > 0 && escaped(line)
}

// audited picks one line in a thousand by its content: the same ones wherever
// they stand and however the stream is cut. The hash is multilinear: its words
// do not wait for each other, as those of a checksum do.
func audited(line []byte) bool {
	var last [8]byte
	factor := uint64(0x9E3779B97F4A7C15)
	sum := uint64(len(line)) * factor
	for ; len(line) >= 32; line = line[32:] {
		w := (*[32]byte)(line)
		sum += binary.LittleEndian.Uint64(w[:])*factor + binary.LittleEndian.Uint64(w[8:])*(factor+2) +
			binary.LittleEndian.Uint64(w[16:])*(factor+4) + binary.LittleEndian.Uint64(w[24:])*(factor+6)
		factor += 0xD1B54A32D192ED00 // Even, so that the factors stay odd.
	}
	for ; len(line) >= 8; line = line[8:] {
		sum += binary.LittleEndian.Uint64(line) * factor
		factor += 2
	}
	copy(last[:], line)
	sum += binary.LittleEndian.Uint64(last[:]) * factor
	return sum>>32%1000 == 0 // The upper half depends on all bits.
}

// A verdict is what is to be done with a line.
type verdict int

const (
	drop verdict = iota
	keep
	anonymous
	reject
)

// judge decodes a line whole.
func (f *Filter) judge(d *decoder, l *leveller, line []byte) (rules.Event, verdict, string) {
	root, err := d.decode(line)
	if err != nil {
		return rules.Event{}, reject, err.Error()
	}
	l.take(root)
	e := l.head(f.source)
	switch {
	case !f.wanted.takes(&e):
		return e, drop, ""
	case e.Member == "":
		return e, anonymous, ""
	}
	if why := l.rest(&e, line); why != "" {
		return e, reject, why
	}
	if m := e.Check(); len(m) > 0 {
		return e, reject, m[0].String()
	}
	return e, keep, ""
}
