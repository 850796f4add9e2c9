package archive

import (
	"context"
	"html"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/texts"
)

// A CheckCalendar is the checks of a year, day by day.
type CheckCalendar struct {
	Base           string     // The address of the page that shows the calendar, without an instant: "/u/ada".
	First          time.Time  // The day of Days[0], at midnight UTC.
	At             time.Time  // The day shown, at midnight UTC; marked.
	Days           []CheckDay // One after the other without a gap.
	Earlier, Later string     // Addresses of the years around; "" where there is nothing.
}

// A CheckDay is the checks of one day.
type CheckDay struct {
	Checks, Failed int       // All, and those of them that failed.
	Last           time.Time // The day's last check, where its link leads; zero if there was none.
}

// checkTable draws a calendar as a table: a row for each month, a cell for each
// day. A day with checks is a link with their number, so that it needs no script
// and no picture. It is written by hand, without the end tags that HTML does not
// need: most of a year's days have links.
func checkTable(c CheckCalendar) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendCheckTable(ctx, make([]byte, 0, 24<<10), c))
		return err
	})
}

func appendCheckTable(ctx context.Context, b []byte, c CheckCalendar) []byte {
	b = append(b, `<table class=checks><thead><tr><th scope=col>`+html.EscapeString(texts.T(ctx, "Month"))...)
	for day := 1; day <= 31; day++ {
		b = append(b, `<th scope=col>`...)
		b = charts.AppendInt(b, day)
	}
	b = append(b, `<tbody>`...)
	levels := checkLevels(c.Days)
	for i, d := range c.Days {
		day := c.First.AddDate(0, 0, i)
		if i == 0 || day.Day() == 1 {
			b = append(b, `<tr><th scope=row>`...)
			b = append(b, texts.Format(ctx, day, "Jan 2006")...)
			for range day.Day() - 1 {
				b = append(b, `<td>`...)
			}
		}
		b = appendCheckDay(ctx, b, c, d, levels, day.Equal(c.At))
	}
	return append(b, `</table>`...)
}

// appendCheckDay writes a cell: its class is how many checks succeeded, x where none did.
func appendCheckDay(ctx context.Context, b []byte, c CheckCalendar, d CheckDay, l charts.Levels, shown bool) []byte {
	if d.Checks == 0 {
		return append(b, `<td>`...)
	}
	class := "h" + strconv.Itoa(l.Of(d.Checks-d.Failed))
	if d.Failed >= d.Checks {
		class = "x"
	}
	b = append(b, `<td class=`...)
	b = append(b, class...)
	b = append(b, `><a href=`...)
	b = append(b, templ.EscapeString(c.dayPath(d.Last))...)
	if shown {
		b = append(b, ` aria-current=date`...)
	}
	b = append(b, '>')
	if d.Checks > d.Failed {
		b = charts.AppendInt(b, d.Checks-d.Failed)
	}
	if d.Failed > 0 {
		b = append(b, `<small>△`...)
		b = charts.AppendInt(b, d.Failed)
		b = append(b, `<i class=visually-hidden> `+html.EscapeString(texts.T(ctx, "failed"))+`</i></small>`...)
	}
	return append(b, `</a>`...)
}

// dayPath leads to an instant from the page that shows the calendar, whose
// address need not be there for each day.
func (c CheckCalendar) dayPath(t time.Time) string {
	if _, query, ok := strings.Cut(c.Base, "?"); ok {
		return atPath("?"+query, t)
	}
	return atPath("", t)
}

// checkLevels cuts the days by how many checks succeeded.
func checkLevels(days []CheckDay) charts.Levels {
	counts := make([]charts.DayCount, len(days))
	for i, d := range days {
		counts[i].Submissions = d.Checks - d.Failed
	}
	return charts.LevelsOf(counts)
}

// checkSum is "240 checks on 200 days, 3 failed".
func checkSum(ctx context.Context, c CheckCalendar) string {
	checks, failed, days := 0, 0, 0
	for _, d := range c.Days {
		checks += d.Checks
		failed += d.Failed
		if d.Checks > 0 {
			days++
		}
	}
	if checks == 0 {
		return texts.T(ctx, "no checks")
	}
	text := texts.T(ctx, "%s on %s", texts.N(ctx, checks, "%d check", "%d checks"), texts.N(ctx, days, "%d day", "%d days"))
	if failed > 0 {
		text += ", " + texts.T(ctx, "%d failed", failed)
	}
	return text
}
