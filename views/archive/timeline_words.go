package archive

import (
	"cmp"
	"context"
	"strings"
	"time"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// keyText is "site codeforces, handle ada_l".
func keyText(key []parts.Choice) string {
	words := make([]string, len(key))
	for i, k := range key {
		words[i] = k.Value + " " + k.Text
	}
	return strings.Join(words, ", ")
}

func checksText(s charts.Strip) string {
	return strings.ToLower(charts.ChecksWords(parts.English, len(s.Checks), len(s.Failed)))
}

func untilText(p Period, now time.Time) string {
	if p.Until.IsZero() {
		return "still open"
	}
	return parts.Stamp(p.Until, now)
}

func lastedText(p Period, now time.Time) string {
	if p.Until.IsZero() {
		return parts.Span(now.Sub(p.From)) + " so far"
	}
	return parts.Span(p.Until.Sub(p.From))
}

// periodChecks is "14, from 3 Mar 22:14 to 4 Mar 12:00".
func periodChecks(p Period, now time.Time) string {
	switch p.Checks {
	case 0:
		return "none"
	case 1:
		return "1, " + parts.Stamp(p.First, now)
	}
	return parts.Number(p.Checks) + ", from " + parts.Stamp(p.First, now) + " to " + parts.Stamp(p.Last, now)
}

// endings say why a row ended, where the archive's own word does not.
var endings = map[string]string{
	"":          texts.Mark("still open"),
	"displaced": texts.Mark("displaced: another took its place"),
	"removed":   texts.Mark("removed: no longer shown"),
}

func endText(ctx context.Context, reason string) string {
	return texts.Say(ctx, cmp.Or(endings[reason], reason))
}
