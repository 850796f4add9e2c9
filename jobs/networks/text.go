package networks

import (
	"html"
	"regexp"
	"strings"
)

// unescaped undoes what X does to < > & in its texts.
func unescaped(text string) string { return html.UnescapeString(text) }

// plain returns the words of a piece of HTML as Mastodon writes it: paragraphs,
// line breaks, links and spans. Links keep their whole address, of which pages
// show only a part.
func plain(content string) string {
	var b strings.Builder
	for rest := content; rest != ""; {
		words, tag, found := strings.Cut(rest, "<")
		b.WriteString(words)
		if !found {
			break
		}
		end := tagEnd(tag)
		if end < 0 || !isTag(tag) { // A lone < is a word like any other.
			b.WriteByte('<')
			rest = tag
			continue
		}
		switch name := strings.ToLower(strings.TrimRight(strings.Fields(tag[:end] + " ")[0], "/")); name {
		case "br", "/li", "/h1", "/h2", "/h3", "/pre", "/blockquote":
			b.WriteByte('\n')
		case "/p":
			b.WriteString("\n\n")
		}
		rest = tag[end+1:]
	}
	return blankLines.ReplaceAllString(clean(html.UnescapeString(b.String())), "\n\n")
}

var blankLines = regexp.MustCompile(`\n\s*\n\s*`)

func isTag(s string) bool {
	c := s[0]
	return c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// tagEnd returns where > closes the tag, past what is in quotes, or -1.
func tagEnd(tag string) int {
	quote := byte(0)
	for i := range len(tag) {
		switch c := tag[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return -1
}
