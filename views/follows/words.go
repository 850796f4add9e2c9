package follows

import (
	"context"
	"strings"

	"laurel/views/parts"
	"laurel/views/texts"
)

// Sentence says what somebody did on a day: "Mira solved 4 problems and earned Night Owl".
func Sentence(ctx context.Context, d Day) string {
	var did []string
	if d.Solved > 0 {
		did = append(did, texts.N(ctx, d.Solved, "solved %d problem", "solved %d problems"))
	}
	if len(d.Awards) > 0 {
		titles := make([]string, len(d.Awards))
		for i, a := range d.Awards {
			titles[i] = a.words()
		}
		did = append(did, texts.T(ctx, "earned %s", strings.Join(titles, ", ")))
	}
	return d.Person.DisplayName + " " + strings.Join(did, texts.T(ctx, " and "))
}

// Named are the problems of a day: "1854D Garden Wall, FIXPTS and 2 more".
func Named(ctx context.Context, d Day) string {
	names := make([]string, len(d.Problems))
	for i, p := range d.Problems {
		names[i] = p.Name
	}
	words := strings.Join(names, ", ")
	if more := d.Solved - len(d.Problems); more > 0 {
		words += moreWords(ctx, more)
	}
	return words
}

func moreWords(ctx context.Context, n int) string { return " " + texts.T(ctx, "and %d more", n) }

func (a Award) words() string { return parts.Glue(a.Title, ", ", a.Level) }
