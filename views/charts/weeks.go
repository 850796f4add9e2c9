package charts

import (
	"context"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"

	"laurel/views/texts"
)

const (
	weekStep = 10 // From bar to bar; the stroke is 6 wide.
	weekHigh = 20
)

// Weeks draws what was solved in each of some weeks, the oldest first, as bars: the best week is the highest one.
func Weeks(n []int) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendWeeks(ctx, make([]byte, 0, 300), n))
		return err
	})
}

func appendWeeks(ctx context.Context, b []byte, n []int) []byte {
	most, said := 0, make([]string, len(n))
	for i, x := range n {
		most, said[i] = max(most, x), texts.Number(ctx, x)
	}
	if most == 0 {
		return append(b, "–"...)
	}
	b = append(b, `<svg class=weeks width=80 height=20 viewBox="0 0 80 20" role=img><title>`...)
	b = append(b, html.EscapeString(texts.T(ctx, "Solved in each of the last %d weeks: %s", len(n), strings.Join(said, ", ")))...)
	b = append(b, `</title><path d="`...)
	for i, x := range n {
		if x == 0 {
			continue
		}
		b = append(b, 'M')
		b = AppendInt(b, i*weekStep+weekStep/2)
		b = append(b, ' ')
		b = AppendInt(b, weekHigh)
		b = append(b, 'V')
		b = AppendInt(b, weekHigh-max(1, weekHigh*x/most))
	}
	return append(b, `"/></svg>`...)
}
