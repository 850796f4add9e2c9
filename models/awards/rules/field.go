package rules

import (
	"reflect"
	"strings"
	"sync"
)

// A field is one key of a configuration, as the admin form shows it.
type field struct {
	Name     string
	Help     string
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
		fields = append(fields, field{
			Name: name, Help: f.Tag.Get("help"), index: f.Index,
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
