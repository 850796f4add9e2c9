package standin

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// The ways in which a site changes its pages without telling anybody. They know
// no site, so every site has them.

// reshape answers the same in another shape: a document that is one level deeper
// and whose names are others, or a page without the tables and classes it had.
func reshape(a answer) answer {
	a.etag = ""
	if v, ok := document(a.body); ok {
		a.body = marshal(map[string]any{"version": 2, "payload": rename(v)})
		return a
	}
	a.body = oldTag.ReplaceAllFunc(a.body, func(tag []byte) []byte {
		m := oldTag.FindSubmatch(tag)
		return append(m[1], newTags[strings.ToLower(string(m[2]))]...)
	})
	a.body = oldClass.ReplaceAll(a.body, []byte("class=${1}v2-"))
	a.body = oldID.ReplaceAll(a.body, []byte(`data-id="`))
	return a
}

// Some sites write their tags in capitals.
var (
	oldTag   = regexp.MustCompile(`(?i)(</?)(table|tbody|tr|td|th|script)\b`)
	oldClass = regexp.MustCompile(`(?i)\bclass=(["'])`)
	oldID    = regexp.MustCompile(`(?i)\bid="`)
	newTags  = map[string]string{"table": "section", "tbody": "div", "tr": "article", "td": "span", "th": "b", "script": "template"}
)

func rename(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			out["v2_"+key] = rename(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = rename(v[i])
		}
	}
	return v
}

// hollow answers in the right shape without a single row: what a reader must not
// take for somebody who did nothing.
func hollow(a answer) answer {
	a.etag = ""
	if v, ok := document(a.body); ok {
		a.body = marshal(drain(v))
		return a
	}
	a.body = rowOfData.ReplaceAll(a.body, nil)
	return a
}

var rowOfData = regexp.MustCompile(`(?is)<tr[^>]*>\s*<td.*?</tr>`)

func drain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = drain(value)
		}
	case []any:
		return []any{}
	case string: // Some send their tables inside of JSON.
		return rowOfData.ReplaceAllString(v, "")
	}
	return v
}

// document is the body as JSON, if it is.
func document(body []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}

func marshal(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // What was read as JSON can be written as such.
	}
	return body
}
