package cards

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"laurel/views/parts"
)

// Badge draws a flat badge with how many problems the member has solved.
func (c Card) Badge() []byte {
	if c.Name == "" {
		return flat("community", c.Community)
	}
	return flat(c.Community, parts.Number(c.Solved)+" solved")
}

// flat draws two halves beside each other.
func flat(label, message string) []byte {
	label, message = cut(label, 40), cut(message, 40)
	left, right := textWidth(label)+12, textWidth(message)+12
	b := &strings.Builder{}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" viewBox="0 0 %[1]d 20" role="img" `+
		`aria-label="%[2]s: %[3]s" font-family="Verdana,Geneva,'DejaVu Sans',sans-serif" font-size="11" fill="#fff">`+
		`<title>%[2]s: %[3]s</title>`,
		left+right, html.EscapeString(label), html.EscapeString(message))
	fmt.Fprintf(b, `<path fill="#4b544e" d="M%[1]d 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3h%[2]dz"/>`, left, left-3)
	fmt.Fprintf(b, `<path fill="#22694a" d="M%[1]d 0h%[2]da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H%[1]dz"/>`, left, right-3)
	fmt.Fprintf(b, `<text x="6" y="14" textLength="%d">%s</text><text x="%d" y="14" textLength="%d">%s</text></svg>`,
		left-12, html.EscapeString(label), left+6, right-12, html.EscapeString(message))
	return []byte(b.String())
}

// textWidth is about how wide a text is in Verdana of 11 pixels; the picture stretches it to that.
func textWidth(s string) int { return 13 * utf8.RuneCountInString(s) / 2 }
