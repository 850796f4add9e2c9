package views

import "slices"

// A StatusCount is how many submissions ended with a status.
type StatusCount struct {
	Status string // AC WA TLE MLE RE CE PE PS SK HCK OTH PENDING.
	Count  int
}

type status struct{ status, word string }

// statuses are all there are, in the order of tables and forms.
var statuses = []status{
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

// appendStatusBar draws counts as one bar, 100 units wide: accepted, partly,
// refused, other. The table around it has the numbers.
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
	b = append(b, `<svg class=bar viewBox="0 0 100 6" preserveAspectRatio=none aria-hidden=true>`...)
	x := 0
	for _, class := range []string{"ac", "ps", "no", "oth"} {
		if sums[class] == 0 {
			continue
		}
		width := max(1, sums[class]*100/total)
		b = append(b, `<path class=`...)
		b = append(b, class...)
		b = append(b, ` d="M`...)
		b = appendInt(b, x)
		b = append(b, ` 3h`...)
		b = appendInt(b, width)
		b = append(b, `"/>`...)
		x += width
	}
	return append(b, `</svg>`...)
}

func countOf(counts []StatusCount, status string) int {
	n := 0
	for _, c := range counts {
		if c.Status == status {
			n += c.Count
		}
	}
	return n
}

// statusesOf are the statuses that any of the accounts has, in the order of tables.
func statusesOf(accounts []Account) []status {
	var had []status
	for _, s := range statuses {
		if slices.ContainsFunc(accounts, func(a Account) bool { return countOf(a.Statuses, s.status) > 0 }) {
			had = append(had, s)
		}
	}
	return had
}

// solvedNumber is "-" as long as nothing can be known.
func solvedNumber(a Account) string {
	if a.CompleteUntil.IsZero() && a.Submissions == 0 {
		return "-"
	}
	return number(a.Solved)
}
