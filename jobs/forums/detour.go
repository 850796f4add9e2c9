package forums

import (
	"strconv"
	"strings"
)

// A Detourer is a kind of archive that is one list, of which the rest can be read
// where a page of it cannot.
type Detourer interface {
	// Detour says what to ask instead of a page that cannot be read: smaller ones,
	// its messages, or what comes after it. left says that the page is left out
	// then; ok is false where there is no way past it.
	Detour(s Step) (instead Found, left, ok bool)
	// Return is the step that reads again what was left out, when the list holds
	// count messages; 0 if unknown.
	Return(s Step, count int) Step
}

// A Broken part of a page is one that cannot be read, though the rest of it can.
type Broken struct {
	Step   Step // What to ask later, to see whether it is well.
	Reason string
}

// Key names a step for as long as it may be asked for again: where addresses shift
// with what arrives, it is known by its place, counted from the list's end.
func (s Step) Key() string {
	if s.Count == 0 {
		return s.Address
	}
	list, _, _ := strings.Cut(s.Address, "offset=")
	return list + "offset=#" + strconv.Itoa(s.Count-offset(s.Address))
}
