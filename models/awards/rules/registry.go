package rules

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Filter says whether an event suits an objective. Its type is its
// configuration, a struct with one exported field per key.
type Filter interface {
	// Pass must depend on the event alone: the same event always gives the same.
	Pass(e *Event) bool
	// Wants says in plain words what passes.
	Wants() Phrase
}

// A Rule says what a suitable item adds to the counters of an objective.
type Rule interface {
	// Contribute returns the cell the item is counted in and how much it adds;
	// nothing is added where the amount is 0.
	Contribute(e *Event) (key string, amount Amount)
	// Value is the counter that the cells of one status amount to. Cells whose
	// amount is 0 count as if they were not there.
	Value(cells map[string]Amount) Amount
	// Whole reports whether the counter moves by whole units only.
	Whole() bool
	// Counts says in plain words what is counted.
	Counts() Phrase
}

// A checker is a configuration with more to it than types and names.
type checker interface{ check(at string, m *Mistakes) }

var (
	filters = map[string]func() Filter{}
	rules   = map[string]func() Rule{}
)

func register[T any](in map[string]func() T, name string, make func() T) {
	if _, ok := in[name]; ok {
		panic("awards: two are named " + name)
	}
	in[name] = make
}

// A Part is a filter or a rule as a document names it.
type Part[T any] struct {
	Name   string `json:"name"`
	Config T      `json:"config"`
}

func (p *Part[T]) fill(v value, m *Mistakes) {
	var raw struct {
		Name   string `json:"name"`
		Config value  `json:"config,omitempty"`
	}
	fillStruct(v, reflect.ValueOf(&raw).Elem(), m)
	known, kind := registryOf[T]()
	make, ok := known[raw.Name]
	if !ok {
		if raw.Name != "" {
			m.add(join(v.path, "name"), "no %s is named %q (known: %s)", kind, raw.Name,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		return
	}
	p.Name, p.Config = raw.Name, make()
	config := raw.Config
	if config.kind == 0 { // A part without a configuration has an empty one.
		config = value{path: join(v.path, "config"), kind: '{'}
	}
	before := len(*m)
	fill(config, reflect.ValueOf(p.Config).Elem(), m)
	if c, ok := any(p.Config).(checker); ok && len(*m) == before {
		c.check(config.path, m)
	}
}

// fill keeps a value as it is, to be read when its name is known.
func (v *value) fill(from value, _ *Mistakes) { *v = from }

func registryOf[T any]() (known map[string]func() T, kind string) {
	if known, ok := any(filters).(map[string]func() T); ok {
		return known, "filter"
	}
	return any(rules).(map[string]func() T), "rule"
}

// A Kind is a filter or a rule that documents may name, with the keys of its
// configuration. The admin form and the manual are made of it.
type Kind struct {
	Name string
	Rule bool
	Keys []Key
}

// A Key of a configuration. Of is text, number, whole number, time of day or list of texts. Choices and Names
// are as in a field.
type Key struct {
	Name, Help, Of string
	Choices        []string
	Names          string
	Required       bool
}

// Kinds lists all filters, then all rules, by name.
func Kinds() []Kind {
	var kinds []Kind
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		kinds = append(kinds, Kind{Name: name, Keys: keysOf(filters[name]())})
	}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		kinds = append(kinds, Kind{Name: name, Rule: true, Keys: keysOf(rules[name]())})
	}
	return kinds
}

func keysOf(config any) []Key {
	t := reflect.TypeOf(config).Elem()
	fields := fieldsOf(t)
	keys := make([]Key, len(fields))
	for i, f := range fields {
		keys[i] = Key{f.Name, f.Help, typeName(t.FieldByIndex(f.index).Type), f.Choices, f.Names, f.Required}
	}
	return keys
}

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, written := texts[t]
	switch {
	case t == reflect.TypeFor[clock]():
		return "time of day"
	case written:
		return "text"
	case t == reflect.TypeFor[Amount]():
		return "number"
	case t.Kind() == reflect.Slice:
		return "list of texts"
	case t.Kind() == reflect.Int64:
		return "whole number"
	}
	return "text"
}

// oneOf is the sentence of a filter with a list.
func oneOf(what string, list []string) Phrase {
	if len(list) == 1 {
		return Say("%s is %s", Say(what), strconv.Quote(list[0]))
	}
	return Say("%s is one of %s", Say(what), fmt.Sprintf("%q", list))
}
