package forums

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// preformatted returns the text of a <PRE> without its markup.
func preformatted(source string) string { return strip(source, true) }

// plainText returns the words of a piece of HTML, a line for every block.
func plainText(source string) string {
	text := blankLines.ReplaceAllString(strip(source, false), "\n\n")
	return strings.TrimSpace(text)
}

var blankLines = regexp.MustCompile(`\n[ \t]*\n\s*`)

// blocks are the tags that end a line, or with two a paragraph.
var blocks = map[string]string{
	"br": "\n", "/li": "\n", "/div": "\n", "/tr": "\n", "/pre": "\n", "/blockquote": "\n\n", "/p": "\n\n", "p": "\n\n", "hr": "\n",
	"/h1": "\n\n", "/h2": "\n\n", "/h3": "\n\n", "/h4": "\n\n", "/ul": "\n", "/ol": "\n", "/table": "\n", "/aside": "\n",
}

// strip drops tags and comments, and what is in scripts and styles with them.
func strip(source string, pre bool) string {
	var b strings.Builder
	for rest := source; rest != ""; {
		words, tag, found := strings.Cut(rest, "<")
		if !pre {
			words = spaces.ReplaceAllString(words, " ")
		}
		b.WriteString(html.UnescapeString(words))
		if !found {
			break
		}
		if comment, ok := strings.CutPrefix(tag, "!--"); ok {
			_, rest, _ = strings.Cut(comment, "-->")
			continue
		}
		end := tagEnd(tag)
		if end < 0 || !isTag(tag) { // A lone < is a word like any other.
			b.WriteByte('<')
			rest = tag
			continue
		}
		name := tagName(tag[:end])
		rest = tag[end+1:]
		switch {
		case name == "script" || name == "style" || name == "template":
			rest = after(rest, "</"+name)
		case !pre:
			b.WriteString(blocks[name])
		}
	}
	return clean(b.String())
}

var spaces = regexp.MustCompile(`\s+`)

// after returns what follows the closing tag, nothing where it is never closed.
func after(rest, closing string) string {
	for i := 0; ; {
		at := strings.Index(rest[i:], "</")
		if at < 0 {
			return ""
		}
		i += at
		if len(rest) >= i+len(closing) && strings.EqualFold(rest[i:i+len(closing)], closing) {
			_, tail, _ := strings.Cut(rest[i:], ">")
			return tail
		}
		i += 2
	}
}

func tagName(tag string) string {
	name := tag
	if i := strings.IndexAny(tag, " \t\r\n"); i >= 0 {
		name = tag[:i]
	}
	return strings.ToLower(strings.TrimRight(name, "/"))
}

func isTag(s string) bool {
	c := s[0]
	return c == '/' || c == '!' || c == '?' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// tagEnd returns where > closes the tag, past what is in quotes, or -1. No tag
// is longer than a few thousand bytes, and searching no further keeps a page of
// nothing but < from taking forever.
func tagEnd(tag string) int {
	quote := byte(0)
	for i := range min(len(tag), 4*maxLine) {
		switch c := tag[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && i > 0 && strings.IndexByte("= \t\n", tag[i-1]) >= 0:
			quote = c
		case c == '>':
			return i
		case c == '<': // Another one begins: this was none.
			return -1
		}
	}
	return strings.IndexByte(tag[:min(len(tag), 4*maxLine)], '>') // Quotes that are never closed are none.
}

const maxLinks = 200

// linksIn collects the web addresses in a text, each once, without what a
// sentence puts behind them.
func linksIn(text string) []string {
	var links []string
	seen := map[string]bool{}
	for len(links) < maxLinks {
		at := strings.Index(text, "://")
		if at < 0 {
			break
		}
		from := scheme(text[:at])
		if from < 0 {
			text = text[at+3:]
			continue
		}
		to := at + 3 + len(untilSpace(text[at+3:]))
		l := text[from:to]
		if text = text[to:]; len(l) > 2*maxLine {
			continue
		}
		if l = trimLink(l); len(l) > len("https://") && len(l) <= maxLine && !seen[l] {
			links, seen[l] = append(links, l), true
		}
	}
	return links
}

// scheme returns where http or https begins at the end of a text, -1 where it
// does not or is the end of another word.
func scheme(before string) int {
	for _, name := range []string{"http", "https"} {
		from := len(before) - len(name)
		if from < 0 || !strings.EqualFold(before[from:], name) {
			continue
		}
		if c, _ := utf8.DecodeLastRuneInString(before[:from]); from == 0 || !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' {
			return from
		}
	}
	return -1
}

func untilSpace(s string) string {
	if end := strings.IndexFunc(s, func(r rune) bool {
		return r <= ' ' || unicode.IsSpace(r) ||
			strings.ContainsRune("<>\"'`{}|\\^", r)
	}); end >= 0 {
		return s[:end]
	}
	return s
}

func trimLink(l string) string {
	l = strings.TrimRight(l, ".,;:!?*_]")
	for strings.HasSuffix(l, ")") && strings.Count(l, "(") < strings.Count(l, ")") {
		l = strings.TrimRight(strings.TrimSuffix(l, ")"), ".,;:!?")
	}
	return l
}

var scrubbed = regexp.MustCompile(`(?mi)^URL ?: <?(https?://[^\s>]+/attachments/[^\s>]+)>?`)

// setBody sets a message's text and what is in it. What Mailman scrubbed is
// left as an address in the text.
func (m *Mail) setBody(text string) {
	text = strings.TrimRight(clean(text), " \t\n")
	for {
		first, rest, ok := strings.Cut(text, "\n")
		if !ok || strings.TrimSpace(first) != "" {
			break
		}
		text = rest
	}
	if m.Truncated = m.Truncated || len(text) > maxBody; len(text) > 4*maxBody { // No link is searched for so far down.
		text = strings.ToValidUTF8(text[:4*maxBody], "")
	}
	m.Links = linksIn(text + "\n" + strings.Join(m.Links, "\n")) // Those of its HTML, which its words do not show, too.
	if strings.Contains(text, "/attachments/") {
		for _, found := range scrubbed.FindAllStringSubmatch(text, maxLinks) {
			m.Attachments = append(m.Attachments, found[1])
		}
	}
	if len(text) > maxBody {
		text = strings.ToValidUTF8(text[:maxBody], "")
	}
	m.Body = text
}

var metaRobots = regexp.MustCompile(`(?is)<meta\s[^>]*?name\s*=\s*["']?robots["']?[^>]*>`)

// heedRobots reads what a page asks of robots in its meta tag.
func (f *Found) heedRobots(page string) {
	tag := strings.ToLower(metaRobots.FindString(page))
	none := strings.Contains(tag, `"none"`)
	f.NoIndex = none || strings.Contains(tag, "noindex")
	f.NoFollow = none || strings.Contains(tag, "nofollow")
}

// directives are those robots directives that have a value: what is before their
// colon names no robot.
var directives = []string{"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}

// HeedRobots adds what a page asks of a robot in its header, X-Robots-Tag: a line for
// each time it was sent. What follows the name of a robot is for that one alone.
func (f *Found) HeedRobots(header, robot string) {
	for tag := range strings.Lines(strings.ToLower(header)) {
		ours := true
		for word := range strings.SplitSeq(tag, ",") {
			if name, rest, ok := strings.Cut(word, ":"); ok && !slices.Contains(directives, strings.TrimSpace(name)) {
				ours, word = strings.TrimSpace(name) == strings.ToLower(robot), rest
			}
			word = strings.TrimSpace(word)
			f.NoIndex = f.NoIndex || ours && (word == "noindex" || word == "none")
			f.NoFollow = f.NoFollow || ours && (word == "nofollow" || word == "none")
		}
	}
}
