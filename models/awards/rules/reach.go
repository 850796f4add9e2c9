package rules

import "slices"

// A Reach bounds which events can matter to an objective: those of these
// sources and types. Nil is any; an empty list that is not nil is none.
type Reach struct{ Sources, Types []string }

// A narrower is a filter that names sources or types. All other filters see
// what only a whole event can say, so they bound nothing.
type narrower interface{ narrow(r *Reach) }

// Reach of all filters together. It may be wider than what they pass, never
// narrower: a stream is thinned by it.
func (o *Objective) Reach() Reach {
	var r Reach
	for _, f := range o.Filters {
		if n, ok := f.Config.(narrower); ok {
			n.narrow(&r)
		}
	}
	return r
}

// both is what is in two lists, of which the first may be nil for any.
func both(all, list []string) []string {
	in := make([]string, 0, len(list))
	for _, s := range list {
		if all == nil || slices.Contains(all, s) {
			in = append(in, s)
		}
	}
	return in
}

// ParseAmount reads the text of a JSON number as facts hold it: what is finer
// than a millionth is cut towards zero.
func ParseAmount(text string) (Amount, error) {
	a, _, err := amountOf(text)
	return a, err
}
