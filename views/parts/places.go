package parts

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

// A place is where the bar leads to; it is current below any of its addresses.
type place struct {
	href, text, icon string
	below            []string
}

var places = []place{
	{"/", texts.Mark("Home"), "home", nil},
	{"/leaderboard", texts.Mark("People"), "people", []string{"/leaderboard", "/members", "/u/", "/compare", "/following", "/feed"}},
	{"/forums", texts.Mark("Discussions"), "talk", []string{"/forums"}},
	{"/awards", texts.Mark("Awards"), "medal", []string{"/awards", "/badges"}},
}

func (p place) html(ctx context.Context, here string) string {
	l := Link{Href: p.href, Text: texts.Say(ctx, p.text), Here: here}
	if slices.ContainsFunc(p.below, func(b string) bool { return strings.HasPrefix(here, b) }) {
		l.Here = p.href
	}
	return strings.Replace(l.HTML(), ">", ">"+iconHTML(p.icon), 1)
}

func unreadText(n int) string {
	if n >= 100 {
		return "99+"
	}
	return strconv.Itoa(n)
}

func unreadLabel(ctx context.Context, n int) string {
	if n == 0 {
		return texts.T(ctx, "Notifications")
	}
	return texts.T(ctx, "Notifications, %s unread", unreadText(n))
}

// icons are drawn by strokes in a square of 20.
var icons = map[string]string{
	"home": "M3 9.5 10 3.5l7 6v7h-4.5V12h-5v4.5H3z",
	"people": "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z" +
		"M2 16.5c.4-3 2.6-5 5.5-5s5.1 2 5.5 5M13 3.8a3 3 0 0 1 0 5.4M14.8 12c1.8.7 3 2.3 3.2 4.5",
	"talk":  "M3 4h14v9.5H9.5L6 17v-3.5H3z",
	"medal": "M10 12.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM7 11.8 6 17.5l4-2 4 2-1-5.7",
	"more":  "M4 10h.01M10 10h.01M16 10h.01",
	"find":  "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17",
	"bell":  "M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.8h3",
	"again": "M16 10a6 6 0 1 1-1.8-4.3M16 3v3.5h-3.5",
	"star":  "m10 2.8 2.2 4.7 5 .6-3.7 3.5 1 5.1-4.5-2.6-4.5 2.6 1-5.1L2.8 8l5-.6z",
	"save":  "M10 3v9M6 9l4 4 4-4M4 16.5h12",
}

func iconHTML(name string) string {
	return `<svg class=ic fill=none viewBox="0 0 20 20" aria-hidden=true><path d="` + icons[name] + `"/></svg>`
}

// Icon is a small picture beside words that say the same.
func Icon(name string) templ.Component { return templ.Raw(iconHTML(name)) }

// A Person is somebody to show by their initials: ID chooses the colour.
type Person struct {
	ID   int64
	Name string
}

// Initials are shown beside a name, and hidden from those who hear it.
func Initials(p Person) templ.Component { return initials("av", p) }

// SmallInitials are those in rows of tables.
func SmallInitials(p Person) templ.Component { return initials("av s", p) }

// LargeInitials head a profile.
func LargeInitials(p Person) templ.Component { return initials("av l", p) }

func initials(class string, p Person) templ.Component {
	hue := strconv.FormatInt((p.ID%6+6)%6, 10)
	return templ.Raw(`<span class="` + class + ` d` + hue + `" aria-hidden=true>` + templ.EscapeString(initialsOf(p.Name)) + `</span>`)
}

// initialsOf are the first letters of the first and the last word, or the first two of one word.
func initialsOf(name string) string {
	name, _, _ = strings.Cut(name, " (")
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch len(words) {
	case 0:
		return "?"
	case 1:
		letters := []rune(words[0])
		return strings.ToUpper(string(letters[:min(2, len(letters))]))
	}
	return strings.ToUpper(string([]rune(words[0])[:1]) + string([]rune(words[len(words)-1])[:1]))
}
