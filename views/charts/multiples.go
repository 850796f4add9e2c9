package charts

import (
	"context"
	"html"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

const (
	multipleWide = 300
	multipleHigh = 96
	// multiplePoints is how many contests a small picture shows at most; between neighbours that are
	// nearer than a point is wide nothing is seen.
	multiplePoints = 120
)

// A Multiple is the ratings of one account as a small picture with its own scale: scales of sites
// cannot be compared. The heading has the newest and the best rating.
type Multiple struct {
	Curve
	Figure string // The name of the newest rating for programs, such as codeforces.rating.
}

// RatingMultiples draws the accounts' ratings beside each other.
func RatingMultiples(list []Multiple) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		b := append(make([]byte, 0, 4<<10), `<div class=multi>`...)
		for i := range list {
			b = list[i].append(ctx, b, i)
		}
		_, err := w.Write(append(b, `</div>`...))
		return err
	})
}

func (m *Multiple) append(ctx context.Context, b []byte, i int) []byte {
	if len(m.Events) == 0 {
		return b
	}
	low, high, now := m.Events[0].Rating, m.Events[0].Rating, m.Events[len(m.Events)-1].Rating
	for _, e := range m.Events {
		low, high = min(low, e.Rating), max(high, e.Rating)
	}
	b = append(b, `<div><h3>`...)
	b = append(b, html.EscapeString(m.Site)...)
	b = append(b, `<span><span data-figure="`...)
	b = append(b, html.EscapeString(m.Figure)...)
	b = append(b, `">`...)
	b = AppendInt(b, now)
	b = append(b, `</span> <span class=soft>`...)
	if high > now {
		b = append(b, texts.T(ctx, "best %s", strconv.Itoa(high))...)
	} else {
		b = append(b, texts.T(ctx, "all-time best")...)
	}
	b = append(b, `</span></span></h3><svg class="curve c`...)
	b = AppendInt(b, i%4)
	b = append(b, `" viewBox="0 0 300 96" role=img aria-label="`...)
	b = append(b, html.EscapeString(m.words(ctx, low, high, now))...)
	b = append(b, `"><path class=grid d="M0 8h300M0 50h300M0 92h300"/><path d="`...)
	b, x, y := m.line(b, low, high)
	b = append(b, `"/><circle r=4 cx=`...)
	b = AppendInt(b, x)
	b = append(b, ` cy=`...)
	b = AppendInt(b, y)
	return append(b, `></circle></svg></div>`...)
}

// line draws the ratings by their time and returns where it ends.
func (m *Multiple) line(b []byte, low, high int) (path []byte, x, y int) {
	first, last := m.Events[0].At, m.Events[len(m.Events)-1].At
	step := (len(m.Events) + multiplePoints - 1) / multiplePoints
	pen := byte('M')
	for i, e := range m.Events {
		if i%step != 0 && i != len(m.Events)-1 {
			continue
		}
		x, y = 4+along(e.At, first, last, multipleWide-8), multipleHigh/2
		if high > low {
			y = 8 + 84*(high-e.Rating)/(high-low)
		}
		b = append(b, pen)
		b = AppendInt(b, x)
		b = append(b, ' ')
		b = AppendInt(b, y)
		pen = 'L'
	}
	return b, x, y
}

// words is the picture as text.
func (m *Multiple) words(ctx context.Context, low, high, now int) string {
	return texts.N(ctx, len(m.Events), "%d contest from %s to %s: lowest %s, best %s, now %s",
		"%d contests from %s to %s: lowest %s, best %s, now %s", texts.Format(ctx, m.Events[0].At, "Jan 2006"),
		texts.Format(ctx, m.Events[len(m.Events)-1].At, "Jan 2006"), strconv.Itoa(low), strconv.Itoa(high), strconv.Itoa(now))
}
