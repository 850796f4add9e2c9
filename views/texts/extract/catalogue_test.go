package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/leonelquinteros/gotext"
)

const root, at = "../../..", ".."

func uses(t *testing.T) []Use {
	t.Helper()
	all, err := usesBelow(root, folders...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// go generate ./views/... was run, and did all.
func TestCatalogueIsCurrent(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(at, "*.po*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		now, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := catalogue(uses(t))
		if strings.HasSuffix(name, ".po") {
			want = translated(string(now), uses(t))
		}
		if string(now) != want {
			t.Errorf("%s is not what the pages have: run go generate ./views/...", filepath.Base(name))
		}
	}
}

// Every text of pages is in every language, and what it shows is the same.
func TestEveryTextIsTranslated(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(filepath.Join(at, "*.po"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		po := gotext.NewPo()
		po.Parse(text)
		known := po.GetDomain().GetTranslations()
		for _, u := range uses(t) {
			for form, english := range slices.DeleteFunc([]string{u.One, u.Many}, func(s string) bool { return s == "" }) {
				said := ""
				if k := known[u.One]; k != nil {
					said = k.Trs[form]
				}
				switch {
				case said == "":
					t.Errorf("%s:%d: %q is not in %s", u.File, u.Line, english, filepath.Base(name))
				case shows(said) != shows(english) && (u.Many == "" || form == 1):
					t.Errorf("%s:%d: %q shows %s, and %q in %s shows %s", u.File, u.Line, english, shows(english), said, filepath.Base(name), shows(said))
				}
			}
		}
	}
}

// A text is given what it shows.
func TestTextsShowWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	for _, u := range uses(t) {
		want := strings.Count(shows(u.One), " ") + 1
		if shows(u.One) == "" {
			want = 0
		}
		if u.Many != "" && want == 0 || u.Args < 0 {
			continue // "one day" shows no number.
		}
		if u.Args != want {
			t.Errorf("%s:%d: %q shows %d things and is given %d", u.File, u.Line, u.One, want, u.Args)
		}
	}
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+ #0-9.]*[a-zA-Z]|</?(a|b|bdi|br|code|em|i|kbd)>`)

// shows is what a text shows in the order of its arguments, and how many tags it has: "1s 2d".
func shows(text string) string {
	var all []string
	for _, m := range verb.FindAllStringSubmatch(strings.ReplaceAll(text, "%%", ""), -1) {
		if strings.HasPrefix(m[0], "<") {
			continue
		}
		n := len(all) + 1
		if m[1] != "" {
			n, _ = strconv.Atoi(strings.Trim(m[1], "[]"))
		}
		all = append(all, strconv.Itoa(n)+m[0][len(m[0])-1:])
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// Links and emphasis are where they are in English.
func TestTagsStay(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(filepath.Join(at, "*.po"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		po := gotext.NewPo()
		po.Parse(text)
		for key, k := range po.GetDomain().GetTranslations() {
			if got, want := tags(k.Trs[0]), tags(key); got != want {
				t.Errorf("%s: %q has the tags %q, want %q", filepath.Base(name), k.Trs[0], got, want)
			}
		}
	}
}

func tags(text string) string {
	all := regexp.MustCompile(`</?[a-z]+>`).FindAllString(text, -1)
	slices.Sort(all)
	return strings.Join(all, "")
}

// A file keeps what is still a text, and gets what is new.
func TestTranslatedKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	old := "msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n#: x\nmsgid \"gone\"\nmsgstr \"weg\"\n\n#: x\nmsgid \"kept \\\"so\\\"\"\nmsgstr \"behalten\"\n"
	got := translated(old, []Use{{One: "kept \"so\"", File: "a"}, {One: "%d new", Many: "%d news", File: "b"}, {One: "kept \"so\"",
		File: "b"}})
	want := "msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n#: a b\nmsgid \"kept \\\"so\\\"\"\nmsgstr \"behalten\"\n\n" +
		"#: b\nmsgid \"%d new\"\nmsgid_plural \"%d news\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
