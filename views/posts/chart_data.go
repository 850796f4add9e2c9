package posts

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"laurel/views/texts"
)

// words is the chart in a sentence.
func (c Curve) words(ctx context.Context) string {
	first, last := c.Checks[0], c.Checks[len(c.Checks)-1]
	text := texts.T(ctx, "Numbers of the post from an age of %s to %s",
		lasting(ctx, first.At.Sub(c.Created)), lasting(ctx, last.At.Sub(c.Created)))
	for i, line := range curveLines {
		if c.has(i) {
			text += ", " + texts.T(ctx, "%s from %s to %s", texts.Say(ctx, line.name), texts.NumberOrDash(ctx, line.of(first.Numbers)),
				texts.NumberOrDash(ctx, line.of(last.Numbers)))
		}
	}
	return text + "; " + texts.T(ctx, "table below")
}

// saidByCurve are the texts of static/src/curve.js, in the order in which it has them.
func saidByCurve(ctx context.Context) string {
	all := []string{texts.T(ctx, "time"), texts.T(ctx, "What is shown"), texts.T(ctx, "All"), texts.T(ctx, "First hour"),
		texts.T(ctx, "First day"), texts.T(ctx, "First week"), texts.T(ctx, "drag to zoom, double click for all")}
	for i := range curveLines {
		all = slices.Insert(all, i, texts.Say(ctx, curveLines[i].name))
	}
	return strings.Join(all, "|")
}

// zoomed is the curve for the script: times, and for each line its numbers, with
// nothing where nothing is known.
func (c Curve) zoomed() string {
	columns := make([][]any, 1+len(curveLines))
	add := func(at time.Time, n *Numbers) {
		columns[0] = append(columns[0], at.Unix())
		for i, line := range curveLines {
			if n == nil || line.of(*n) == nil {
				columns[i+1] = append(columns[i+1], nil)
			} else {
				columns[i+1] = append(columns[i+1], *line.of(*n))
			}
		}
	}
	for i, l := range c.Checks {
		if l.Gap && i > 0 {
			before := c.Checks[i-1].At
			add(before.Add(l.At.Sub(before)/2), nil)
		}
		add(l.At, &l.Numbers)
	}
	text, _ := json.Marshal(columns) // Numbers never fail.
	return string(text)
}
