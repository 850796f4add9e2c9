package rules

func init() { register(filters, "TextLengthFilter", func() Filter { return new(textLengthFilter) }) }

// textLengthFilter takes texts of a length in this range, in characters.
type textLengthFilter struct{ between }

func (f *textLengthFilter) Pass(e *Event) bool { return f.has(e.Facts.length()) }

func (f *textLengthFilter) Wants() string { return f.wants("the number of characters") }
