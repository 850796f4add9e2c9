package rules

import "slices"

func init() { register(filters, "ObjectFilter", func() Filter { return new(objectFilter) }) }

// objectFilter takes what is about these objects: a problem, a place.
type objectFilter struct {
	Objects []string `json:"objects" help:"Ids of objects."`
}

func (f *objectFilter) Pass(e *Event) bool { return slices.Contains(f.Objects, e.Object) }

func (f *objectFilter) Wants() Phrase { return oneOf("the object", f.Objects) }
