package standin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// What a site may send in one way or another, without meaning anything else: order, case and
// quotes of attributes, blanks, entities, whole and relative links, unknown attributes and
// fields, the order of fields. It follows from the seed and the address, so the same question
// brings the same bytes. A reader must not notice.

// vary renders an answer of a judge site anew.
func (s *Server) vary(x site, q question, a answer) answer {
	if _, ok := judges.ByName(x.name()); !ok || s.o.Plain || s.o.Instant || len(a.body) == 0 {
		return a
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(q.r.URL.RequestURI()))
	v := &varying{rnd: rnd(mix(uint64(s.o.Seed), h.Sum64(), 'v')), home: homes[x.name()], odd: s.o.Odd}
	if v.percent(25) { // As it is.
		return a
	}
	if doc, ok := document(a.body); ok && (a.typ == "" || strings.Contains(a.typ, "json")) {
		a.body = v.json(doc)
		return a
	}
	if strings.Contains(a.typ, "html") {
		a.body = v.html(a.body)
	}
	return a
}

// form is in which of four ways a site shows somebody's rows.
func (s *Server) form(p *person, site string) int {
	if s.o.Plain {
		return 0
	}
	return int(mix(uint64(s.o.Seed), uint64(p.Index), judgeNamed(site).salt, 'f') % 4)
}

// homes are where links of pages lead to.
var homes = map[string]string{"codechef": "https://www.codechef.com", "hackerearth": "https://www.hackerearth.com",
	"spoj": "https://www.spoj.com", "timus": "https://acm.timus.ru"}

// A varying is how one answer is rendered.
type varying struct {
	rnd
	home          string
	indent, slash bool // JSON: on several lines; with \/.
	upper         int  // HTML: 0 as it is, 1 in capitals, 2 in small letters.
	quotes        int  // 0 double, 1 single, 2 none where that is possible.
	whole         bool // Links have the host in them.
	blanks        bool
	odd           int // Of a thousand rows.
}

// json renders a document with its fields in any order, and with some that nobody knows.
func (v *varying) json(doc any) []byte {
	v.indent, v.slash = v.percent(30), v.percent(40)
	var b bytes.Buffer
	v.value(&b, doc, false)
	if !v.indent {
		return b.Bytes()
	}
	var lines bytes.Buffer
	if json.Indent(&lines, b.Bytes(), "", "  ") != nil {
		return b.Bytes()
	}
	return append(lines.Bytes(), '\n')
}

// value writes a value. Only in rows are fields added: other objects may be maps.
func (v *varying) value(b *bytes.Buffer, x any, row bool) {
	switch x := x.(type) {
	case map[string]any:
		v.object(b, x, row)
	case []any:
		b.WriteByte('[')
		for i, item := range x {
			if i > 0 {
				b.WriteByte(',')
			}
			v.value(b, item, true)
		}
		b.WriteByte(']')
	case string:
		if strings.Contains(x, "<table") {
			part := *v
			x = string(part.html([]byte(x)))
		}
		v.text(b, x)
	default:
		b.Write(marshal(x))
	}
}

func (v *varying) object(b *bytes.Buffer, x map[string]any, row bool) {
	keys := slices.Sorted(maps.Keys(x))
	if row && v.upTo(1000) < v.odd {
		lost := v.upTo(len(keys) + 1)
		keys = slices.Delete(keys, min(lost, len(keys)), min(lost+1, len(keys)))
	}
	if row { // What is null may also be left out.
		keys = slices.DeleteFunc(keys, func(key string) bool { return x[key] == nil && v.percent(50) })
	}
	for i := len(keys) - 1; i > 0; i-- {
		j := v.upTo(i + 1)
		keys[i], keys[j] = keys[j], keys[i]
	}
	b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		v.text(b, key)
		b.WriteByte(':')
		v.value(b, x[key], false)
	}
	if row && len(keys) > 0 && v.percent(10) {
		fmt.Fprintf(b, `,"extra_%d":%s`, v.upTo(9), []string{"null", "7", `"more"`, `{"a":[1,2]}`, "[]", "false"}[v.upTo(6)])
	}
	b.WriteByte('}')
}

func (v *varying) text(b *bytes.Buffer, s string) {
	text := marshal(s)
	if v.slash {
		text = bytes.ReplaceAll(text, []byte("/"), []byte(`\/`))
	}
	b.Write(text)
}

// html renders a page tag by tag.
func (v *varying) html(page []byte) []byte {
	v.upper, v.quotes, v.whole, v.blanks = v.upTo(3), v.upTo(3), v.percent(30), v.percent(50)
	var b bytes.Buffer
	row := oddRow{lost: -1}
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		raw := bytes.Clone(z.Raw())
		if kind == html.ErrorToken {
			return b.Bytes()
		}
		t := z.Token()
		switch {
		case row.hides(v, kind, t.Data):
		case kind == html.StartTagToken, kind == html.SelfClosingTagToken, kind == html.EndTagToken:
			v.tag(&b, kind, t, raw, row.lost >= 0 && row.cell == row.lost)
		case kind == html.TextToken:
			v.words(&b, raw)
		default:
			b.Write(raw)
		}
	}
}

// An oddRow is a row of a table that may lack a cell.
type oddRow struct{ lost, cell int }

// hides says that a token belongs to a cell that is lost. Its own tags stay, without attributes.
func (o *oddRow) hides(v *varying, kind html.TokenType, name string) bool {
	if kind == html.StartTagToken && name == "tr" {
		if o.lost, o.cell = -1, -1; v.upTo(1000) < v.odd {
			o.lost = v.upTo(8)
		}
	}
	if kind == html.StartTagToken && name == "td" {
		o.cell++
	}
	if kind == html.EndTagToken && name == "td" && o.cell == o.lost {
		o.lost = -1
	}
	return o.lost >= 0 && o.cell == o.lost && name != "tr" && (kind != html.StartTagToken || name != "td")
}

var headTags = []string{"script", "style", "title", "html", "meta"}

var tableTags = []string{"table", "thead", "tbody", "tr", "td", "th"}

func (v *varying) tag(b *bytes.Buffer, kind html.TokenType, t html.Token, raw []byte, lost bool) {
	inTable := slices.Contains(tableTags, t.Data)
	if slices.Contains(headTags, t.Data) {
		b.Write(raw)
		return
	}
	v.blank(b, inTable)
	name := v.cased(t.Data)
	if kind == html.EndTagToken {
		b.WriteString("</" + name + ">")
	} else {
		b.WriteString("<" + name)
		if t.Data != "td" || !lost {
			v.attributes(b, t)
		}
		b.WriteString([]string{"", "", " "}[v.upTo(3)])
		if kind == html.SelfClosingTagToken {
			b.WriteString(" /")
		}
		b.WriteString(">")
	}
	v.blank(b, inTable)
}

// blank writes nothing, blanks or a comment where a table may have them.
func (v *varying) blank(b *bytes.Buffer, inTable bool) {
	if v.blanks && inTable && v.percent(20) {
		b.WriteString([]string{"\n", "  ", "\r\n\t", "<!-- -->"}[v.upTo(4)])
	}
}

func (v *varying) cased(name string) string {
	switch v.upper {
	case 1:
		return strings.ToUpper(name)
	case 2:
		return strings.ToLower(name)
	}
	return name
}

func (v *varying) attributes(b *bytes.Buffer, t html.Token) {
	attrs := t.Attr
	if v.percent(15) {
		attrs = append(attrs, html.Attribute{Key: fmt.Sprintf("data-v%d", v.upTo(99)), Val: "1 > 0"})
	}
	for i := len(attrs) - 1; i > 0; i-- {
		j := v.upTo(i + 1)
		attrs[i], attrs[j] = attrs[j], attrs[i]
	}
	for _, a := range attrs {
		b.WriteString([]string{" ", " ", "  ", "\n   "}[v.upTo(4)])
		if a.Key == "href" {
			a.Val = v.link(a.Val)
		}
		b.WriteString(v.cased(a.Key) + "=")
		value := strings.ReplaceAll(html.EscapeString(a.Val), "&#43;", "+")
		switch {
		case v.quotes == 2 && a.Val != "" && !strings.ContainsAny(a.Val, " \t\r\n\"'`=<>&"):
			b.WriteString(value + " ") // A slash before the end of the tag is part of the value.
		case v.quotes == 1:
			b.WriteString("'" + value + "'")
		default:
			b.WriteString(`"` + value + `"`)
		}
	}
}

// link is a link within the site with the host, or as it is.
func (v *varying) link(href string) string {
	switch {
	case !v.whole || v.home == "" || href == "" || strings.Contains(href, "://") || strings.HasPrefix(href, "#"):
		return href
	case strings.HasPrefix(href, "/"):
		return v.home + href
	}
	return v.home + "/" + href
}

// words are a text, of which some letters are written as entities.
func (v *varying) words(b *bytes.Buffer, raw []byte) {
	if !v.percent(10) || bytes.ContainsAny(raw, "&<{;") {
		b.Write(raw)
		return
	}
	for _, r := range string(raw) {
		if r > ' ' && v.percent(20) {
			fmt.Fprintf(b, []string{"&#%d;", "&#x%x;"}[v.upTo(2)], r)
		} else {
			b.WriteRune(r)
		}
	}
}
