package follows

import (
	"strings"

	"laurel/views/parts"
)

// Sentence says what somebody did on a day: "Mira solved 4 problems and earned Night Owl".
func Sentence(d Day) string {
	var did []string
	if d.Solved > 0 {
		did = append(did, "solved "+parts.Plural(d.Solved, "problem"))
	}
	if len(d.Awards) > 0 {
		titles := make([]string, len(d.Awards))
		for i, a := range d.Awards {
			titles[i] = a.words()
		}
		did = append(did, "earned "+strings.Join(titles, ", "))
	}
	return d.Person.DisplayName + " " + strings.Join(did, " and ")
}

// Named are the problems of a day: "1854D Garden Wall, FIXPTS and 2 more".
func Named(d Day) string {
	names := make([]string, len(d.Problems))
	for i, p := range d.Problems {
		names[i] = p.Name
	}
	words := strings.Join(names, ", ")
	if more := d.Solved - len(d.Problems); more > 0 {
		words += moreWords(more)
	}
	return words
}

func moreWords(n int) string { return " and " + parts.Number(n) + " more" }

func (a Award) words() string { return parts.Glue(a.Title, ", ", a.Level) }
