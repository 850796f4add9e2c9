package rules

func init() {
	register(rules, "UniqueByObjectRule", func() Rule { return new(uniqueRule) })
	register(rules, "ReviewUniqueByObjectRule", func() Rule { return new(uniqueRule) }) // Its name on reviews.
}

// uniqueRule counts objects that have an item. Every item is counted in the
// cell of its object: of two reviews, one may be blocked and the object stays.
// What is about no object does not count.
type uniqueRule struct{}

func (*uniqueRule) Contribute(e *Event) (string, Amount) {
	if e.Object == "" {
		return "", 0
	}
	return e.Object, unit
}

func (*uniqueRule) Value(cells map[string]Amount) Amount {
	var n int64
	for _, items := range cells {
		if items > 0 {
			n++
		}
	}
	return Units(n)
}

func (*uniqueRule) Whole() bool { return true }

func (*uniqueRule) Counts() Phrase { return Say("different objects, each once") }
