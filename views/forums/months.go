package forums

import (
	"context"
	"html"
	"io"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// A Month is a month of a forum's history.
type Month struct {
	Month    time.Time
	Messages int
	Missing  int  // Listed, and not stored.
	Unread   bool // Its index was not read yet.
}

// A History is how much was written in a forum, by the dates of the messages.
type History struct {
	Months  []Month // Without a hole between the first and the last, the oldest first.
	Early   int     // Messages with dates long before the others: mostly wrong ones.
	Undated int
}

// A year is a year of it.
type year struct {
	year, messages, missing, unread int
}

// years are the years of a history, the newest first.
func (h History) years() (list []year) {
	for i := len(h.Months) - 1; i >= 0; i-- {
		m := h.Months[i]
		if len(list) == 0 || list[len(list)-1].year != m.Month.Year() {
			list = append(list, year{year: m.Month.Year()})
		}
		y := &list[len(list)-1]
		y.messages += m.Messages
		y.missing += m.Missing
		if m.Unread {
			y.unread++
		}
	}
	return list
}

// left says what of a year is not stored; "" where all is.
func (y year) left(ctx context.Context) string {
	switch {
	case y.unread > 0 && y.missing > 0:
		return texts.N(ctx, y.unread, "%[2]d missing, %[1]d month to load", "%[2]d missing, %[1]d months to load", y.missing)
	case y.unread > 0:
		return texts.N(ctx, y.unread, "%d month to load", "%d months to load")
	case y.missing > 0:
		return texts.T(ctx, "%d missing", y.missing)
	}
	return texts.T(ctx, "complete")
}

// holes says whether something of it is not stored.
func (h History) hasGaps() bool {
	for _, m := range h.Months {
		if m.isGap() {
			return true
		}
	}
	return false
}

func (m Month) isGap() bool { return m.Missing > 0 || m.Unread }

// words is the picture as text.
func (h History) words(ctx context.Context) string {
	first, last := h.Months[0], h.Months[len(h.Months)-1]
	most := first
	for _, m := range h.Months {
		if m.Messages > most.Messages {
			most = m
		}
	}
	month := func(m Month) string { return texts.Format(ctx, m.Month, "Jan 2006") }
	return texts.T(ctx, "Messages by month, %s to %s; most in %s: %d", month(first), month(last), month(most), most.Messages)
}

// beside says which messages the picture leaves out; "" for none.
func (h History) beside(ctx context.Context) string {
	words := ""
	if h.Early > 0 {
		words = texts.N(ctx, h.Early, "%d message with a much earlier date", "%d messages with a much earlier date")
	}
	if h.Undated > 0 {
		words = parts.Glue(words, ", ", texts.N(ctx, h.Undated, "%d message without a date", "%d messages without a date"))
	}
	if words != "" {
		words = texts.T(ctx, "Not shown: %s.", words)
	}
	return words
}

// MonthBars draws a history: a bar for each month, and hatched where not all of it
// is stored.
func MonthBars(h History) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := w.Write(appendMonths(ctx, make([]byte, 0, 4<<10), h))
		return err
	})
}

const monthYears = 8 // So many years are named at most: a phone has no room for more.

// appendHatch hatches the months of which something is missing.
func appendHatch(b []byte, months []Month) []byte {
	b = append(b,
		`<pattern id=hatch width=6 height=6 patternUnits=userSpaceOnUse patternTransform=rotate(45)><path d="M1 0v6"/></pattern>`...)
	n := len(months)
	for from := 0; from < n; from++ {
		to := from
		for to < n && months[to].isGap() {
			to++
		}
		if to > from {
			b = append(b, `<rect y=0 height=80% x=`...)
			b = appendTenths(b, 1000*from/n)
			b = append(b, ` width=`...)
			b = appendTenths(b, max(5, 1000*(to-from)/n))
			b = append(b, ` />`...)
			from = to
		}
	}
	return b
}

func appendMonths(ctx context.Context, b []byte, h History) []byte {
	n, most := len(h.Months), 1
	for _, m := range h.Months {
		most = max(most, m.Messages)
	}
	b = append(b, `<svg class=months role=img aria-label="`...)
	b = append(b, html.EscapeString(h.words(ctx))...)
	b = append(b, `">`...)
	if h.hasGaps() {
		b = appendHatch(b, h.Months)
	}
	b = append(b, `<svg height=80% viewBox="0 0 `...)
	b = charts.AppendInt(b, 10*n)
	b = append(b, ` 100" preserveAspectRatio=none><path d="`...)
	for i, m := range h.Months {
		if m.Messages == 0 {
			continue
		}
		high := strconv.Itoa(max(2, 100*m.Messages/most))
		b = append(b, 'M')
		b = charts.AppendInt(b, 10*i+1)
		b = append(b, " 100v-"+high+"h8v"+high+"z"...)
	}
	b = append(b, `"/></svg>`...)
	every, last := 1, -100
	for every*monthYears < n/12 {
		every++
	}
	for i, m := range h.Months {
		if x := 1000 * i / n; (i == 0 || m.Month.Month() == time.January && m.Month.Year()%every == 0) && x < 960 && x-last >= 80 {
			b = append(b, `<text y=98% x=`...)
			b = appendTenths(b, x)
			b = append(b, '>')
			b = charts.AppendInt(b, m.Month.Year())
			b = append(b, `</text>`...)
			last = x
		}
	}
	return append(b, `</svg>`...)
}

// appendTenths writes tenths of a hundredth: 125 is 12.5%.
func appendTenths(b []byte, n int) []byte {
	b = charts.AppendInt(b, n/10)
	if n%10 != 0 {
		b = append(b, '.', byte('0'+n%10))
	}
	return append(b, '%')
}

// ThreadBars draws when messages of a thread came, from its first to its last.
func ThreadBars(slots []int) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		most := 1
		for _, n := range slots {
			most = max(most, n)
		}
		b := append(make([]byte, 0, 300), `<svg class=pulse width=96 height=22 viewBox="0 0 96 22" aria-hidden=true><path d="`...)
		for i, n := range slots {
			b = append(b, 'M')
			b = charts.AppendInt(b, 96*i/len(slots)+1)
			b = append(b, " 22v-"+strconv.Itoa(max(1, 20*n/most))...)
		}
		_, err := w.Write(append(b, `"/></svg>`...))
		return err
	})
}
