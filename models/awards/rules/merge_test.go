package rules

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMerge(t *testing.T) {
	for name, tt := range map[string]struct{ base, mine, theirs, want, clashes string }{
		"different keys":            {`{"a": 1, "b": 2}`, `{"a": 3, "b": 2}`, `{"a": 1, "b": 4}`, `{"a": 3, "b": 4}`, ""},
		"the same on both sides":    {`{"a": 1}`, `{"a": 2}`, `{"a": 2}`, `{"a": 2}`, ""},
		"one key on each side":      {`{}`, `{"a": 1}`, `{"b": 2}`, `{"b": 2, "a": 1}`, ""},
		"one takes a key away":      {`{"a": 1, "b": 2}`, `{"b": 2}`, `{"a": 1, "b": 3}`, `{"b": 3}`, ""},
		"deep inside":               {`{"w": {"from": 1, "until": 2}}`, `{"w": {"from": 3, "until": 2}}`, `{"w": {"from": 1}}`, `{"w": {"from": 3}}`, ""},
		"the same key":              {`{"a": 1, "b": 1}`, `{"a": 2, "b": 2}`, `{"a": 3, "b": 1}`, `{"a": 3, "b": 2}`, "a"},
		"the same key, and mine":    {`{"mine": 1}`, `{"mine": 2}`, `{"mine": 3}`, `{"mine": 2}`, "mine"},
		"taken away and changed":    {`{"a": 1}`, `{}`, `{"a": 2}`, `{"a": 2}`, "a"},
		"mine is taken away":        {`{"mine": 1}`, `{}`, `{"mine": 2}`, `{}`, "mine"},
		"both add one key":          {`{}`, `{"a": {"x": 1}}`, `{"a": {"x": 2}}`, `{"a": {"x": 2}}`, "a"},
		"other kinds":               {`{"a": 1}`, `{"a": [1]}`, `{"a": {"b": 1}}`, `{"a": {"b": 1}}`, "a"},
		"places of a list":          {`[1, 2, 3]`, `[9, 2, 3]`, `[1, 2, 8]`, `[9, 2, 8]`, ""},
		"one place of a list":       {`[1, 2]`, `[1, 3]`, `[1, 4]`, `[1, 4]`, "[1]"},
		"a list that grows":         {`{"l": [1]}`, `{"l": [1, 2]}`, `{"l": [3]}`, `{"l": [3]}`, "l"},
		"one objective each":        {`[{"id": "a"}]`, `[{"id": "a"}, {"id": "m"}]`, `[{"id": "t"}, {"id": "a"}]`, `[{"id": "t"}, {"id": "a"}, {"id": "m"}]`, ""},
		"an objective goes":         {`[{"id": "a"}, {"id": "b", "n": 1}]`, `[{"id": "b", "n": 1}]`, `[{"id": "a"}, {"id": "b", "n": 2}]`, `[{"id": "b", "n": 2}]`, ""},
		"mine puts them in order":   {`[{"id": "a"}, {"id": "b", "n": 1}]`, `[{"id": "b", "n": 1}, {"id": "a"}]`, `[{"id": "a"}, {"id": "b", "n": 2}]`, `[{"id": "b", "n": 2}, {"id": "a"}]`, ""},
		"inside of one objective":   {`[{"id": "a", "n": 1}]`, `[{"id": "a", "n": 2}]`, `[{"id": "a", "n": 3}]`, `[{"id": "a", "n": 3}]`, `["a"].n`},
		"an objective goes, and is": {`[{"id": "a", "n": 1}]`, `[]`, `[{"id": "a", "n": 3}]`, `[{"id": "a", "n": 3}]`, `["a"]`},
		"both put them in order": {`{"l": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}`, `{"l": [{"id": "b"}, {"id": "a"}, {"id": "c"}]}`, `{"l": [{"id": "a"}, {"id": "c"}, {"id": "b"}]}`,
			`{"l": [{"id": "a"}, {"id": "c"}, {"id": "b"}]}`, "l"},
	} {
		merged, clashes := Merge(sheet(t, tt.base), sheet(t, tt.mine), sheet(t, tt.theirs), func(path string) bool { return path == "mine" })
		var paths []string
		for _, c := range clashes {
			paths = append(paths, c.Path)
		}
		if got := merged.line(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		if got := strings.Join(paths, " "); got != tt.clashes {
			t.Errorf("%s: clashes at %s, want %s", name, got, tt.clashes)
		}
	}
}

func sheet(t interface{ Fatal(...any) }, text string) *Sheet {
	s, wrong := ReadSheet([]byte(text))
	if s == nil {
		t.Fatal(text, wrong)
	}
	return s
}

// A side that changed nothing gives the other one, wherever that is, and two
// that changed the same clash nowhere.
func TestMergeWithAnUnchangedSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, other := anySheet(3).Draw(t, "base"), anySheet(3).Draw(t, "other")
		for name, sides := range map[string][2]*Sheet{"mine": {other, base}, "theirs": {base, other}, "both": {other, other}} {
			merged, clashes := Merge(base, sides[0], sides[1], func(string) bool { return rapid.Bool().Draw(t, "mine") })
			if !merged.same(other) || merged.String() != other.String() && !base.same(other) || len(clashes) > 0 {
				t.Fatalf("changed by %s: %s, want %s; clashes %v", name, merged, other, clashes)
			}
		}
	})
}

// anySheet makes documents with few names, so that they meet.
func anySheet(depth int) *rapid.Generator[*Sheet] {
	return rapid.Custom(func(t *rapid.T) *Sheet {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		switch {
		case depth == 0 || kind == 0:
			return NewText(rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "text"))
		case kind == 1:
			return NewNumber(rapid.SampledFrom([]string{"1", "2"}).Draw(t, "number"))
		case kind == 2:
			return &Sheet{kind: '[', items: rapid.SliceOfN(anySheet(depth-1), 0, 3).Draw(t, "items")}
		}
		s := NewObject()
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"id", "a", "b", "c"}), 0, 4, rapid.ID).Draw(t, "keys") {
			s.Set(key, anySheet(depth-1).Draw(t, key))
		}
		return s
	})
}
