package rules

func init() { register(filters, "TextLengthFilter", func() Filter { return new(textLengthFilter) }) }

// textLengthFilter takes texts of a length in this range, in characters.
type textLengthFilter struct{ between }

func (f *textLengthFilter) Pass(e *Event) bool { return f.has(e.Facts.length()) }

func (f *textLengthFilter) Wants() Phrase { return f.wants(Say("the number of characters")) }
