package rules

import (
	"slices"
	"strings"
)

func init() { register(filters, "TextFilter", func() Filter { return new(textFilter) }) }

// textFilter takes what has one of these words somewhere in a fact, and none of the others. Case does not matter.
type textFilter struct {
	Fact     string   `json:"fact" names:"fact" help:"The fact that is a text, for example language."`
	Contains []string `json:"contains" help:"One of these must be in it; case does not matter."`
	Without  []string `json:"without,omitempty" help:"None of these may be in it."`
}

func (f *textFilter) Pass(e *Event) bool {
	text := strings.ToLower(e.Facts.text(f.Fact))
	in := func(s string) bool { return strings.Contains(text, strings.ToLower(s)) }
	return slices.ContainsFunc(f.Contains, in) && !slices.ContainsFunc(f.Without, in)
}

func (f *textFilter) Wants() string {
	words := "the " + f.Fact + " contains " + quoted(f.Contains, " or ")
	if len(f.Without) > 0 {
		words += " and not " + quoted(f.Without, " or ")
	}
	return words
}

func quoted(list []string, between string) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = `"` + s + `"`
	}
	return strings.Join(words, between)
}
