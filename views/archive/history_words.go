package archive

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
)

// near is how close a check must be to count as seen at an instant.
const near = 5 * time.Minute

func (g numberLine) because() string {
	return reason{g.Certainty, g.at, g.now, g.Source, becameText(g.Numbers)}.text()
}

// rows lets one cell be beside all numbers of a group.
func (g numberLine) rows() templ.Attributes {
	if len(g.Numbers) == 1 {
		return nil
	}
	return templ.Attributes{"rowspan": strconv.Itoa(len(g.Numbers))}
}

// becameText is " to 1702" of a lonely number, and of several which became what.
func becameText(numbers []Figure) string {
	var words []string
	for _, n := range numbers {
		if n.Next == "" || n.Next == n.Value {
			continue
		}
		if len(numbers) == 1 {
			return " to " + n.Next
		}
		words = append(words, n.Title+" to "+n.Next)
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// counts are numbers of figures, by what the banner says of them.
type counts struct {
	all, near, sure, last, wrong, never int
}

func countsOf(groups []NumberGroup, at time.Time) counts {
	var t counts
	for _, g := range groups {
		n, c := len(g.Numbers), g.Certainty
		t.all += n
		switch c.class() {
		case Known:
			t.near += n
		case Confirmed:
			if at.Sub(c.SeenBefore) <= near || c.SeenAfter.Sub(at) <= near {
				t.near += n
			} else {
				t.sure += n
			}
		case LastKnown, StillOpen:
			t.last += n
		case Displaced, Removed:
			t.wrong += n
		default:
			t.never += n
		}
	}
	return t
}

// bannerTitle is the whole page in two words.
func bannerTitle(p History) string {
	t := countsOf(p.Numbers, p.At)
	sure := t.near + t.sure
	switch {
	case p.At.After(p.Now):
		return "Not yet."
	case p.FirstCheck.IsZero():
		return "No checks yet."
	case p.At.Before(p.FirstCheck):
		return "Before the first check."
	case t.all == 0 || t.never == t.all:
		return "No data."
	case sure == t.all:
		return "Exact."
	case 2*sure >= t.all:
		return "Mostly exact."
	case sure > 0:
		return "Partly exact."
	case t.last > 0:
		return "Last known."
	}
	return "Out of date."
}

// bannerText says how many numbers are how sure.
func bannerText(p History) string {
	t := countsOf(p.Numbers, p.At)
	switch {
	case p.At.After(p.Now):
		return "This time is in the future; these are the current values."
	case p.FirstCheck.IsZero():
		return "No check is stored yet."
	case p.At.Before(p.FirstCheck):
		return "Laurel's first check was " + parts.When(p.FirstCheck, p.At, p.Now) + ", " + parts.Span(p.FirstCheck.Sub(p.At)) +
			" later. Earlier values are unknown."
	case t.all == 0:
		return "No numbers of this member had been seen by then."
	}
	var words []string
	for _, p := range []struct {
		n         int
		one, many string
	}{
		{t.near, "was checked within 5 minutes of this time", "were checked within 5 minutes of this time"},
		{t.sure, "was the same before and after", "were the same before and after"},
		{t.last, "is the last known value", "are the last known values"},
		{t.wrong, "was out of date by then", "were out of date by then"},
		{t.never, "was not known yet", "were not known yet"},
	} {
		if p.n == 0 {
			continue
		}
		text := parts.Number(p.n) + " "
		if len(words) == 0 {
			text = ofAll(p.n, t.all) + " " + parts.Noun(t.all, "number") + " "
		}
		if p.n == 1 {
			words = append(words, text+p.one)
		} else {
			words = append(words, text+p.many)
		}
	}
	return strings.Join(words, ", ") + "."
}

func ofAll(n, all int) string {
	if n == all && all > 1 {
		return "All " + parts.Number(all)
	}
	return parts.Number(n) + " of " + parts.Number(all)
}

// nearestText names the checks on both sides.
func nearestText(p History) string {
	if p.FirstCheck.IsZero() || p.At.Before(p.FirstCheck) || p.At.After(p.Now) {
		return ""
	}
	before, after := parts.Span(p.At.Sub(p.Steps.PrevCheck))+" before", parts.Span(p.Steps.NextCheck.Sub(p.At))+" after"
	nearest := " were " + before + " and " + after + "."
	switch {
	case p.Steps.PrevCheck.IsZero() && p.Steps.NextCheck.IsZero():
		nearest = ": none."
	case p.Steps.PrevCheck.IsZero():
		nearest = " were none before and one " + after + "."
	case p.Steps.NextCheck.IsZero():
		nearest = " were one " + before + " and none after."
	}
	if slices.ContainsFunc(p.Numbers, func(g NumberGroup) bool { return g.Certainty.class() == Known }) {
		return "One check was at this exact time. The nearest others" + nearest
	}
	return "The nearest checks" + nearest
}

func windowText(p History) string {
	s := p.Numbers[0].Strip
	return parts.Date(s.From.In(p.Now.Location()), p.Now) + " to " + parts.Date(s.Until.In(p.Now.Location()), p.Now)
}

func noFactsText(p History) string {
	if p.FirstCheck.IsZero() || p.At.Before(p.FirstCheck) {
		return "No checks by then. Step forward to the first check to see what it found."
	}
	return "No submissions were known by then. Step forward to the next change to see the first ones."
}

// evidenceText says when a page was checked and how long it had been so.
func evidenceText(e Evidence, now time.Time) string {
	failed := ""
	if e.Failed > 0 {
		failed = "then " + parts.Plural(e.Failed, "check") + " failed"
	}
	if e.Checked.IsZero() {
		return parts.Join("not checked by then", failed) + "."
	}
	text := "checked " + parts.Stamp(e.Checked, now)
	if e.Checks > 1 {
		text += ", unchanged since " + parts.Stamp(e.UnchangedSince, now) + " (" + parts.Plural(e.Checks, "check") + ")"
	}
	text = parts.Join(text, failed)
	if e.NextChange.IsZero() {
		return text + ". No change since."
	}
	return text + ". Next change " + parts.Stamp(e.NextChange, now) + "."
}

// shareTicks draws checks that several numbers have in common once.
func shareTicks(groups []NumberGroup) []NumberGroup {
	groups = slices.Clone(groups)
	strips := make([]*charts.Strip, len(groups))
	for i := range groups {
		strips[i] = &groups[i].Strip
	}
	charts.ShareTicks(strips)
	return groups
}
