// Package cards draws what stands on other people's pages: a member's card, a flat badge, and the
// picture of a link that is shared. They have no scripts, fonts or addresses of their own.
package cards

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// A Card is a member's picture. Without a Name it is neutral: it says only whose community it is.
type Card struct {
	Community string
	Host      string // In the corner, such as laurel.example.org.
	Name      string // As others read it.
	Solved    int
	Streak    int // Days.
	Best      int // The longest streak.
	RatedOn   string
	Rating    int
	Awards    int
	First     time.Time // Of Days: a Monday.
	Days      []charts.DayCount
	Updated   time.Time // Zero: not retrieved yet.
}

// Parts of a card, in the order in which they stand.
const (
	PartSolved = "solved"
	PartStreak = "streak"
	PartRating = "ratings"
	PartAwards = "awards"
	PartHeat   = "heat"
)

// Parts are all parts, as they are without a choice.
var Parts = []string{PartSolved, PartStreak, PartRating, PartAwards, PartHeat}

// Themes of a card. ThemeAuto follows the reader's.
const (
	ThemeAuto  = "auto"
	ThemeLight = "light"
	ThemeDark  = "dark"
)

// Themes are all themes, the usual one first.
var Themes = []string{ThemeAuto, ThemeLight, ThemeDark}

// Labels are parts and themes as people choose them.
var Labels = map[string]string{PartSolved: texts.Mark("Solved"), PartStreak: texts.Mark("Streak"), PartRating: texts.Mark("Rating"),
	PartAwards: texts.Mark("Awards"), PartHeat: texts.Mark("Heatmap"),
	ThemeAuto: texts.Mark("Follows the reader"), ThemeLight: texts.Mark("Light"), ThemeDark: texts.Mark("Dark")}

// Width of a card; its height follows from what it shows.
const Width = 495

const (
	light = `.b{fill:#fff;stroke:#e4e3dc}.l{stroke:#e4e3dc}.t{fill:#1c2420}.s{fill:#5b665f}.g{stroke:#22694a}.m{fill:#7f5b0c}` +
		`.h0{fill:#ecebe5;stroke:#ecebe5}.h1{fill:#bfdcc9;stroke:#bfdcc9}.h2{fill:#7fb898;stroke:#7fb898}` +
		`.h3{fill:#34805a;stroke:#34805a}.h4{fill:#1c5e40;stroke:#1c5e40}`
	dark = `.b{fill:#1a1f1b;stroke:#2c332e}.l{stroke:#2c332e}.t{fill:#e8ebe6}.s{fill:#a3ada6}.g{stroke:#7cc8a0}.m{fill:#e0b95c}` +
		`.h0{fill:#242a26;stroke:#242a26}.h1{fill:#1f4733;stroke:#1f4733}.h2{fill:#2d6c4c;stroke:#2d6c4c}` +
		`.h3{fill:#58a97e;stroke:#58a97e}.h4{fill:#93dcb5;stroke:#93dcb5}`
	sans = `Inter,system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif`
	leaf = `M3 15C3 8 7 3 15 3c0 8-5 12-12 12Zm0 0 7-7`
)

func style(theme string) string {
	switch theme {
	case ThemeLight:
		return light
	case ThemeDark:
		return dark
	}
	return light + `@media(prefers-color-scheme:dark){` + dark + `}`
}

// StyleSources are the hashes by which a content security policy lets the styles of cards pass.
func StyleSources() string {
	sources := make([]string, len(Themes))
	for i, theme := range Themes {
		sum := sha256.Sum256([]byte(style(theme)))
		sources[i] = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join(sources, " ")
}

// SVG draws the card with some of its Parts in one of the Themes.
func (c Card) SVG(show []string, theme string) []byte {
	if c.Name == "" {
		return c.neutral(theme)
	}
	figures := c.figures(show)
	heat := slices.Contains(show, PartHeat)
	height, top := 78, 0 // top is how much higher the days begin where no figures are above them.
	if len(figures) > 0 {
		height = 128
	}
	if heat {
		if len(figures) == 0 {
			top = -46
		}
		height = 215 + top
	}
	b := &strings.Builder{}
	c.open(b, height, c.Name+" at "+c.Community, c.words(figures), theme)
	line{"t", 46, 31, 16, true, false}.write(b, c.Name)
	line{"s", Width - 20, 31, 12, false, true}.write(b, c.Community)
	fmt.Fprintf(b, `<path class="l" d="M20 45h%d"/>`, Width-40)
	for i, f := range figures {
		line{f.class, 20 + 128*i, 74, 21, true, false}.write(b, f.figure)
		line{"s", 20 + 128*i, 92, 12, false, false}.write(b, f.label)
	}
	if heat {
		line{"s", 20, 111 + top, 10, false, false}.write(b, "Last six months")
		c.heat(b, top)
	}
	line{"s", 20, height - 11, 10, false, false}.write(b, c.updated())
	line{"s", Width - 20, height - 11, 10, false, true}.write(b, c.Host)
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

// neutral says nothing of anybody.
func (c Card) neutral(theme string) []byte {
	b := &strings.Builder{}
	c.open(b, 78, c.Community, "A community of competitive programmers", theme)
	line{"t", 46, 31, 16, true, false}.write(b, c.Community)
	line{"s", 20, 60, 12, false, false}.write(b, "A community of competitive programmers")
	line{"s", Width - 20, 60, 10, false, true}.write(b, c.Host)
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

func (c Card) open(b *strings.Builder, height int, title, words, theme string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="t d" `+
		`font-family="%s"><title id="t">%s</title><desc id="d">%s</desc><style>%s</style>`,
		Width, height, Width, height, sans, html.EscapeString(title), html.EscapeString(words), style(theme))
	fmt.Fprintf(b, `<rect class="b" x=".5" y=".5" width="%d" height="%d" rx="10"/>`, Width-1, height-1)
	fmt.Fprintf(b, `<g transform="translate(20 15) scale(1.15)"><path class="g" fill="none" stroke-width="1.7" d="%s"/></g>`, leaf)
}

// A line is where a line of text stands, and how: end is where its end is at x.
type line struct {
	class      string
	x, y, size int
	bold, end  bool
}

// write writes the line; what does not fit beside its neighbours is cut.
func (l line) write(b *strings.Builder, words string) {
	more := ""
	if l.bold {
		more = ` font-weight="700"`
	}
	if l.end {
		more += ` text-anchor="end"`
	}
	fmt.Fprintf(b, `<text class="%s" x="%d" y="%d" font-size="%d"%s>%s</text>`, l.class, l.x, l.y, l.size, more,
		html.EscapeString(cut(words, 40)))
}

func cut(words string, most int) string {
	if r := []rune(words); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return words
}

// A figure is a number with its line.
type figure struct{ class, figure, label string }

// figures are those that are to be shown and that the member has.
func (c Card) figures(show []string) (list []figure) {
	for _, part := range Parts {
		if !slices.Contains(show, part) {
			continue
		}
		switch {
		case part == PartSolved:
			list = append(list, figure{"t", parts.Number(c.Solved), "problems solved"})
		case part == PartStreak:
			list = append(list, figure{"t", parts.Plural(c.Streak, "day"), "streak, best " + parts.Number(c.Best)})
		case part == PartRating && c.RatedOn != "":
			list = append(list, figure{"t", fmt.Sprint(c.Rating), c.RatedOn + " rating"})
		case part == PartAwards && c.Awards > 0:
			list = append(list, figure{"m", parts.Number(c.Awards), awardsLabel(c.Awards)})
		}
	}
	return list
}

func awardsLabel(n int) string {
	if n == 1 {
		return "award"
	}
	return "awards"
}

// words is the card for who does not see it.
func (c Card) words(figures []figure) string {
	list := make([]string, 0, len(figures)+1)
	for _, f := range figures {
		list = append(list, f.figure+" "+f.label)
	}
	return strings.Join(append(list, c.updated()), "; ")
}

func (c Card) updated() string {
	if c.Updated.IsZero() {
		return "Not retrieved yet"
	}
	return "Updated " + c.Updated.UTC().Format("2 Jan 2006, 15:04") + " UTC"
}

// heat draws the days as weeks, those of a level as one path.
func (c Card) heat(b *strings.Builder, top int) {
	levels := charts.LevelsOf(c.Days)
	var paths [5]strings.Builder
	for i, d := range c.Days {
		level := levels.Of(d.Submissions)
		fmt.Fprintf(&paths[level], "M%g %dh13v5h-13z", 22+17.5*float64(i/7), 119+top+9*(i%7))
	}
	b.WriteString(`<g stroke-width="2" stroke-linejoin="round">`)
	for level := range paths {
		if paths[level].Len() > 0 {
			fmt.Fprintf(b, `<path class="h%d" d="%s"/>`, level, paths[level].String())
		}
	}
	b.WriteString(`</g>`)
}

// Weeks is how many a card shows.
const Weeks = 26

// Wrong is a card that says why there is none.
func Wrong(why string) []byte {
	b := &strings.Builder{}
	Card{}.open(b, 78, "No card", why, ThemeAuto)
	line{"t", 46, 31, 14, true, false}.write(b, "No card")
	fmt.Fprintf(b, `<text class="s" x="20" y="60" font-size="11">%s</text></svg>`, html.EscapeString(cut(why, 80)))
	return []byte(b.String())
}
