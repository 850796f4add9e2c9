package rules

import (
	"slices"
	"strings"
)

func init() { register(filters, "LanguageFilter", func() Filter { return new(languageFilter) }) }

// languageFilter takes programs in these languages. Sites write the same
// language in small and in capital letters.
type languageFilter struct {
	Languages []string `json:"languages" help:"Programming languages, as the site writes them; case does not matter."`
}

func (f *languageFilter) Pass(e *Event) bool {
	language := e.Facts.text("language")
	return language != "" && slices.ContainsFunc(f.Languages, func(l string) bool { return strings.EqualFold(l, language) })
}

func (f *languageFilter) Wants() Phrase { return oneOf("the language", f.Languages) }
