package charts

import (
	"context"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

// RatingCurves draws the ratings of all sites in one picture that fills its
// card: a line for each, with its own dashes, so that colour is not needed to
// distinguish them. The newest and the extreme contests can be pointed at or
// reached by keyboard; all of them are in the table page.
func RatingCurves(curves []Curve) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendCurves(ctx, make([]byte, 0, 8<<10), curves))
		return err
	})
}

const (
	curveStyles = 8  // Different lines in app.css: c0 to c7, each with a colour and dashes that no other has together.
	curvePoints = 12 // That can be focused in one picture; each costs 130 bytes and a press of Tab.
	curveGap    = 6  // Of 1000: points nearer than this to the one before are not drawn.
)

// CurveClass is the class of the i-th curve.
func CurveClass(i int) string { return "c" + strconv.Itoa(i%curveStyles) }

func appendCurves(ctx context.Context, b []byte, curves []Curve) []byte {
	s, ok := scaleOf(curves)
	if !ok {
		return b
	}
	b = append(b, `<svg class=curves role=group aria-label="`...)
	b = append(b, texts.T(ctx, "Ratings from %s to %s", texts.Format(ctx, s.from, "Jan 2006"), texts.Format(ctx, s.to, "Jan 2006"))...)
	b = append(b, `">`...)
	b = s.appendYears(ctx, b)
	b = append(b, `<svg class=plot height=91%>`...)
	for r := s.low; r <= s.high; r += s.step {
		b = append(b, `<text y=`...)
		b = AppendPercent(b, s.y(r))
		b = append(b, ` dy=-4>`...)
		b = AppendInt(b, r)
		b = append(b, `</text>`...)
	}
	b = append(b, `</svg><svg class=plot height=91% viewBox="0 0 1000 1000" preserveAspectRatio=none><path class=grid d="`...)
	for r := s.low; r <= s.high; r += s.step {
		b = append(b, 'M', '0', ' ')
		b = AppendInt(b, s.y(r))
		b = append(b, "h1000"...)
	}
	b = append(b, `"/>`...)
	for i, c := range curves {
		if len(c.Events) > 0 {
			b = s.appendCurve(ctx, b, c, CurveClass(i), curvePoints/len(curves))
		}
	}
	return append(b, `</svg></svg>`...)
}

// appendCurve draws a line, and the points that can be focused.
func (s scale) appendCurve(ctx context.Context, b []byte, c Curve, class string, points int) []byte {
	shown := notable(c.Events, points)
	b = append(b, `<g class=`...)
	b = append(b, class...)
	b = append(b, `><path d="M`...)
	x, y := 0, 0 // Where the pen is.
	for i, e := range c.Events {
		nx, ny := s.x(e.At), s.y(e.Rating)
		switch {
		case i == 0:
			b = AppendInt(b, nx)
			b = append(b, ' ')
			b = AppendInt(b, ny)
			b = append(b, 'l')
		case nx-x >= curveGap || slices.Contains(shown, i):
			b = appendStep(b, nx-x)
			b = appendStep(b, ny-y)
		default:
			continue
		}
		x, y = nx, ny
	}
	b = append(b, `"/>`...)
	for _, i := range shown {
		e := c.Events[i]
		b = append(b, `<path tabindex=0 role=img d=M`...)
		b = AppendInt(b, s.x(e.At))
		b = append(b, ',')
		b = AppendInt(b, s.y(e.Rating))
		b = append(b, `h0><title>`...)
		b = append(b, html.EscapeString(eventText(ctx, c, i))...)
		b = append(b, `</title></path>`...)
	}
	return append(b, `</g>`...)
}

// appendStep writes a number of a path; a minus sign separates as well as a space.
func appendStep(b []byte, n int) []byte {
	if n >= 0 && b[len(b)-1] != 'l' {
		b = append(b, ' ')
	}
	return AppendInt(b, n)
}

// notable returns the indices, in order, of the highest and the lowest rating
// and of the newest contests, at most n in all.
func notable(events []RatingEvent, n int) []int {
	if len(events) == 0 {
		return nil
	}
	high, low, most, least := 0, 0, math.MinInt, math.MaxInt
	for i, e := range events {
		if e.Rating >= most {
			high, most = i, e.Rating
		}
		if e.Rating < least {
			low, least = i, e.Rating
		}
	}
	shown := []int{high}
	if low != high {
		shown = append(shown, low)
	}
	for i := len(events) - 1; i >= 0 && len(shown) < n; i-- {
		if i != high && i != low {
			shown = append(shown, i)
		}
	}
	slices.Sort(shown)
	return shown
}

// A scale maps times and ratings to 0..1000.
type scale struct {
	from, to        time.Time
	low, high, step int // Ratings with a line across.
}

// scaleOf spans all events; it is not ok when there is none.
func scaleOf(curves []Curve) (s scale, ok bool) {
	low, high := 0, 0
	for _, c := range curves {
		for _, e := range c.Events {
			if !ok {
				s.from, s.to, low, high, ok = e.At, e.At, e.Rating, e.Rating, true
			}
			if e.At.Before(s.from) {
				s.from = e.At
			}
			if e.At.After(s.to) {
				s.to = e.At
			}
			low, high = min(low, e.Rating), max(high, e.Rating)
		}
	}
	for _, s.step = range []int{50, 100, 200, 250, 500, 1000, 2000} {
		s.low, s.high = low/s.step*s.step, (high+s.step-1)/s.step*s.step
		if low < 0 {
			s.low -= s.step
		}
		if s.high-s.low <= 4*s.step {
			break
		}
	}
	if s.high == s.low {
		s.high += s.step
	}
	return s, ok
}

// x leaves room for a point at both ends; a lonely moment is in the middle.
func (s scale) x(t time.Time) int {
	if !s.to.After(s.from) {
		return 500
	}
	return 80 + int(900*t.Sub(s.from).Hours()/s.to.Sub(s.from).Hours())
}

func (s scale) y(rating int) int {
	return 980 - 900*(rating-s.low)/(s.high-s.low)
}

// appendYears names the years where they begin, every second or third one of
// many; a span inside one year is named at its ends.
func (s scale) appendYears(ctx context.Context, b []byte) []byte {
	first, last := s.from.Year()+1, s.to.Year()
	if first > last {
		b = AppendYearName(b, s.x(s.from), texts.Format(ctx, s.from, "Jan 2006"))
		if s.to.Sub(s.from) > 60*24*time.Hour {
			b = AppendYearName(b, s.x(s.to), texts.Format(ctx, s.to, "Jan 2006"))
		}
		return b
	}
	for y := first; y <= last; y += (last-first)/8 + 1 {
		b = AppendYearName(b, s.x(time.Date(y, 1, 1, 0, 0, 0, 0, s.from.Location())), strconv.Itoa(y))
	}
	return b
}

// AppendYearName writes the name of a year at a place.
func AppendYearName(b []byte, x int, name string) []byte {
	b = append(b, `<text y=100% x=`...)
	b = AppendPercent(b, x)
	b = append(b, ` dy=-2 class=yr>`...)
	b = append(b, name...)
	return append(b, `</text>`...)
}

// eventText is "Codeforces Round 2: 1764, rank 5, +162".
func eventText(ctx context.Context, c Curve, i int) string {
	e := c.Events[i]
	text := texts.T(ctx, "%s: %s, rank %d", e.Contest, strconv.Itoa(e.Rating), e.Rank)
	if change := ChangeText(c.Events, i); change != "" {
		text += ", " + change
	}
	return text
}

// ChangeText is what a contest changed; "" for the first, which changed nothing known.
func ChangeText(events []RatingEvent, i int) string {
	if i == 0 {
		return ""
	}
	d := events[i].Rating - events[i-1].Rating
	if d > 0 {
		return "+" + strconv.Itoa(d)
	}
	return strconv.Itoa(d)
}

// A Curve is the ratings of one account, oldest first.
type Curve struct {
	Site   string // Title of the site.
	Handle string
	Events []RatingEvent
}

// A RatingEvent is a rated contest.
type RatingEvent struct {
	Contest string // As the site calls it.
	URL     string // "" if it has no page.
	Rank    int
	Rating  int // After the contest.
	At      time.Time
}
