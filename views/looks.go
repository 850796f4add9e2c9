package views

import (
	"maps"
	"slices"
	"time"
)

func lookMood(l Look) string {
	switch l.Outcome {
	case "ok":
		return good
	case "not_found", "refused":
		return bad
	}
	return wait
}

// span is the fields of the filter that have no place in the form.
func (p Looks) span() []Choice {
	return slices.DeleteFunc([]Choice{{"since", p.Since}, {"until", p.Until}}, func(c Choice) bool { return c.Text == "" })
}

func (p Looks) filtered() bool {
	return p.Day != "" || p.Failed || p.Outcome != "" || len(p.span()) > 0
}

// outcomeChoices are the ways a look can end, and the one that is chosen.
func outcomeChoices(chosen string) []Choice {
	outcomes := append([]string{"ok", "not_found", "refused"}, slices.Sorted(maps.Keys(troubles))...)
	if chosen != "" && !slices.Contains(outcomes, chosen) {
		outcomes = append(outcomes, chosen)
	}
	choices := make([]Choice, len(outcomes))
	for i, o := range outcomes {
		choices[i] = Choice{o, lookText(Look{Outcome: o})}
	}
	return choices
}

// lookText is how a look went.
func lookText(l Look) string {
	switch l.Outcome {
	case "ok":
		return "answered"
	case "not_found":
		return "no such page"
	case "refused":
		return "inconsistent answer"
	}
	if words, known := troubles[l.Outcome]; known {
		return words.once
	}
	return l.Outcome
}

// sourceText is who was asked, and as whom.
func sourceText(l Look) string { return glue(l.Source, " as ", l.Viewer) }

// shownText is what a look showed, or why it showed nothing.
func shownText(l Look) string {
	switch {
	case l.Outcome != "ok":
		return l.Message
	case l.Same:
		return "= same as before"
	}
	return "≠ changed"
}

func noLooksText(p Looks) string {
	switch {
	case p.Mistake != "":
		return "Correct the filter to see results."
	case p.Outcome != "" || len(p.span()) > 0:
		return "No checks match this filter."
	case p.Day != "" && p.Failed:
		return "No check failed on this day."
	case p.Failed:
		return "No check has failed."
	case p.Day != "":
		return "No checks on this day."
	}
	return "No checks yet."
}

// fineStamp is stamp with seconds.
func fineStamp(t, now time.Time) string {
	t = t.In(now.Location())
	return date(t, now) + t.Format(" 15:04:05")
}
