package posts

import (
	"encoding/json"
	"time"

	"laurel/views/parts"
)

// words is the chart in a sentence.
func (c Curve) words() string {
	first, last := c.Checks[0], c.Checks[len(c.Checks)-1]
	text := "Numbers of the post from an age of " + lasting(first.At.Sub(c.Created)) + " to " + lasting(last.At.Sub(c.Created))
	for i, line := range curveLines {
		if c.has(i) {
			text += ", " + line.name + " from " + parts.NumberOrDash(line.of(first.Numbers)) + " to " +
				parts.NumberOrDash(line.of(last.Numbers))
		}
	}
	return text + "; table below"
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
