package sites

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// document reads HTML of at most longest bytes: broken HTML takes the parser a
// time that grows with the square of its length.
func document(body []byte, longest int) (*goquery.Document, error) {
	if len(body) > longest {
		return nil, fmt.Errorf("%w: a page of %d bytes", ErrFormat, len(body))
	}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(bytes.ToValidUTF8(body, nil)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return doc, nil
}

// whole fails where a page breaks off.
func whole(body []byte) error {
	if !bytes.HasSuffix(bytes.ToLower(bytes.TrimSpace(body)), []byte("</html>")) {
		return fmt.Errorf("%w: the page breaks off", ErrFormat)
	}
	return nil
}

// tabled fails where a page breaks off in a table. Parts of pages end well, too.
func tabled(body []byte) error {
	text := bytes.ToLower(body)
	if bytes.LastIndex(text, []byte("</table")) < bytes.LastIndex(text, []byte("<tr")) {
		return fmt.Errorf("%w: the page breaks off", ErrFormat)
	}
	return nil
}

// wholeDocument reads a plain answer that must not break off.
func wholeDocument(page Page, longest int) (*goquery.Document, error) {
	if err := cmp.Or(found(page), whole(page.Body)); err != nil {
		return nil, err
	}
	return document(page.Body, longest)
}

// tableDocument reads a plain answer with a table that must not break off.
func tableDocument(page Page, longest int) (*goquery.Document, error) {
	if err := cmp.Or(found(page), tabled(page.Body)); err != nil {
		return nil, err
	}
	return document(page.Body, longest)
}

// wordsOnly says that a row of a table is no row of the list: the head, or words instead of rows.
func wordsOnly(tr *goquery.Selection) bool {
	return tr.ChildrenFiltered("td").Length() < 2 && tr.Find("td a[href]").Length() == 0
}

// grouped reads a count as pages write it: 82,654. More than that many digits are
// something else.
func grouped(text string) (*int, bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", "")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || len(text) > 9 {
		return nil, false
	}
	return &n, true
}

// A loose number is one that a site writes as a number, as a text, or not at all.
type loose struct{ value *int }

func (l *loose) UnmarshalJSON(text []byte) error {
	l.value = nil
	plain := string(text)
	if len(text) > 0 && text[0] == '"' {
		if err := json.Unmarshal(text, &plain); err != nil {
			return err
		}
	}
	switch plain = strings.TrimSpace(plain); strings.ToLower(plain) {
	case "", "null", "na", "n/a", "-", "false":
		return nil
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil || f < -1e9 || f > 1e9 {
		return fmt.Errorf("%q is not a number", plain)
	}
	n := int(f)
	l.value = &n
	return nil
}

// known is the number, 0 where there is none.
func (l loose) known() int {
	if l.value == nil {
		return 0
	}
	return *l.value
}

var restWords = regexp.MustCompile(
	`(?i)\b(maintenance|database error|temporarily (?:unavailable|closed|down)|be back (?:soon|shortly|later))\b`)

// resting says that the site reports that it rests: then a page without somebody proves nothing.
func resting(doc *goquery.Document) error {
	if said := restWords.FindString(textOf(doc.Selection)); said != "" {
		return fmt.Errorf("%w: its page says %q", ErrServer, said)
	}
	return nil
}

// A personPage is a page about somebody on a site that shows a page of its own,
// with nobody on it, where there is no such person.
type personPage struct {
	name        string // For errors.
	address     string
	longest     int
	goneIsProof bool                         // Status 404 proves absence, too.
	shows       func(*goquery.Document) bool // The page is about somebody.
	own         func(*goquery.Document) bool // The page is one of the site's.
}

// fetchPerson returns the page, or ErrNoHandle where the site proves that there is nobody.
func fetchPerson(ctx context.Context, get Getter, i Info, a Account, p personPage) (*goquery.Document, error) {
	page, err := fetch(ctx, get, i, a, p.address)
	if err != nil {
		return nil, err
	}
	if p.goneIsProof && page.Status == statusNotFound {
		return nil, fmt.Errorf("%w: the site has no page %s", ErrNoHandle, p.name)
	}
	if err := found(page); err != nil {
		return nil, err
	}
	doc, err := document(page.Body, p.longest)
	if err != nil {
		return nil, err
	}
	if err := whole(page.Body); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	if p.shows(doc) {
		return doc, nil
	}
	if err := resting(doc); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	if p.own(doc) {
		return nil, fmt.Errorf("%w: the site shows a page of its own for %s", ErrNoHandle, p.name)
	}
	return nil, fmt.Errorf("%s: %w: not a page of the site", p.name, ErrFormat)
}
