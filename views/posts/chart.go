package posts

import (
	"context"
	"html"
	"io"
	"math"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/texts"
)

// A Curve is what fetches saw of a post, oldest first.
type Curve struct {
	Title   string
	Created time.Time
	Checks  []Check
}

// A Check is one of them.
type Check struct {
	At      time.Time
	Numbers Numbers
	Gap     bool // There was no check for so long that nobody knows what happened before this one.
}

// curveLines are the numbers that a curve draws, each with its line; views have
// a scale of their own, on the right.
var curveLines = []struct {
	name  string
	of    func(Numbers) *int64
	right bool
}{
	{texts.Mark("likes"), func(n Numbers) *int64 { return n.Likes }, false},
	{texts.Mark("reposts"), func(n Numbers) *int64 { return n.Reposts }, false},
	{texts.Mark("replies"), func(n Numbers) *int64 { return n.Replies }, false},
	{texts.Mark("views"), func(n Numbers) *int64 { return n.Views }, true},
}

// has reports whether any check has a number.
func (c Curve) has(line int) bool {
	for _, l := range c.Checks {
		if curveLines[line].of(l.Numbers) != nil {
			return true
		}
	}
	return false
}

// Chart draws how the numbers of a post went, by its age. Half of all that
// happens to a post happens in its first minutes, so each doubling of the age is
// as wide as the others. Where nothing is known there is no line.
func Chart(c Curve) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendPostChart(ctx, make([]byte, 0, 6<<10), c))
		return err
	})
}

// A postScale maps ages to 60..990, for the scale is on the left, and numbers
// to 0..1000.
type postScale struct {
	created     time.Time
	from, whole float64 // The logarithm of the first age, and how much is drawn of it.
	left, right int64   // The highest numbers with a line across.
}

// youngest is the least age that the scale distinguishes.
const youngest = 30 * time.Second

func logAge(d time.Duration) float64 { return math.Log(max(d, youngest).Seconds()) }

func (c Curve) scale() postScale {
	first, last := c.Checks[0].At, c.Checks[len(c.Checks)-1].At
	s := postScale{created: c.Created, from: logAge(first.Sub(c.Created)), left: 4, right: 4}
	s.whole = logAge(last.Sub(c.Created)) - s.from
	for _, l := range c.Checks {
		for _, line := range curveLines {
			switch n := line.of(l.Numbers); {
			case n == nil:
			case line.right:
				s.right = max(s.right, *n)
			default:
				s.left = max(s.left, *n)
			}
		}
	}
	s.left, s.right = roundUp(s.left), roundUp(s.right+s.right/4)
	return s
}

// roundUp returns the least number at or above n that has four even quarters a
// person can read.
func roundUp(n int64) int64 {
	for step := int64(1); ; step *= 10 {
		for _, f := range []int64{4, 8, 12, 20, 32} {
			if f*step >= n {
				return f * step
			}
		}
	}
}

func (s postScale) x(at time.Time) int {
	if s.whole <= 0 {
		return 500
	}
	return 60 + min(max(int(930*(logAge(at.Sub(s.created))-s.from)/s.whole), 0), 930)
}

func (s postScale) y(n int64, right bool) int {
	top := s.left
	if right {
		top = s.right
	}
	return int(980 - 900*n/top)
}

func appendPostChart(ctx context.Context, b []byte, c Curve) []byte {
	if len(c.Checks) < 2 {
		return b
	}
	s := c.scale()
	b = append(b, `<svg class="curves post" role=img aria-label="`...)
	b = append(b, html.EscapeString(c.words(ctx))...)
	b = append(b, `">`...)
	b = s.appendAges(ctx, b, c)
	b = append(b, `<svg class=plot height=91%>`...)
	for i := range int64(5) {
		b = appendScale(ctx, b, s.y(s.left*i/4, false), s.left*i/4, "")
		if c.has(3) {
			b = appendScale(ctx, b, s.y(s.left*i/4, false), s.right*i/4, ` x=100% class=end`)
		}
	}
	b = append(b, `</svg><svg class=plot height=91% viewBox="0 0 1000 1000" preserveAspectRatio=none><path class=grid d="`...)
	for i := range int64(5) {
		b = append(b, "M0 "...)
		b = charts.AppendInt(b, s.y(s.left*i/4, false))
		b = append(b, "h1000"...)
	}
	b = append(b, `"/>`...)
	for i := range curveLines {
		if c.has(i) {
			b = s.appendLine(b, c, i)
		}
	}
	return append(b, `</svg></svg>`...)
}

func appendScale(ctx context.Context, b []byte, y int, n int64, more string) []byte {
	b = append(b, `<text y=`...)
	b = charts.AppendPercent(b, y)
	b = append(b, ` dy=-4`...)
	b = append(b, more...)
	b = append(b, '>')
	b = append(b, short(ctx, n)...)
	return append(b, `</text>`...)
}

// short is a number of a scale: 1.2M.
func short(ctx context.Context, n int64) string {
	switch {
	case n >= 1_000_000_000:
		return tenths(ctx, n/100_000_000) + "G"
	case n >= 1_000_000:
		return tenths(ctx, n/100_000) + "M"
	case n >= 10_000:
		return tenths(ctx, n/100) + "k"
	}
	return texts.Number(ctx, int(n))
}

// tenths writes 15 as 1.5 and 20 as 2.
func tenths(ctx context.Context, n int64) string {
	if n%10 == 0 {
		return texts.Number(ctx, int(n/10))
	}
	return texts.Number(ctx, int(n/10)) + "." + texts.Number(ctx, int(n%10))
}

// appendLine draws a number, with gaps where it is unknown, and a dot where it
// is known at one check alone.
func (s postScale) appendLine(b []byte, c Curve, line int) []byte {
	var dots []byte
	b = append(b, `<path class=`...)
	b = append(b, charts.CurveClass(line)...)
	b = append(b, ` d="`...)
	known := func(i int) bool {
		return i >= 0 && i < len(c.Checks) && curveLines[line].of(c.Checks[i].Numbers) != nil
	}
	px := 0 // Where the pen is.
	for i, l := range c.Checks {
		if !known(i) {
			continue
		}
		begins, ends := l.Gap || !known(i-1), !known(i+1) || c.Checks[i+1].Gap
		x, y := s.x(l.At), s.y(*curveLines[line].of(l.Numbers), curveLines[line].right)
		switch {
		case begins && ends:
			dots = append(appendPoint(append(dots, 'M'), x, y), "h0"...)
			continue
		case begins:
			b = append(b, 'M')
		case x-px < 3 && !ends:
			continue // Nearer than can be seen.
		default:
			b = append(b, 'L')
		}
		b, px = appendPoint(b, x, y), x
	}
	b = append(b, `"/>`...)
	if len(dots) == 0 {
		return b
	}
	b = append(b, `<path class="dot `...)
	b = append(b, charts.CurveClass(line)...)
	b = append(b, `" d="`...)
	return append(append(b, dots...), `"/>`...)
}

func appendPoint(b []byte, x, y int) []byte {
	return charts.AppendInt(append(charts.AppendInt(b, x), ' '), y)
}

// ages are those that are below a chart.
var ages = []time.Duration{time.Minute, 5 * time.Minute, 18 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 24 * time.Hour,
	2 * 24 * time.Hour, 4 * 24 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}

// appendAges names ages that have room.
func (s postScale) appendAges(ctx context.Context, b []byte, c Curve) []byte {
	before := -1000
	for _, age := range ages {
		at := c.Created.Add(age)
		x := s.x(at)
		if at.Before(c.Checks[0].At) || at.After(c.Checks[len(c.Checks)-1].At) || x-before < 130 || x > 960 || x < 40 {
			continue
		}
		b = charts.AppendYearName(b, x, lasting(ctx, age))
		before = x
	}
	if before < 0 { // A short time: its ends.
		b = charts.AppendYearName(b, 80, lasting(ctx, c.Checks[0].At.Sub(c.Created)))
		b = charts.AppendYearName(b, 920, lasting(ctx, c.Checks[len(c.Checks)-1].At.Sub(c.Created)))
	}
	return b
}
