package rules

func init() { register(rules, "CountRule", func() Rule { return new(countRule) }) }

// countRule counts items.
type countRule struct{}

func (*countRule) Contribute(*Event) (string, Amount) { return "", unit }

func (*countRule) Value(cells map[string]Amount) Amount { return cells[""] }

func (*countRule) Whole() bool { return true }

func (*countRule) Counts() Phrase { return Say("every item") }
