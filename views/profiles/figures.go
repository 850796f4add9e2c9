package profiles

import (
	"context"
	"html"
	"io"
	"strconv"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// Figures of a member can be read by programs: an element whose text is one
// bears its name as data-figure, the same on the profile and on the profile as
// known at an instant. They are solved, day_streak, ac_streak, accepted, and for
// each site SITE.solved, SITE.submitted, SITE.accepted and SITE.rating.

// curveLegend says which line is whose, and how the ratings are.
func curveLegend(ctx context.Context, curves []charts.Curve) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := append(make([]byte, 0, 512), `<ul class=legend>`...)
		for i, c := range curves {
			b = append(b, `<li><svg width=26 height=10 aria-hidden=true><path class=`...)
			b = append(b, charts.CurveClass(i)...)
			b = append(b, ` d="M0 5h26"/></svg>`...)
			b = append(b, html.EscapeString(legendText(ctx, c))...)
		}
		_, err := w.Write(append(b, `</ul>`...))
		return err
	})
}

// figureName is the figure of a curve: "codeforces.rating".
func figureName(c charts.Curve, accounts []Account) string {
	for _, a := range accounts {
		if a.Title == c.Site {
			return a.Site + ".rating"
		}
	}
	return "rating"
}

// appendFigures writes a site's sums as cells of a row.
func appendFigures(ctx context.Context, b []byte, a Account) []byte {
	for _, f := range []struct {
		name, text   string
		listed, more int
	}{
		{"solved", solvedNumber(ctx, a), a.Solved, a.UndetailedSolved},
		{"submitted", texts.Number(ctx, a.Submissions), a.Submissions, a.Undetailed},
		{"accepted", parts.Percent(a.Accepted, a.Submissions), 0, 0},
	} {
		b = append(b, `<td><span data-figure=`...)
		b = append(b, html.EscapeString(a.Site)...)
		b = append(b, '.')
		b = append(b, f.name...)
		b = append(b, '>')
		b = append(b, f.text...)
		b = append(b, `</span>`...)
		if f.more > 0 {
			b = appendCounted(ctx, b, a.Title, f.listed+f.more)
		}
	}
	return b
}

// appendCounted writes what a site counts beside what it lists: "of 443".
func appendCounted(ctx context.Context, b []byte, site string, n int) []byte {
	b = append(b, ` <abbr title="`...)
	b = append(b, html.EscapeString(texts.T(ctx, "%s does not list all that it counts", site))...)
	b = append(b, `">`...)
	b = append(b, texts.T(ctx, "of %d", n)...)
	return append(b, `</abbr>`...)
}

// legendText is "Codeforces 1874 (best 1921)".
func legendText(ctx context.Context, c charts.Curve) string { return c.Site + " " + ratingSum(ctx, c) }

func ratingSum(ctx context.Context, c charts.Curve) string {
	if len(c.Events) == 0 {
		return texts.T(ctx, "not rated yet")
	}
	now, best := c.Events[len(c.Events)-1].Rating, 0
	for _, e := range c.Events {
		best = max(best, e.Rating)
	}
	text := strconv.Itoa(now)
	if best > now {
		text += " " + texts.T(ctx, "(best %s)", strconv.Itoa(best))
	}
	return text
}
