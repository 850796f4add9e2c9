package rules

import "fmt"

func init() {
	register(filters, "ReviewsLengthFilter", func() Filter { return new(reviewsLengthFilter) })
}

// reviewsLengthFilter takes reviews whose text contains more than so many
// characters: of 100, a text of 100 does not pass and one of 101 does.
type reviewsLengthFilter struct {
	AllowedLength int64 `json:"allowed_length" help:"The text must contain more characters than this."`
}

func (f *reviewsLengthFilter) check(at string, m *Mistakes) {
	if f.AllowedLength < 0 || f.AllowedLength > maxUnits {
		m.add(join(at, "allowed_length"), "must be between 0 and %d, not %d", maxUnits, f.AllowedLength)
	}
}

func (f *reviewsLengthFilter) Pass(e *Event) bool {
	n, ok := e.Facts.length()
	return ok && n > Units(f.AllowedLength)
}

func (f *reviewsLengthFilter) Wants() Phrase {
	return Say("the text has more than %s characters", fmt.Sprint(f.AllowedLength))
}
