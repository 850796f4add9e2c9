package rules

import "slices"

func init() { register(filters, "TypeFilter", func() Filter { return new(typeFilter) }) }

// typeFilter takes events of these types.
type typeFilter struct {
	Types []string `json:"types" names:"type" help:"Types of events."`
}

func (f *typeFilter) Pass(e *Event) bool { return slices.Contains(f.Types, e.Type) }

func (f *typeFilter) Wants() Phrase { return oneOf("the type", f.Types) }

func (f *typeFilter) narrow(r *Reach) { r.Types = both(r.Types, f.Types) }
