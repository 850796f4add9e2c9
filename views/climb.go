package views

import (
	"context"
	"html"
	"io"
	"strconv"
	"time"

	"github.com/a-h/templ"
)

// ClimbChart draws a player's rank as steps, rank 1 on top: solid while looks
// showed it, dashed from the last of them to the look that found another, and
// nothing where the player was not in the list.
func ClimbChart(c Climb) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(appendClimb(make([]byte, 0, 4<<10), c))
		return err
	})
}

// A climbScale maps instants to 0..1000 and ranks to 0..1000.
type climbScale struct {
	from, until time.Time
	best, worst int
}

func climbScaleOf(c Climb) climbScale {
	s := climbScale{from: c.From, until: c.Until}
	for i, r := range c.Ranks {
		if i == 0 || r.Rank < s.best {
			s.best = r.Rank
		}
		s.worst = max(s.worst, r.Rank)
	}
	return s
}

func (s climbScale) x(t time.Time) int { return along(t, s.from, s.until, 1000) }

func (s climbScale) y(rank int) int {
	if s.worst == s.best {
		return 500
	}
	return 60 + 880*(rank-s.best)/(s.worst-s.best)
}

func appendClimb(b []byte, c Climb) []byte {
	s := climbScaleOf(c)
	b = append(b, `<svg class="curves climb" role="img" aria-label="`...)
	b = append(b, html.EscapeString(climbWords(c))...)
	b = append(b, `"><svg class="plot" height="91%">`...)
	for _, rank := range s.lines() {
		b = append(b, `<text y="`...)
		b = appendPercent(b, s.y(rank))
		b = append(b, `" dy="-4">`...)
		b = appendInt(b, rank)
		b = append(b, `</text>`...)
	}
	b = append(b, `</svg><text y="100%" dy="-2">`...)
	b = s.from.AppendFormat(b, "2 Jan 2006")
	b = append(b, `</text><text y="100%" x="100%" dy="-2" class="end">`...)
	b = s.until.AppendFormat(b, "2 Jan 2006")
	b = append(b, `</text><svg class="plot" height="91%" viewBox="0 0 1000 1000" preserveAspectRatio="none"><path class="grid" d="`...)
	for _, rank := range s.lines() {
		b = append(b, "M0 "...)
		b = appendInt(b, s.y(rank))
		b = append(b, "h1000"...)
	}
	b = append(b, `"/><path class="c0" d="`...)
	b = s.appendSeen(b, c.Ranks)
	b = append(b, `"/><path class="c0 guess" d="`...)
	b = s.appendGuesses(b, c.Ranks)
	return append(b, `"/></svg></svg>`...)
}

// lines are the ranks with a line across: the best, the worst and some between.
func (s climbScale) lines() []int {
	ranks := []int{s.best}
	for i := 1; i < 4; i++ {
		if r := s.best + (s.worst-s.best)*i/4; r > ranks[len(ranks)-1] {
			ranks = append(ranks, r)
		}
	}
	if s.worst > ranks[len(ranks)-1] {
		ranks = append(ranks, s.worst)
	}
	return ranks
}

// appendSeen writes what is certain: from the first to the last look at a rank.
func (s climbScale) appendSeen(b []byte, ranks []ClimbSpan) []byte {
	for _, r := range ranks {
		b = append(b, 'M')
		b = appendInt(b, s.x(r.From))
		b = append(b, ' ')
		b = appendInt(b, s.y(r.Rank))
		b = append(b, 'H')
		b = appendInt(b, max(s.x(r.LastSeen), s.x(r.From)+1))
	}
	return b
}

// appendGuesses writes the rest of each rank's time, and the step to the next.
func (s climbScale) appendGuesses(b []byte, ranks []ClimbSpan) []byte {
	for i, r := range ranks {
		until := r.Until
		if until.IsZero() {
			until = s.until
		}
		b = append(b, 'M')
		b = appendInt(b, s.x(r.LastSeen))
		b = append(b, ' ')
		b = appendInt(b, s.y(r.Rank))
		b = append(b, 'H')
		b = appendInt(b, s.x(until))
		if i+1 < len(ranks) && ranks[i+1].From.Equal(until) {
			b = append(b, 'V')
			b = appendInt(b, s.y(ranks[i+1].Rank))
		}
	}
	return b
}

// climbWords is the chart in a sentence.
func climbWords(c Climb) string {
	if len(c.Ranks) == 0 {
		return c.Player + " was in no list"
	}
	first, last := c.Ranks[0], c.Ranks[len(c.Ranks)-1]
	return "Rank of " + c.Player + " from " + stamp(first.From, c.Now) + " to " + stamp(last.LastSeen, c.Now) + ": " + climbSum(c)
}

// climbSum is "from 12 to 3, best 2, worst 15".
func climbSum(c Climb) string {
	if len(c.Ranks) == 0 {
		return ""
	}
	s := climbScaleOf(c)
	first, last := c.Ranks[0].Rank, c.Ranks[len(c.Ranks)-1].Rank
	return "from " + strconv.Itoa(first) + " to " + strconv.Itoa(last) + ", best " + strconv.Itoa(s.best) + ", worst " + strconv.Itoa(s.worst)
}
