package archive

import (
	"maps"
	"slices"
	"time"

	"laurel/views/parts"
)

func checkMood(l Check) string {
	switch l.Outcome {
	case "ok":
		return parts.Good
	case "not_found", "refused":
		return parts.Bad
	}
	return parts.Wait
}

// span is the fields of the filter that have no place in the form.
func (p Checks) span() []parts.Choice {
	return slices.DeleteFunc([]parts.Choice{{Value: "since", Text: p.Since}, {Value: "until", Text: p.Until}},
		func(c parts.Choice) bool { return c.Text == "" })
}

func (p Checks) filtered() bool {
	return p.Day != "" || p.Failed || p.Outcome != "" || len(p.span()) > 0
}

// outcomeChoices are the ways a check can end, and the one that is chosen.
func outcomeChoices(chosen string) []parts.Choice {
	outcomes := append([]string{"ok", "not_found", "refused"}, slices.Sorted(maps.Keys(parts.Troubles))...)
	if chosen != "" && !slices.Contains(outcomes, chosen) {
		outcomes = append(outcomes, chosen)
	}
	choices := make([]parts.Choice, len(outcomes))
	for i, o := range outcomes {
		choices[i] = parts.Choice{Value: o, Text: checkText(Check{Outcome: o})}
	}
	return choices
}

// checkText is how a check went.
func checkText(l Check) string {
	switch l.Outcome {
	case "ok":
		return "answered"
	case "not_found":
		return "no such page"
	case "refused":
		return "inconsistent answer"
	}
	if words, known := parts.Troubles[l.Outcome]; known {
		return words.Once
	}
	return l.Outcome
}

// sourceText is who was asked, and as whom.
func sourceText(l Check) string { return parts.Glue(l.Source, " as ", l.Viewer) }

// shownText is what a check showed, or why it showed nothing.
func shownText(l Check) string {
	switch {
	case l.Outcome != "ok":
		return l.Message
	case l.Same:
		return "= same as before"
	}
	return "≠ changed"
}

func noChecksText(p Checks) string {
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
	return parts.Date(t, now) + t.Format(" 15:04:05")
}
