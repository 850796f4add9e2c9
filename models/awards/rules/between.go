package rules

// between is the configuration of filters that want a number in a range, its
// ends included. One end may be left out, and not both.
type between struct {
	Min *Amount `json:"min,omitempty" help:"The smallest that passes."`
	Max *Amount `json:"max,omitempty" help:"The largest that passes."`
}

func (b *between) check(at string, m *Mistakes) {
	if b.Min == nil && b.Max == nil {
		m.add(at, "needs min, max or both")
	} else if b.Min != nil && b.Max != nil && *b.Min > *b.Max {
		m.add(join(at, "min"), "is %s, more than max %s: nothing would pass", b.Min, b.Max)
	}
}

func (b *between) has(a Amount, ok bool) bool {
	return ok && (b.Min == nil || a >= *b.Min) && (b.Max == nil || a <= *b.Max)
}

func (b *between) wants(what Phrase) Phrase {
	switch {
	case b.Min == nil:
		return Say("%s is at most %s", what, b.Max.String())
	case b.Max == nil:
		return Say("%s is at least %s", what, b.Min.String())
	}
	return Say("%s is from %s to %s", what, b.Min.String(), b.Max.String())
}
