package charts

import (
	"context"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"laurel/views/parts"
	"laurel/views/texts"
)

// A Year is the days of a member, one after the other without a gap. It need
// not be a year: what is given is drawn. Give 53 weeks that begin on a Monday
// for a picture without ragged edges.
type Year struct {
	Name  string    // The member's, for links.
	Zone  string    // In which the days begin and end.
	First time.Time // The day of Days[0], at midnight UTC.
	Days  []DayCount
}

// A DayCount is what a member did on one day.
type DayCount struct {
	Submissions, Accepted int
	Undetailed            int // Of the submissions: counted by a site that does not list them.
}

// Heatmap draws a year as weeks from Monday down to Sunday.
//
// All days of one level are one path of thick strokes, days of the same level
// below each other are one stroke, and one mask cuts the strokes into rounded
// cells. So a busy year takes 3 KB and the same allocations as an idle one, most of them for its words.
// The picture leads to the table of days; with the script, each day leads to
// its submissions.
func Heatmap(y Year) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendHeatmap(ctx, make([]byte, 0, 6<<10), y))
		return err
	})
}

const heatUnit = 20 // Of the picture, a cell with its gap.

func appendHeatmap(ctx context.Context, b []byte, y Year) []byte {
	levels := LevelsOf(y.Days)
	offset := Weekday(y.First)
	columns := (offset + len(y.Days) + 6) / 7
	var room [400]byte
	cells := room[:0] // The level of each day.
	for _, d := range y.Days {
		cells = append(cells, byte(levels.Of(d.Submissions)))
	}

	b = append(b, `<div class=heat><div class=wd aria-hidden=true>`...)
	for _, day := range []int{5, 7, 9} { // Of January 1970: Monday, Wednesday, Friday.
		b = append(b, `<span>`...)
		b = append(b, texts.Format(ctx, time.Date(1970, time.January, day, 0, 0, 0, 0, time.UTC), "Mon")...)
		b = append(b, `</span>`...)
	}
	b = append(b, `</div><div class=scroll><a href="`...)
	b = append(b, parts.DaysPath(y.Name)...)
	b = append(b, `"><svg role=img viewBox="0 0 `...)
	b = AppendInt(b, columns*heatUnit)
	b = append(b, ` 160" aria-label="`...)
	b = appendYearWords(ctx, b, y)
	b = append(b, `" data-first=`...)
	b = y.First.AppendFormat(b, time.DateOnly)
	b = appendSaid(ctx, b)
	b = append(b, ` data-days=`...)
	b = appendCounts(b, y.Days)
	b = appendUndetailed(b, y.Days)
	b = append(b, '>')
	b = appendMonthNames(ctx, b, y.First, len(y.Days))
	b = append(b,
		`<pattern id=hp width=1 height=1 patternUnits=userSpaceOnUse><rect x=.08 y=.08 width=.84 height=.84 rx=.2 fill="#fff"/></pattern>`+
			`<mask id=hm><path d="M0 0h`...)
	b = AppendInt(b, columns)
	b = append(b, `v7H0z" fill="url(#hp)"/></mask><g transform="translate(0 20) scale(20)" mask=url(#hm)>`...)
	b = appendGround(b, offset, len(y.Days), columns)
	for level := byte(1); level <= 4; level++ {
		b = appendLevel(b, cells, offset, level)
	}
	b = append(b, `</g></svg></a></div></div>`...)
	return appendHeatLegend(ctx, b, levels)
}

// appendGround fills the cells of all days: whole weeks but for the ragged edges.
func appendGround(b []byte, offset, days, columns int) []byte {
	end := offset + days - (columns-1)*7 // Where the last week ends.
	b = append(b, `<path class=h0 d="M0 `...)
	b = AppendInt(b, offset)
	b = append(b, `h1V0H`...)
	b = AppendInt(b, columns)
	b = append(b, 'V')
	b = AppendInt(b, end)
	b = append(b, `h-1V7H0z"/>`...)
	return b
}

// appendLevel draws the days of one level as strokes down the weeks.
func appendLevel(b, cells []byte, offset int, level byte) []byte {
	b = append(b, `<path class=h`...)
	b = append(b, '0'+level)
	b = append(b, ` d="M.5 0`...)
	x, row := 0, 0 // Where the pen is.
	for i := 0; i < len(cells); {
		if cells[i] != level {
			i++
			continue
		}
		at := offset + i
		n := 1
		for i+n < len(cells) && (at+n)%7 != 0 && cells[i+n] == level {
			n++
		}
		b = append(b, 'm')
		b = AppendInt(b, at/7-x)
		if at%7 >= row {
			b = append(b, ' ')
		}
		b = AppendInt(b, at%7-row)
		b = append(b, 'v')
		b = AppendInt(b, n)
		x, row = at/7, at%7+n
		i += n
	}
	return append(b, `"/>`...)
}

// appendCounts writes the counts for the script: a digit of base 36 for each day,
// and a decimal number in brackets for a day that is busier than that.
func appendCounts(b []byte, days []DayCount) []byte {
	for _, d := range days {
		if d.Submissions < 36 {
			b = strconv.AppendInt(b, int64(d.Submissions), 36)
			continue
		}
		b = append(b, '(')
		b = AppendInt(b, d.Submissions)
		b = append(b, ')')
	}
	return b
}

// appendSaid writes the words that the script says of a day: of none, one and more submissions, and of those without details.
func appendSaid(ctx context.Context, b []byte) []byte {
	b = append(b, ` data-said="`...)
	many := strings.Replace(texts.N(ctx, 2, "%d submission", "%d submissions"), "2", "#", 1)
	b = append(b, html.EscapeString(strings.Join([]string{texts.T(ctx, "No submissions"),
		texts.N(ctx, 1, "%d submission", "%d submissions"), many,
		texts.T(ctx, "details unknown"), texts.T(ctx, "%s without details", "#")}, "|"))...)
	return append(b, '"')
}

// appendUndetailed writes those of the counts that have no details, for the script: the number of
// each such day, counted from the first, and how many of that day. Most years have none.
func appendUndetailed(b []byte, days []DayCount) []byte {
	before := len(b)
	for i, d := range days {
		if d.Undetailed == 0 {
			continue
		}
		if len(b) == before {
			b = append(b, ` data-undetailed="`...)
		} else {
			b = append(b, ' ')
		}
		b = AppendInt(b, i)
		b = append(b, ':')
		b = AppendInt(b, d.Undetailed)
	}
	if len(b) == before {
		return b
	}
	return append(b, '"')
}

// appendMonthNames writes each month's name above the week of its first day.
// A month that began before the picture is named when there is room.
func appendMonthNames(ctx context.Context, b []byte, first time.Time, days int) []byte {
	offset := Weekday(first)
	month := first
	if first.Day() > 14 {
		month = first.AddDate(0, 1, 1-first.Day())
	}
	for {
		i := int(month.Sub(first) / (24 * time.Hour))
		if i > days-7 {
			return b
		}
		b = append(b, `<text y=13 x=`...)
		b = AppendInt(b, (offset+i)/7*heatUnit)
		b = append(b, '>')
		b = append(b, texts.Format(ctx, month, "Jan")...)
		b = append(b, `</text>`...)
		month = month.AddDate(0, 1, 1-month.Day())
	}
}

// appendYearWords is the picture in one sentence.
func appendYearWords(ctx context.Context, b []byte, y Year) []byte {
	submissions, active := 0, 0
	for _, d := range y.Days {
		submissions += d.Submissions
		if d.Submissions > 0 {
			active++
		}
	}
	return append(b, texts.N(ctx, submissions, "%d submission on %d of %d days from %s, day by day as a table",
		"%d submissions on %d of %d days from %s, day by day as a table", active, len(y.Days), texts.Format(ctx, y.First, "2 Jan 2006"))...)
}

// appendHeatLegend says which counts each colour stands for.
func appendHeatLegend(ctx context.Context, b []byte, levels Levels) []byte {
	b = append(b, `<p class=legend>`+texts.T(ctx, "Submissions a day")+` <span><i class=h0></i> 0</span>`...)
	low := 1
	for level, high := range levels.tops() {
		if high < low {
			continue // Nothing is of this level.
		}
		b = append(b, ` <span><i class=h`...)
		b = AppendInt(b, level+1)
		b = append(b, `></i> `...)
		if high > low {
			b = append(b, texts.T(ctx, "%d to %d", low, high)...)
		} else {
			b = AppendInt(b, low)
		}
		b = append(b, `</span>`...)
		low = high + 1
	}
	return append(b, `</p>`...)
}

// Levels cut counts at the quartiles of a member's own days that have any
// submission, so that a quiet member's year has as many shades as a busy one's.
type Levels struct {
	quartiles [3]int
	most      int
}

// LevelsOf finds the levels of a member's days.
func LevelsOf(days []DayCount) Levels {
	var room [400]int
	counts := room[:0]
	for _, d := range days {
		if d.Submissions > 0 {
			counts = append(counts, d.Submissions)
		}
	}
	if len(counts) == 0 {
		return Levels{}
	}
	slices.Sort(counts)
	last := len(counts) - 1
	return Levels{[3]int{counts[last/4], counts[last/2], counts[last*3/4]}, counts[last]}
}

// Of returns the level of a count: 0 for none, else 1 to 4.
func (l Levels) Of(n int) int {
	switch {
	case n == 0:
		return 0
	case n <= l.quartiles[0]:
		return 1
	case n <= l.quartiles[1]:
		return 2
	case n <= l.quartiles[2]:
		return 3
	}
	return 4
}

// tops are the highest counts of the levels 1 to 4.
func (l Levels) tops() [4]int {
	return [4]int{l.quartiles[0], l.quartiles[1], l.quartiles[2], l.most}
}

// DayWords says what a day had, for a cell's title.
func DayWords(ctx context.Context, c DayCount) string {
	switch c.Undetailed {
	case 0:
		if c.Submissions == 0 {
			return texts.T(ctx, "none")
		}
		return texts.N(ctx, c.Submissions, "%d submission, %d accepted", "%d submissions, %d accepted", c.Accepted)
	case c.Submissions:
		return texts.N(ctx, c.Submissions, "%d submission, details unknown", "%d submissions, details unknown")
	default:
		return texts.N(ctx, c.Submissions, "%d submission, %d accepted, %d without details",
			"%d submissions, %d accepted, %d without details", c.Accepted, c.Undetailed)
	}
}

// Weekday counts from Monday.
func Weekday(d time.Time) int { return (int(d.Weekday()) + 6) % 7 }
