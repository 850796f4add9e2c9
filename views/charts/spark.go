package charts

import (
	"context"
	"html"
	"io"
	"time"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

// A SparkPoint is a number at a check; nil if unknown.
type SparkPoint struct {
	At time.Time
	N  *int64
}

// Sparkline draws how a number went, with nothing but its shape: from 0, or from
// the least where it never was near that. Where it is unknown, there is a gap.
func Sparkline(points []SparkPoint) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendSpark(ctx, make([]byte, 0, 512), points))
		return err
	})
}

const (
	sparkWide = 120
	sparkHigh = 28
)

func appendSpark(ctx context.Context, b []byte, points []SparkPoint) []byte {
	low, high, n := int64(0), int64(0), 0
	for _, p := range points {
		if p.N == nil {
			continue
		}
		if n == 0 {
			low, high = *p.N, *p.N
		}
		low, high, n = min(low, *p.N), max(high, *p.N), n+1
	}
	if n < 2 {
		return b
	}
	if low < high/2 {
		low = 0
	}
	first, last := points[0].At, points[len(points)-1].At
	b = append(b, `<svg class=spark width=120 height=32 viewBox="0 -2 120 32" role=img aria-label="`...)
	b = append(b, html.EscapeString(sparkWords(ctx, points))...)
	b = append(b, `"><path d="`...)
	pen := byte('M')
	for _, p := range points {
		if p.N == nil {
			pen = 'M'
			continue
		}
		b = append(b, pen)
		b = AppendInt(b, along(p.At, first, last, sparkWide))
		b = append(b, ' ')
		y := sparkHigh / 2
		if high > low {
			y = int(sparkHigh - sparkHigh*(*p.N-low)/(high-low))
		}
		b = AppendInt(b, y)
		pen = 'L'
	}
	return append(b, `"/></svg>`...)
}

// sparkWords is the line as text.
func sparkWords(ctx context.Context, points []SparkPoint) string {
	var first, last *int64
	for _, p := range points {
		if p.N != nil {
			if first == nil {
				first = p.N
			}
			last = p.N
		}
	}
	return texts.T(ctx, "Likes from %s to %s", texts.NumberOrDash(ctx, first), texts.NumberOrDash(ctx, last))
}
