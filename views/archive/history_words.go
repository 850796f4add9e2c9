package archive

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// near is how close a check must be to count as seen at an instant.
const near = 5 * time.Minute

func (g numberLine) because(ctx context.Context) string {
	return reason{g.Certainty, g.at, g.now, g.Source, becameText(ctx, g.Numbers)}.text(ctx)
}

// rows lets one cell be beside all numbers of a group.
func (g numberLine) rows() templ.Attributes {
	if len(g.Numbers) == 1 {
		return nil
	}
	return templ.Attributes{"rowspan": strconv.Itoa(len(g.Numbers))}
}

// becameText is " to 1702" of a lonely number, and of several which became what.
func becameText(ctx context.Context, numbers []Figure) string {
	var words []string
	for _, n := range numbers {
		if n.Next == "" || n.Next == n.Value {
			continue
		}
		if len(numbers) == 1 {
			return " " + texts.T(ctx, "to %s", n.Next)
		}
		words = append(words, n.Title+" → "+n.Next)
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
func bannerTitle(ctx context.Context, p History) string {
	t := countsOf(p.Numbers, p.At)
	sure := t.near + t.sure
	switch {
	case p.At.After(p.Now):
		return texts.T(ctx, "Not yet.")
	case p.FirstCheck.IsZero():
		return texts.T(ctx, "No checks yet.")
	case p.At.Before(p.FirstCheck):
		return texts.T(ctx, "Before the first check.")
	case t.all == 0 || t.never == t.all:
		return texts.T(ctx, "No data.")
	case sure == t.all:
		return texts.T(ctx, "Exact.")
	case 2*sure >= t.all:
		return texts.T(ctx, "Mostly exact.")
	case sure > 0:
		return texts.T(ctx, "Partly exact.")
	case t.last > 0:
		return texts.T(ctx, "Last known.")
	}
	return texts.T(ctx, "Out of date.")
}

// bannerText says how many numbers are how sure.
func bannerText(ctx context.Context, p History) string {
	t := countsOf(p.Numbers, p.At)
	switch {
	case p.At.After(p.Now):
		return texts.T(ctx, "This time is in the future; these are the current values.")
	case p.FirstCheck.IsZero():
		return texts.T(ctx, "No check is stored yet.")
	case p.At.Before(p.FirstCheck):
		return texts.T(ctx, "Laurel's first check was %s, %s later. Earlier values are unknown.",
			texts.When(ctx, p.FirstCheck, p.At, p.Now), texts.Span(ctx, p.FirstCheck.Sub(p.At)))
	case t.all == 0:
		return texts.T(ctx, "No numbers of this member had been seen by then.")
	}
	var words []string
	for _, p := range []struct {
		n    int
		text string
	}{
		{t.near, texts.T(ctx, "%d checked within 5 minutes of this time", t.near)},
		{t.sure, texts.T(ctx, "%d the same before and after", t.sure)},
		{t.last, texts.T(ctx, "%d last known", t.last)},
		{t.wrong, texts.T(ctx, "%d out of date by then", t.wrong)},
		{t.never, texts.T(ctx, "%d not known yet", t.never)},
	} {
		if p.n > 0 {
			words = append(words, p.text)
		}
	}
	return texts.N(ctx, t.all, "%d number", "%d numbers") + ": " + strings.Join(words, ", ") + "."
}

// nearestText names the checks on both sides.
func nearestText(ctx context.Context, p History) string {
	if p.FirstCheck.IsZero() || p.At.Before(p.FirstCheck) || p.At.After(p.Now) {
		return ""
	}
	before, after := texts.T(ctx, "none before"), texts.T(ctx, "none after")
	if !p.Steps.PrevCheck.IsZero() {
		before = texts.T(ctx, "%s before", texts.Span(ctx, p.At.Sub(p.Steps.PrevCheck)))
	}
	if !p.Steps.NextCheck.IsZero() {
		after = texts.T(ctx, "%s after", texts.Span(ctx, p.Steps.NextCheck.Sub(p.At)))
	}
	if slices.ContainsFunc(p.Numbers, func(g NumberGroup) bool { return g.Certainty.class() == Known }) {
		return texts.T(ctx, "One check was at this exact time. The nearest others: %s, %s.", before, after)
	}
	return texts.T(ctx, "The nearest checks: %s, %s.", before, after)
}

func windowText(ctx context.Context, p History) string {
	s := p.Numbers[0].Strip
	return texts.T(ctx, "%s to %s", texts.Date(ctx, s.From.In(p.Now.Location()), p.Now),
		texts.Date(ctx, s.Until.In(p.Now.Location()), p.Now))
}

func noFactsText(ctx context.Context, p History) string {
	if p.FirstCheck.IsZero() || p.At.Before(p.FirstCheck) {
		return texts.T(ctx, "No checks by then. Step forward to the first check to see what it found.")
	}
	return texts.T(ctx, "No submissions were known by then. Step forward to the next change to see the first ones.")
}

// evidenceText says when a page was checked and how long it had been so.
func evidenceText(ctx context.Context, e Evidence, now time.Time) string {
	failed := ""
	if e.Failed > 0 {
		failed = texts.N(ctx, e.Failed, "then %d check failed", "then %d checks failed")
	}
	if e.Checked.IsZero() {
		return parts.Join(texts.T(ctx, "not checked by then"), failed) + "."
	}
	text := texts.T(ctx, "checked %s", texts.Stamp(ctx, e.Checked, now))
	if e.Checks > 1 {
		text += ", " + texts.T(ctx, "unchanged since %s", texts.Stamp(ctx, e.UnchangedSince, now)) + " (" +
			texts.N(ctx, e.Checks, "%d check", "%d checks") + ")"
	}
	text = parts.Join(text, failed)
	if e.NextChange.IsZero() {
		return text + ". " + texts.T(ctx, "No change since.")
	}
	return text + ". " + texts.T(ctx, "Next change %s.", texts.Stamp(ctx, e.NextChange, now))
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
