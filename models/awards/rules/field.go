package rules

import (
	"reflect"
	"strings"
	"sync"
)

// A field is one key of a document, as the form, the schema and the completion show it.
type field struct {
	Name     string
	Help     string
	Choices  []string // All that it may be, where they can be listed.
	Names    string   // What it names: source, type, fact, site or objective.
	Required bool
	index    []int
}

// fieldsOf lists what an object may hold: the struct is its only description.
// The tag optional marks what has a default and is written out all the same.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		choices := strings.Fields(f.Tag.Get("choices"))
		if c, ok := reflect.Zero(f.Type).Interface().(interface{ choices() []string }); ok {
			choices = c.choices()
		}
		fields = append(fields, field{
			Name: name, Help: f.Tag.Get("help"), Choices: choices, Names: f.Tag.Get("names"), index: f.Index,
			Required: !strings.Contains(options, "omit") && f.Tag.Get("optional") == "",
		})
	}
	fieldsByType.Store(t, fields)
	return fields
}

// fieldsByType spares every event of a stream the reading of its type.
var fieldsByType sync.Map

func names(fields []field) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name
	}
	return all
}
