package rules

import "slices"

func init() { register(filters, "SourceFilter", func() Filter { return new(sourceFilter) }) }

// sourceFilter takes events of these sources.
type sourceFilter struct {
	Sources []string `json:"sources" names:"source" help:"Names of sources, for example submissions or reviews."`
}

func (f *sourceFilter) Pass(e *Event) bool { return slices.Contains(f.Sources, e.Source) }

func (f *sourceFilter) Wants() Phrase { return oneOf("the source", f.Sources) }

func (f *sourceFilter) narrow(r *Reach) { r.Sources = both(r.Sources, f.Sources) }
