package handlers_test

import (
	"fmt"
	"html"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/leonelquinteros/gotext"
	dom "golang.org/x/net/html"

	"laurel/views/parts"
	"laurel/views/texts"
)

// marked is a language in which every text of the catalogue is in brackets: ⟦Sign in⟧. What a text shows is not.
// Whatever else has letters is data, or a text that is in English for everybody.
const marked = "zxx"

func TestMain(m *testing.M) {
	names := strings.Fields("①①① ②②② ③③③ ④④④ ⑤⑤⑤ ⑥⑥⑥ ⑦⑦⑦ ⑧⑧⑧ ⑨⑨⑨ ⑩⑩⑩ ⑪⑪⑪ ⑫⑫⑫")
	texts.Languages = append(texts.Languages, &texts.Language{Tag: marked, Name: "⟦⟧", Thousands: "'", DayFirst: "2 ", Months: names, Days: names[:7],
		Said: sync.OnceValue(markedTexts)})
	os.Exit(m.Run())
}

var (
	entry   = regexp.MustCompile(`(?m)^msgid ("[^\n]+")\n(?:msgid_plural ("[^\n]+")\n)?`)
	unsaid  = regexp.MustCompile(`%%|%(\[\d+\])?[-+ #0-9.]*[a-zA-Z]|</?[a-z]+>`)
	inMarks = regexp.MustCompile(`⟦[^⟧]*⟧`)
)

func markedTexts() *gotext.Po {
	pot, err := os.ReadFile("../views/texts/laurel.pot")
	if err != nil {
		panic(err)
	}
	mark := func(text string) string {
		text = text[1 : len(text)-1]
		var b strings.Builder
		for from := 0; from < len(text); {
			shown := unsaid.FindStringIndex(text[from:])
			if shown == nil {
				shown = []int{len(text) - from, len(text) - from}
			}
			if part := text[from : from+shown[0]]; latin.MatchString(part) {
				part = "⟦" + part + "⟧"
				b.WriteString(part)
			} else {
				b.WriteString(part)
			}
			b.WriteString(text[from+shown[0] : from+shown[1]])
			from += shown[1]
		}
		return `"` + b.String() + `"`
	}
	var b strings.Builder
	b.WriteString("msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n")
	for _, m := range entry.FindAllStringSubmatch(string(pot), -1) {
		if m[2] == "" {
			fmt.Fprintf(&b, "\nmsgid %s\nmsgstr %s\n", m[1], mark(m[1]))
		} else {
			fmt.Fprintf(&b, "\nmsgid %s\nmsgid_plural %s\nmsgstr[0] %s\nmsgstr[1] %s\n", m[1], m[2], mark(m[1]), mark(m[2]))
		}
	}
	po := gotext.NewPo()
	po.Parse([]byte(b.String()))
	return po
}

// english are pages that are in English: those of admins, support and the archive for good, the others until they are translated.
var english = regexp.MustCompile(`^/(admin|archive|looks)`)

var latin = regexp.MustCompile(`\p{Latin}`)

// Every page of members and visitors shows nothing but texts of the catalogue and data.
func TestEveryTextOfPagesCanBeTranslated(t *testing.T) {
	t.Parallel()
	w := newMarkedWorld(t)
	w.reads(t, "zqopen")
	data := w.data(t)
	found, pages := map[string]string{}, 0
	for _, who := range []string{"open", "owner", "visitor"} {
		w.readers[who].browser.Cookies[texts.Cookie] = marked
		pages += w.pagesOf(t, who, func(path, page string) {
			for _, text := range unmarked(page, data) {
				if found[text] == "" {
					found[text] = fmt.Sprintf("as %s at %s", who, path)
				}
			}
		})
	}
	for text, where := range found {
		t.Errorf("%s: %q", where, text)
	}
	if pages < 50 {
		t.Errorf("only %d pages were read", pages)
	}
	t.Logf("%d pages", pages)
}

// pagesOf calls a function with every page that somebody can reach, but for those that are in English.
func (w *markedWorld) pagesOf(t *testing.T, who string, read func(path, page string)) (n int) {
	t.Helper()
	shapes, seen, todo := map[string]int{}, map[string]bool{}, append([]string{"/", "/nothing"}, w.given(t)...)
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		shape := w.shape(path)
		if seen[path] || shapes[shape] >= ofEachShape || endless(path) || strings.HasPrefix(path, "/api/") || english.MatchString(path) {
			continue
		}
		seen[path] = true
		shapes[shape]++
		a := w.readers[who].browser.Get(path)
		if a.StatusCode >= http.StatusInternalServerError || a.Header.Get("Content-Type") != "text/html; charset=UTF-8" {
			continue
		}
		n++
		read(path, a.Text)
		for _, m := range anchor.FindAllStringSubmatch(a.Text, -1) {
			next, _, _ := strings.Cut(strings.TrimPrefix(html.UnescapeString(m[1]+m[2]), w.URL), "#")
			if strings.HasPrefix(next, "/") && !strings.HasPrefix(next, "//") {
				todo = append(todo, next)
			}
		}
	}
	return n
}

// data is what the world has been told, the longest first.
func (w *markedWorld) data(t *testing.T) (all []string) {
	t.Helper()
	if err := w.DB.Raw(`SELECT name FROM members UNION SELECT display_name FROM members
		UNION SELECT handle FROM accounts UNION SELECT former_handle FROM accounts
		UNION SELECT unnest(ARRAY[subject, body, author, address]) FROM messages UNION SELECT name FROM forums UNION SELECT slug FROM forums
		UNION SELECT unnest(ARRAY[author, text, network, host]) FROM posts UNION SELECT unnest(ARRAY[name, key]) FROM problems
		UNION SELECT language FROM submissions UNION SELECT name FROM ratings UNION SELECT time_zone FROM members
		UNION SELECT title FROM shard_account_title UNION SELECT name FROM shard_account_name
		UNION SELECT slug FROM awards UNION SELECT name FROM objectives UNION SELECT source FROM events UNION SELECT label FROM tokens UNION SELECT sent_shown FROM messages UNION SELECT upper(left(name, 2)) FROM members UNION SELECT split_part(display_name, ' ', 1) FROM members
		UNION SELECT upper(regexp_replace(display_name, '(.)\S* (.).*', '\1\2')) FROM members`).Scan(&all).Error; err != nil {
		t.Fatal(err)
	}
	for _, s := range w.BuiltIn {
		all = append(all, s.Name, s.Title, s.Hint)
	}
	for _, s := range parts.Statuses {
		all = append(all, s.Status)
	}
	for _, kind := range w.ForumKinds {
		all = append(all, strings.ToUpper(kind[:1])+kind[1:])
	}
	for _, l := range texts.Languages {
		all = append(all, l.Name)
	}
	all = append(all, "Laurel", "First", "UTC", "CSV", "JSON", "TimeMap", strings.TrimPrefix(w.URL, "https://"), strings.TrimPrefix(w.URL, "http://"))
	all = slices.DeleteFunc(all, func(s string) bool { return !latin.MatchString(s) })
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(all)
}

// shownIn are attributes that people read or hear.
var shownIn = []string{"title", "aria-label", "placeholder", "alt", "data-of", "data-said", "data-copied", "content", "value", "label"}

// unmarked is what a page shows that is neither a text nor data.
func unmarked(page string, data []string) (found []string) {
	root, err := dom.Parse(strings.NewReader(page))
	if err != nil {
		return []string{err.Error()}
	}
	check := func(text string) {
		rest := inMarks.ReplaceAllString(text, " ")
		for _, d := range data {
			rest = strings.ReplaceAll(rest, d, " ")
		}
		rest = address.ReplaceAllString(rest, " ")
		if latin.MatchString(rest) {
			found = append(found, strings.Join(strings.Fields(text), " "))
		}
	}
	var walk func(n *dom.Node)
	walk = func(n *dom.Node) {
		switch n.Type {
		case dom.TextNode:
			check(n.Data)
		case dom.ElementNode:
			if slices.Contains([]string{"script", "style", "code", "kbd", "pre", "noscript"}, n.Data) || attr(n, "class") == "excerpt" {
				return
			}
			for _, a := range n.Attr {
				switch {
				case a.Key == "lang" && n.Data != "html":
					return // In a language of its own.
				case a.Key == "content" && attr(n, "name") != "description":
				case a.Key == "value" && n.Data != "button" && attr(n, "type") != "submit":
				case a.Key == "value" && n.Data == "button": // What is sent.
				case slices.Contains(shownIn, a.Key):
					check(a.Val)
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return found
}

var address = regexp.MustCompile(`https?://\S+|\S*@\S+|/\S+\.\w+`)

func attr(n *dom.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
