package firehose

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/models/awards/rules"
)

func isText(v value) bool { return v.kind == '"' && len(v.raw) > len(`""`) }

func isNamed(v value) bool { return isText(v) || v.kind == '0' }

// isSomebody: many write 0 where nobody is signed in.
func isSomebody(v value) bool { return isNamed(v) && v.text() != "0" }

func isPlain(v value) bool { return isText(v) && plain(v.text()) == v.text() }

func isWhole(v value) bool {
	_, err := strconv.ParseInt(v.text(), 10, 64)
	return v.kind == '0' && err == nil
}

// plain writes a name with letters, digits, _ and - only, at most 64 of them, as
// facts and types must be called.
func plain(name string) string {
	ok := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	return ok[:min(len(ok), 64)]
}

// instant reads RFC 3339 or the time since 1970, in seconds, milli-, micro- or
// nanoseconds: of these, one alone is between 1973 and 5138.
func instant(v value) (time.Time, bool) {
	text := ""
	if isNamed(v) && len(v.raw) < 300 { // No time is longer, even if all of it is escaped.
		text = v.text()
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.UTC(), true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return fraction(text)
	}
	switch {
	case n < 0:
		return time.Time{}, false
	case n < 1e11:
		return time.Unix(n, 0).UTC(), true
	case n < 1e14:
		return time.UnixMilli(n).UTC(), true
	case n < 1e17:
		return time.UnixMicro(n).UTC(), true
	}
	return time.Unix(0, n).UTC(), true
}

// fraction reads a time with a point in it, to the microsecond: so far a float
// is exact.
func fraction(text string) (time.Time, bool) {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(f >= 0 && f < 1e14): // Not NaN either.
		return time.Time{}, false
	case f < 1e11:
		f *= 1e6
	default:
		f *= 1e3
	}
	return time.UnixMicro(int64(math.Round(f))).UTC(), true
}

const (
	maxFacts = 64       // As awards.Event.Check has it.
	maxFact  = 64 << 10 // Bytes of a text.
)

// facts are what an object of that name says, then all that was not used, by
// rank. What cannot be kept as a fact is left out: it is no reason to lose the
// event.
func (l *leveller) facts() rules.Facts {
	facts := rules.Facts{}
	put := func(f *field) {
		name := plain(string(f.name))
		if _, ok := facts[name]; ok || name == "" || len(facts) == maxFacts || slices.Contains(l.used, f) {
			return
		}
		if fact := factOf(f.value); fact != nil {
			facts[name] = fact
		}
	}
	for _, all := range [...][][]field{l.named, l.ranks} {
		for _, fields := range all {
			for i := range fields {
				put(&fields[i])
			}
		}
	}
	if len(facts) == 0 {
		return nil
	}
	return facts
}

func factOf(v value) any {
	switch v.kind {
	case '"':
		if text := v.text(); storable(text) {
			return text
		}
	case '0':
		if a, err := rules.ParseAmount(v.text()); err == nil {
			return a
		}
	case 't', 'f':
		return v.kind == 't'
	case '[':
		list := make([]string, 0, len(v.fields))
		for _, f := range v.fields {
			if f.value.kind != '"' || !storable(f.value.text()) {
				return nil
			}
			list = append(list, f.value.text())
		}
		return list
	}
	return nil
}

func storable(text string) bool { return len(text) <= maxFact && !strings.Contains(text, "\x00") }
