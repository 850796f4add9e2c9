// Package texts holds the texts of pages in every language, and says them.
//
// The English sentence stands where it is shown and is its key: texts.T(ctx, "Sign in"). Other
// languages are PO files of gettext with their own rules for plurals. go generate collects the
// keys of all pages in laurel.pot, and adds new ones to the other files; a test names those that
// are not translated. Data is never translated: names, titles of awards, threads.
package texts

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

type key struct{}

// With says in which language the pages of a request are; an unknown tag is English.
func With(ctx context.Context, tag string) context.Context {
	return context.WithValue(ctx, key{}, find(tag))
}

// of is the language of a request.
func of(ctx context.Context) *Language {
	if l, ok := ctx.Value(key{}).(*Language); ok {
		return l
	}
	return english
}

// Tag is the language of a request, as HTML names it: "en".
func Tag(ctx context.Context) string { return of(ctx).Tag }

// T is a text. Numbers of type int are written with the language's mark between thousands.
func T(ctx context.Context, text string, args ...any) string {
	l := of(ctx)
	return l.format(l.text(text), args)
}

// N is a text about n things, which is the first of what it shows: N(ctx, 3, "%d day", "%d days").
func N(ctx context.Context, n int, one, many string, args ...any) string {
	l := of(ctx)
	text := l.plural(n, one, many)
	if !strings.Contains(text, "%") {
		return text // The number stands by itself beside it.
	}
	return l.format(text, slices.Insert(args, 0, any(n)))
}

// Mark marks a text that stands in a table or a constant, and is said by Say.
func Mark(text string) string { return text }

// Say is a marked text, with what it shows.
func Say(ctx context.Context, marked string, args ...any) string {
	if marked == "" {
		return ""
	}
	l := of(ctx)
	return l.format(l.text(marked), args)
}

// Lower is a text that may stand within a sentence. Only English writes its nouns small there.
func Lower(ctx context.Context, text string) string {
	if of(ctx) == english {
		return strings.ToLower(text)
	}
	return text
}

// format puts what a text shows in its place.
func (l *Language) format(text string, args []any) string {
	if len(args) == 0 {
		return text
	}
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = a
		if n, ok := a.(int); ok {
			shown[i] = figure{l, n}
		}
	}
	return fmt.Sprintf(text, shown...)
}

// A figure is a number that is written as its language writes it.
type figure struct {
	language *Language
	n        int
}

// Format is for fmt.
func (f figure) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, f.language.number(f.n)) }
