package rules

func init() { register(filters, "RatingFilter", func() Filter { return new(ratingFilter) }) }

// ratingFilter takes what has a rating in this range; what has none does not pass.
type ratingFilter struct{ between }

func (f *ratingFilter) Pass(e *Event) bool { return f.has(e.Facts.amount("rating")) }

func (f *ratingFilter) Wants() Phrase { return f.wants(Say("the rating")) }
