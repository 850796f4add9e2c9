package rules

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Facts are what an event says besides its place: texts, numbers, yes or no,
// lists of texts. Go code puts string, Amount, bool or []string there.
//
// Named filters and rules read these: site, language, difficulty, rating, tags,
// contest, participation, first_solve, text, length. A fact that is not there makes a filter
// refuse, never guess.
type Facts map[string]any

const maxFacts = 64

// Text of a fact; empty when there is none.
func (f Facts) text(name string) string {
	s, _ := f[name].(string)
	return s
}

// Amount of a fact, and whether there is one.
func (f Facts) amount(name string) (Amount, bool) {
	a, ok := f[name].(Amount)
	return a, ok
}

// length is how many characters a text has, as people count them: composed, and
// without the space around it. A source that keeps its texts to itself may send
// the length alone.
func (f Facts) length() (Amount, bool) {
	if s, ok := f["text"].(string); ok {
		return Units(int64(len([]rune(strings.TrimSpace(norm.NFC.String(s)))))), true
	}
	return f.amount("length")
}

func (f *Facts) fill(v value, m *Mistakes) {
	if !v.is('{', "an object", m) {
		return
	}
	*f = make(Facts, len(v.keys))
	for i, key := range v.keys {
		if fact := factOf(v.fields[i], m); fact != nil {
			(*f)[key] = fact
		}
	}
}

// factOf reads one fact. Null says what absence says: nobody knows it.
func factOf(v value, m *Mistakes) any {
	switch v.kind {
	case '"':
		return v.text
	case 't', 'f':
		return v.kind == 't'
	case '0':
		a, _, err := amountOf(v.text)
		if err != nil {
			m.add(v.path, "%s", err)
		}
		return a
	case '[':
		list := make([]string, 0, len(v.items))
		for _, item := range v.items {
			if item.is('"', "a text", m) {
				list = append(list, item.text)
			}
		}
		return list
	case '{':
		m.add(v.path, "must be a text, a number, true, false or a list of texts, not an object")
	}
	return nil
}

// check reports what is wrong with facts that were made in Go, too.
func (f Facts) check(m *Mistakes) {
	if len(f) > maxFacts {
		m.add("facts", "has %d entries; the limit is %d", len(f), maxFacts)
	}
	for name, fact := range f {
		at := join("facts", name)
		if !plainName(name) {
			m.add(at, "is not a name: letters, digits, _ and - only, at most 64")
		}
		switch fact.(type) {
		case string, Amount, bool, []string:
		default:
			m.add(at, "must be a text, a number, true, false or a list of texts, not %s", fmt.Sprintf("%T", fact))
		}
	}
	slices.SortStableFunc(*m, func(a, b Mistake) int { return strings.Compare(a.Path, b.Path) }) // A map has no order.
}
