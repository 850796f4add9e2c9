package charts

import (
	"context"
	"html"
	"io"
	"time"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

// A RankChart is a player's rank over time.
type RankChart struct {
	Player      string
	Now         time.Time  // Its zone is the zone of all times.
	From, Until time.Time  // What is drawn.
	Spans       []RankSpan // Oldest first.
}

// A RankSpan is a time through which a player held a rank.
type RankSpan struct {
	From, LastSeen time.Time
	Until          time.Time // When a check found it ended; zero while it is open.
	Rank           int
}

// RankHistory draws a player's rank as steps, rank 1 on top: solid while checks
// showed it, dashed from the last of them to the check that found another, and
// nothing where the player was not in the list.
func RankHistory(c RankChart) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendRanks(ctx, make([]byte, 0, 4<<10), c))
		return err
	})
}

// A rankScale maps instants to 0..1000 and ranks to 0..1000.
type rankScale struct {
	from, until time.Time
	best, worst int
}

func rankScaleOf(c RankChart) rankScale {
	s := rankScale{from: c.From, until: c.Until}
	for i, r := range c.Spans {
		if i == 0 || r.Rank < s.best {
			s.best = r.Rank
		}
		s.worst = max(s.worst, r.Rank)
	}
	return s
}

func (s rankScale) x(t time.Time) int { return along(t, s.from, s.until, 1000) }

func (s rankScale) y(rank int) int {
	if s.worst == s.best {
		return 500
	}
	return 60 + 880*(rank-s.best)/(s.worst-s.best)
}

func appendRanks(ctx context.Context, b []byte, c RankChart) []byte {
	s := rankScaleOf(c)
	b = append(b, `<svg class="curves ranks" role="img" aria-label="`...)
	b = append(b, html.EscapeString(rankWords(ctx, c))...)
	b = append(b, `"><svg class="plot" height="91%">`...)
	for _, rank := range s.lines() {
		b = append(b, `<text y="`...)
		b = AppendPercent(b, s.y(rank))
		b = append(b, `" dy="-4">`...)
		b = AppendInt(b, rank)
		b = append(b, `</text>`...)
	}
	b = append(b, `</svg><text y="100%" dy="-2">`...)
	b = append(b, texts.Format(ctx, s.from, "2 Jan 2006")...)
	b = append(b, `</text><text y="100%" x="100%" dy="-2" class="end">`...)
	b = append(b, texts.Format(ctx, s.until, "2 Jan 2006")...)
	b = append(b, `</text><svg class="plot" height="91%" viewBox="0 0 1000 1000" preserveAspectRatio="none"><path class="grid" d="`...)
	for _, rank := range s.lines() {
		b = append(b, "M0 "...)
		b = AppendInt(b, s.y(rank))
		b = append(b, "h1000"...)
	}
	b = append(b, `"/><path class="c0" d="`...)
	b = s.appendSeen(b, c.Spans)
	b = append(b, `"/><path class="c0 guess" d="`...)
	b = s.appendGuesses(b, c.Spans)
	return append(b, `"/></svg></svg>`...)
}

// lines are the ranks with a line across: the best, the worst and some between.
func (s rankScale) lines() []int {
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

// appendSeen writes what is certain: from the first to the last check at a rank.
func (s rankScale) appendSeen(b []byte, ranks []RankSpan) []byte {
	for _, r := range ranks {
		b = append(b, 'M')
		b = AppendInt(b, s.x(r.From))
		b = append(b, ' ')
		b = AppendInt(b, s.y(r.Rank))
		b = append(b, 'H')
		b = AppendInt(b, max(s.x(r.LastSeen), s.x(r.From)+1))
	}
	return b
}

// appendGuesses writes the rest of each rank's time, and the step to the next.
func (s rankScale) appendGuesses(b []byte, ranks []RankSpan) []byte {
	for i, r := range ranks {
		until := r.Until
		if until.IsZero() {
			until = s.until
		}
		b = append(b, 'M')
		b = AppendInt(b, s.x(r.LastSeen))
		b = append(b, ' ')
		b = AppendInt(b, s.y(r.Rank))
		b = append(b, 'H')
		b = AppendInt(b, s.x(until))
		if i+1 < len(ranks) && ranks[i+1].From.Equal(until) {
			b = append(b, 'V')
			b = AppendInt(b, s.y(ranks[i+1].Rank))
		}
	}
	return b
}

// rankWords is the chart in a sentence.
func rankWords(ctx context.Context, c RankChart) string {
	if len(c.Spans) == 0 {
		return texts.T(ctx, "%s was in no list", c.Player)
	}
	first, last := c.Spans[0], c.Spans[len(c.Spans)-1]
	return texts.T(ctx, "Rank of %s from %s to %s", c.Player, texts.Stamp(ctx, first.From, c.Now), texts.Stamp(ctx, last.LastSeen, c.Now)) +
		": " + c.Sum(ctx)
}

// Sum is "from 12 to 3, best 2, worst 15".
func (c RankChart) Sum(ctx context.Context) string {
	if len(c.Spans) == 0 {
		return ""
	}
	s := rankScaleOf(c)
	first, last := c.Spans[0].Rank, c.Spans[len(c.Spans)-1].Rank
	return texts.T(ctx, "rank %d at first, %d at last, best %d, worst %d", first, last, s.best, s.worst)
}
