package awards

import (
	"strings"

	"laurel/models/awards/rules"
	views "laurel/views/awards"
)

// A choice is a text of the document that is one of some words, of which one is followed by a
// colon and more: confirmed_after:7d. The form has a field for the word and one for the rest.
type choice struct {
	key, label string
	same       string   // The default, written out.
	kinds      []string // The first, "", is the default.
	words      map[string]string
	with       string // The word with more behind it.
	rest       string // What the field of the rest is called.
	restIs     string // What it is when only its word was chosen.
	spans      bool   // It is a length of time.
	date       bool   // It is a day.
	zones      bool   // It is a time zone.
}

var (
	permanences = choice{"permanence", "Permanence", "", []string{"", "permanent", "live", "confirmed_after"}, map[string]string{
		"": "for good after 7 days (default)", "permanent": "for good at once", "live": "lost when progress falls",
		"confirmed_after": "for good after a time"}, "confirmed_after", "Time until it is for good", "7d", true, false, false}
	backfills = choice{"backfill", "Backfill", "all", []string{"", "none", "since"}, map[string]string{
		"": "all earlier events count (default)", "none": "only from its activation on", "since": "from a day on"},
		"since", "First day", "", false, true, false}
	calendars = choice{"zone", "Calendar", "member", []string{"", "fixed"}, map[string]string{"": "each member's own (default)",
		"fixed": "of one time zone"}, "fixed", "Time zone", "UTC", false, false, true}
)

// spanWords are lengths of time to choose from, in their order.
var (
	spans     = []string{"", "0h", "6h", "12h", "24h", "2d", "3d", "7d", "14d", "30d"}
	spanWords = map[string]string{"0h": "none", "6h": "6 hours", "12h": "12 hours", "24h": "24 hours", "1d": "1 day", "2d": "2 days",
		"3d": "3 days", "7d": "7 days", "14d": "14 days", "30d": "30 days"}
)

// choice makes the two fields of a choice. A rest that is typed chooses its word.
func (f *awardForm) choice(s *rules.Sheet, path string, c *choice) []views.EditorField {
	now := func() (kind, rest string) {
		kind, rest, _ = strings.Cut(s.Key(c.key).Text(), ":")
		return kind, rest
	}
	kind, rest := now()
	if kind == c.same {
		kind = ""
	}
	if c.date {
		rest = strings.TrimSuffix(rest, "T00:00:00Z")
	}
	first := selectOf(views.EditorField{Path: path, Label: c.label, Value: kind, Error: f.errs[path]}, c.kinds, c.words)
	f.Now[path] = kind
	f.set[path] = func(kind string) {
		_, rest := now()
		switch {
		case kind == "":
			s.Set(c.key, nil)
		case kind == c.with && rest == "":
			s.Set(c.key, rules.NewText(kind+":"+c.restIs))
		case kind == c.with:
			s.Set(c.key, rules.NewText(kind+":"+rest))
		default:
			s.Set(c.key, rules.NewText(kind))
		}
	}
	second := views.EditorField{Path: path + "." + c.with, Label: c.rest, Value: rest, Date: c.date && (rest == "" || len(rest) == 10)}
	if c.spans {
		second = selectOf(second, spans[1:], spanWords)
		if rest == "" {
			second.Words = withDefault(spanWords, "–")
		}
	}
	if c.zones {
		second.List = "zones"
	}
	f.Now[second.Path] = rest
	f.set[second.Path] = func(rest string) {
		if rest = strings.TrimSpace(rest); rest != "" {
			s.Set(c.key, rules.NewText(c.with+":"+rest))
		}
	}
	return []views.EditorField{first, second}
}
