package rules

import "fmt"

// A Phrase is words of a filter or a rule: a text, and what stands in it, which may be phrases. Pages say it in their own language.
type Phrase struct {
	Text string
	Args []any
}

// Say is a phrase. Its text is among those of handlers/awards/phrases.go.
func Say(text string, args ...any) Phrase { return Phrase{text, args} }

func (p Phrase) String() string {
	if len(p.Args) == 0 {
		return p.Text
	}
	return fmt.Sprintf(p.Text, p.Args...)
}
