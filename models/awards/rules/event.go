package rules

import (
	"cmp"
	"reflect"
	"strings"
	"time"
)

// An Event says that an item of a source (a submission, a message, a photo) is
// now in a state, or that something was done. All flows speak it.
type Event struct {
	Source string    `json:"source,omitempty"`
	ID     string    `json:"id,omitempty"`   // Once per source: the same id again is the same event.
	Item   string    `json:"item,omitempty"` // What it is about, stable over edits.
	Seq    int64     `json:"seq,omitempty"`  // The producer's order among the events of an item.
	Member string    `json:"member,omitempty"`
	Type   string    `json:"type,omitempty"`
	Object string    `json:"object,omitempty"` // What the item belongs to: a problem, a company.
	Status string    `json:"status,omitempty"` // Empty where the source has no status model.
	At     time.Time `json:"at,omitzero"`
	Facts  Facts     `json:"facts,omitempty"`

	// Zone is the member's, put on when the event comes in: who moves later does
	// not change which days there were. Nil is UTC.
	Zone *time.Location `json:"-"`
}

// Active is the status in which an item counts.
const Active = "active"

// ParseEvent reads one event as others send it. An unknown key is refused: a
// misspelt status would count forever.
func ParseEvent(line []byte) (Event, Mistakes) { return ParseEventOf(line, "") }

// ParseEventOf is ParseEvent for what comes from a source, which the event need not name.
func ParseEventOf(line []byte, source string) (Event, Mistakes) {
	if e, ok := quickEvent(line, source); ok {
		return e, nil
	}
	return strictEvent(line, source)
}

// strictEvent reads an event and knows where each mistake stands.
func strictEvent(line []byte, source string) (e Event, m Mistakes) {
	e.Source = source
	v := parse(line, &m)
	if v.kind == 0 {
		return e, m
	}
	fill(v, reflect.ValueOf(&e).Elem(), &m)
	if v.kind == '{' {
		e.check(&m)
	}
	return e, m
}

// Check says what is missing or wrong, by the name of the field.
func (e Event) Check() Mistakes {
	var m Mistakes
	e.check(&m)
	return m
}

func (e *Event) check(m *Mistakes) {
	for _, f := range []struct {
		name, text      string
		required, plain bool
	}{
		{"source", e.Source, true, true}, {"id", e.ID, true, false}, {"member", e.Member, true, false}, {"type", e.Type, true, true},
		{"item", e.Item, e.Status != "", false}, {"object", e.Object, false, false}, {"status", e.Status, false, true},
	} {
		switch {
		case f.text == "":
			if f.required && f.name == "item" {
				m.add(f.name, "is missing: an event with a status needs an item")
			} else if f.required {
				m.add(f.name, "is missing")
			}
		case len(f.text) > 500:
			m.add(f.name, "is longer than 500 bytes")
		case strings.ContainsRune(f.text, 0):
			m.add(f.name, "contains the character NUL, which cannot be stored")
		case f.plain && !plainName(f.text):
			m.add(f.name, "must be letters, digits, _ and - only, at most 64")
		}
	}
	if e.Seq < 0 {
		m.add("seq", "must not be negative, it is %d", e.Seq)
	}
	if e.At.IsZero() {
		m.add("at", "is missing")
	} else if y := e.At.Year(); y < 1970 || y > 9999 {
		m.add("at", "must be between 1970 and 9999, not %d", y)
	}
	e.Facts.check(m)
}

// Standing is the status under which an item is counted. What has no status
// model was done or was not: it counts.
func (e *Event) Standing() string { return cmp.Or(e.Status, Active) }

// Key names the row of the ledger: the item, or the event itself where nothing
// can change later.
func (e *Event) Key() string {
	if e.Status == "" {
		return "event:" + e.ID
	}
	return "item:" + e.Item
}

func (e *Event) local() time.Time {
	if e.Zone == nil {
		return e.At.UTC()
	}
	return e.At.In(e.Zone)
}
