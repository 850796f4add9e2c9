package forums

import (
	"fmt"
	"html"
	"path"
	"regexp"
	"strconv"
	"strings"
)

var (
	begins  = regexp.MustCompile(`(?i)<!--\s*beginarticle\s*-->`)
	ends    = regexp.MustCompile(`(?i)<!--\s*endarticle\s*-->`)
	heading = regexp.MustCompile(`(?is)<h1>(.*?)</h1>`)
	writer  = regexp.MustCompile(`(?is)<b>(.*?)</b>\s*<a\s+href\s*=\s*"([^"]*)"[^>]*>(.*?)</a>`)
	anybody = regexp.MustCompile(`(?is)<b>(.*?)</b>`)
	sent    = regexp.MustCompile(`(?is)<i>(.*?)</i>`)
	made    = regexp.MustCompile(`(?is)<link\s+rel="made"\s+href="([^"]*)"`)
	numeric = regexp.MustCompile(`\s[+-]\d{4}\b`)
)

// article returns what is between the two marks that Pipermail puts around
// every message and on no other page.
func article(page string) (before, text string, ok bool) {
	from := begins.FindStringIndex(page)
	if from == nil {
		return "", "", false
	}
	to := ends.FindAllStringIndex(page[from[1]:], 100)
	if to == nil {
		return "", "", false
	}
	return page[:from[0]], page[from[1] : from[1]+to[len(to)-1][0]], true
}

var closing = regexp.MustCompile(`(?i)</pre>`)

// articleText returns the words between the marks: a <PRE>, and in lists that
// leave HTML as it is, whatever follows.
func (m *Mail) articleText(source string) string {
	ends := closing.FindAllStringIndex(source, -1)
	if len(source) < 5 || !strings.EqualFold(source[:5], "<pre>") || ends == nil {
		m.HTML = true
		m.link(source)
		return plainText(source)
	}
	last := ends[len(ends)-1]
	if rest := plainText(source[last[1]:]); rest != "" {
		m.HTML = true
		m.link(source[last[1]:])
		return preformatted(source[5:last[0]]) + "\n" + rest
	}
	return preformatted(source[5:last[0]])
}

// readArticle reads a message's page.
func readArticle(s Step, page string) (Found, error) {
	before, text, ok := article(page)
	subject := heading.FindStringSubmatch(before)
	if !ok || subject == nil {
		return Found{}, fmt.Errorf("%w: no message between its marks", ErrFormat)
	}
	m := Mail{URL: s.Address, Subject: line(plainText(subject[1])), Period: s.Period}
	m.Number, _ = strconv.Atoi(strings.TrimSuffix(path.Base(s.Address), ".html"))
	after := before[strings.Index(before, subject[0])+len(subject[0]):]
	if w := writer.FindStringSubmatch(after); w != nil {
		m.Author = line(plainText(w[1]))
		m.setAddress(plainText(w[3]))
		m.answers(html.UnescapeString(w[2]))
	} else if w := anybody.FindStringSubmatch(after); w != nil {
		m.Author = line(plainText(w[1]))
	}
	if link := made.FindStringSubmatch(before); link != nil && m.MessageID == "" && m.InReplyTo == "" {
		m.answers(html.UnescapeString(link[1]))
	}
	if m.Author == "" {
		m.Author = m.Address
	}
	if when := sent.FindStringSubmatch(after); when != nil {
		m.setDate(preformatted(when[1]))
		// A zone's name on a page is the server's and the time may be another's:
		// three of four were off by 4 to 7 hours. Only what came with the mail counts.
		m.Approximate = m.Approximate || !numeric.MatchString(m.SentShown)
	}
	m.setBody(m.articleText(strings.TrimSpace(text)))
	return Found{Messages: []Mail{m}, Complete: true}, nil
}
