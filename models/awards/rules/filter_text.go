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

func (f *textFilter) Wants() Phrase {
	if len(f.Without) > 0 {
		return Say("the %s contains %s and not %s", f.Fact, either(f.Contains), either(f.Without))
	}
	return Say("the %s contains %s", f.Fact, either(f.Contains))
}

// either is a list of texts, any of which will do.
func either(list []string) Phrase {
	words := Say("%s", `"`+list[0]+`"`)
	for _, s := range list[1:] {
		words = Say("%s or %s", words, `"`+s+`"`)
	}
	return words
}
