package rules

import (
	"strings"
	"testing"
)

func TestSheet(t *testing.T) {
	doc := `{"title":"A \"b\" é","objectives":[{"id":"a","filters":[{"name":"SourceFilter","config":{"sources":["x","y"]}}],"rule":{"name":"CountRule"}}],"n":1.50}`
	s, wrong := ReadSheet([]byte(doc))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if got := s.Key("n").Text(); got != "1.50" {
		t.Errorf("a number reads %q", got)
	}
	again, wrong := ReadSheet([]byte(s.String()))
	if len(wrong) > 0 || again.String() != s.String() {
		t.Errorf("written and read again:\n%s\n%s\n%v", s, again, wrong)
	}
	for path, want := range map[string]string{
		"objectives[0].filters[0].config.sources[1]": `"y"`,
		"objectives[0].filters[0].config.missing":    `{"sources":["x","y"]}`,
		"title":            `"A \"b\" é"`,
		"nothing[3].there": doc,
		"n":                "1.50",
	} {
		p := s.Place(path)
		if got := doc[p.From:p.Until]; got != want {
			t.Errorf("%s is at %q, want %q", path, got, want)
		}
	}
	s.Key("objectives").Items()[0].Append("filters", NewObject("name", NewText("X")))
	s.Set("n", nil)
	s.Set("goal", NewNumber("12e0"))
	s.Set("bad", NewNumber("twelve"))
	for _, want := range []string{`{"name": "X"}`, `"goal": 12e0`, `"bad": "twelve"`} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("%s lacks %s", s, want)
		}
	}
	if strings.Contains(s.String(), `"n"`) {
		t.Errorf("%s still has n", s)
	}
}

func FuzzSheet(f *testing.F) {
	for _, seed := range []string{``, `{}`, `[1,{"a":"b"}]`, `{"a":{"b":[[]]},"a":"\u00e9"}`, `"\ud83d\ude00"`, `nul`, `{"a":1}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		s, wrong := ReadSheet([]byte(doc))
		if len(wrong) > 0 || s == nil {
			return
		}
		again, wrong := ReadSheet([]byte(s.String()))
		if len(wrong) > 0 || again.String() != s.String() {
			t.Errorf("%q: %q is written %q", doc, s, again)
		}
		_ = s.Place("a.b[0]")
		s.walk("", func(_ string, item *Sheet) {
			part, _ := ReadSheet([]byte(doc[item.From:item.Until]))
			if part == nil || part.String() != item.String() {
				t.Errorf("%q: %q is not %q", doc, doc[item.From:item.Until], item)
			}
		})
	})
}
