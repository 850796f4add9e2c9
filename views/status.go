package views

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/a-h/templ"
)

// A StatusCount is how many submissions ended with a status.
type StatusCount struct {
	Status string // AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING.
	Count  int
}

// statusWords are the statuses in words, in the order of tables and forms.
var statusWords = []struct{ status, word string }{
	{"AC", "Accepted"},
	{"PS", "Partly solved"},
	{"WA", "Wrong answer"},
	{"TLE", "Time limit exceeded"},
	{"MLE", "Memory limit exceeded"},
	{"RE", "Runtime error"},
	{"CE", "Compilation error"},
	{"PE", "Presentation error"},
	{"SK", "Skipped"},
	{"HCK", "Hacked"},
	{"OTH", "Other"},
	{"PENDING", "Being judged"},
}

func statusWord(status string) string {
	for _, s := range statusWords {
		if s.status == status {
			return s.word
		}
	}
	return status
}

// statusClass is the colour of a status: accepted, partly or not yet, refused.
func statusClass(status string) string {
	switch status {
	case "AC":
		return "ac"
	case "PS", "PENDING":
		return "ps"
	case "WA", "TLE", "MLE", "RE", "CE", "PE", "HCK":
		return "no"
	}
	return "oth"
}

// StatusBar draws counts as one bar, 100 units wide: accepted, partly, refused,
// other. The text beside it and the table below it have the numbers.
func StatusBar(counts []StatusCount) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := w.Write(appendStatusBar(make([]byte, 0, 320), counts))
		return err
	})
}

func appendStatusBar(b []byte, counts []StatusCount) []byte {
	total := 0
	sums := map[string]int{}
	for _, c := range counts {
		total += c.Count
		sums[statusClass(c.Status)] += c.Count
	}
	if total == 0 {
		return b
	}
	b = append(b, `<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">`...)
	x := 0
	for _, class := range []string{"ac", "ps", "no", "oth"} {
		if sums[class] == 0 {
			continue
		}
		width := max(1, sums[class]*100/total)
		b = append(b, `<path class="`...)
		b = append(b, class...)
		b = append(b, `" d="M`...)
		b = strconv.AppendInt(b, int64(x), 10)
		b = append(b, ` 0h`...)
		b = strconv.AppendInt(b, int64(width), 10)
		b = append(b, `v6h-`...)
		b = strconv.AppendInt(b, int64(width), 10)
		b = append(b, `"/>`...)
		x += width
	}
	return append(b, `</svg>`...)
}

// statusText names the three most frequent statuses, and how many are left.
func statusText(counts []StatusCount) string {
	text, rest := "", 0
	for i, c := range counts {
		if i >= 3 {
			rest += c.Count
			continue
		}
		if text != "" {
			text += ", "
		}
		text += number(c.Count) + " " + c.Status
	}
	switch {
	case text == "":
		return "none yet"
	case rest > 0:
		text += ", " + count(rest, "other")
	}
	return text
}

type statusRow struct {
	word   string
	counts []int // By account.
}

// statusRows are the statuses that any account has, by account.
func statusRows(accounts []Account) []statusRow {
	var rows []statusRow
	for _, s := range statusWords {
		row := statusRow{s.word, make([]int, len(accounts))}
		for i, a := range accounts {
			for _, c := range a.Statuses {
				if c.Status == s.status {
					row.counts[i] += c.Count
				}
			}
		}
		if slices.Max(append(row.counts, 0)) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// solvedNumber is "-" as long as nothing can be known.
func solvedNumber(a Account) string {
	if a.CompleteUntil.IsZero() && a.Submissions == 0 {
		return "-"
	}
	return number(a.Solved)
}
