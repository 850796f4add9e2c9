package rules

func init() { register(filters, "NumberFilter", func() Filter { return new(numberFilter) }) }

// numberFilter takes what has a fact in this range.
type numberFilter struct {
	Fact string `json:"fact" names:"fact" help:"The fact that is a number, for example rank."`
	between
}

func (f *numberFilter) Pass(e *Event) bool { return f.has(e.Facts.amount(f.Fact)) }

func (f *numberFilter) Wants() Phrase { return f.wants(Say("the %s", f.Fact)) }
