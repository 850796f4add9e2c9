package rules

func init() { register(filters, "DifficultyFilter", func() Filter { return new(difficultyFilter) }) }

// difficultyFilter takes what has a difficulty in this range; what has none does not pass.
type difficultyFilter struct{ between }

func (f *difficultyFilter) Pass(e *Event) bool { return f.has(e.Facts.amount("difficulty")) }

func (f *difficultyFilter) Wants() Phrase { return f.wants(Say("the difficulty")) }
