package texts

import (
	"embed"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/leonelquinteros/gotext"
	"golang.org/x/text/language"
)

//go:embed *.po
var files embed.FS

// A Language is one that pages can be in.
type Language struct {
	Tag  string // "de".
	Name string // In itself: "Deutsch".

	Thousands string // Stands between thousands.
	Point     string // Stands before what is less than one.
	DayFirst  string // Layouts of time.Format, whose English names are replaced: "2. Jan".
	Months    []string
	Days      []string
	Said      func() *gotext.Po // Nil: its keys are its texts.
}

var english = &Language{Tag: "en", Name: "English", Thousands: ",", Point: ".", DayFirst: "2 "}

// Languages are all there are; the first is for who understands none of them.
var Languages = []*Language{english, german}

var german = &Language{Tag: "de", Name: "Deutsch", Thousands: ".", Point: ",", DayFirst: "2. ", Said: read("de"),
	Months: []string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
	Days:   []string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"},
}

// read parses a file of texts when it is first needed, and never again.
func read(tag string) func() *gotext.Po {
	return sync.OnceValue(func() *gotext.Po {
		text, err := files.ReadFile(tag + ".po")
		if err != nil {
			panic(err) // It is embedded.
		}
		po := gotext.NewPo()
		po.Parse(text)
		return po
	})
}

var nothing []any // To show in a text, which is done by format.

func (l *Language) text(text string) string {
	if l.Said == nil {
		return text
	}
	return l.Said().Get(text, nothing...)
}

func (l *Language) plural(n int, one, many string) string {
	switch {
	case l.Said != nil:
		return l.Said().GetN(one, many, n, nothing...)
	case n == 1:
		return one
	}
	return many
}

// find is the language with a tag; English where there is none.
func find(tag string) *Language {
	for _, l := range Languages {
		if l.Tag == tag {
			return l
		}
	}
	return english
}

// Known says whether there is a language with the tag.
func Known(tag string) bool { return tag != "" && find(tag).Tag == tag }

var matcher = sync.OnceValue(func() language.Matcher {
	tags := make([]language.Tag, len(Languages))
	for i, l := range Languages {
		tags[i] = language.Make(l.Tag)
	}
	return language.NewMatcher(tags)
})

// Cookie holds what a visitor chose.
const Cookie = "language"

// Chosen is the tag of the language that a request asks for: what its sender chose here, or else what
// their browser understands.
func Chosen(r *http.Request) string {
	if c, err := r.Cookie(Cookie); err == nil && Known(c.Value) {
		return c.Value
	}
	accept := r.Header.Get("Accept-Language")
	if accept == "" {
		return english.Tag
	}
	wanted, _, err := language.ParseAcceptLanguage(accept)
	if err != nil || len(wanted) == 0 {
		return english.Tag
	}
	_, i, sure := matcher().Match(wanted...)
	if sure == language.No {
		return english.Tag
	}
	return Languages[i].Tag
}

// date writes a time by a layout that begins with the day and has English names, in the language.
func (l *Language) date(t time.Time, layout string) string {
	if l.Months == nil {
		return t.Format(layout)
	}
	layout = strings.Replace(layout, "2 Jan", l.DayFirst+"Jan", 1)
	month, day := l.Months[t.Month()-1], l.Days[t.Weekday()]
	// Names go in as marks: a name of a month has letters and digits that a layout would read.
	layout = strings.NewReplacer("January", "\x01", "Jan", "\x02", "Monday", "\x03", "Mon", "\x04").Replace(layout)
	return strings.NewReplacer("\x01", month, "\x02", short(month, 3), "\x03", day, "\x04", short(day, 2)).Replace(t.Format(layout))
}

// short are the first letters of a name.
func short(name string, n int) string { return string([]rune(name)[:n]) }
