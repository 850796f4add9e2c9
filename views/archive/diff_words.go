package archive

import (
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
)

// different leaves out the equal ones.
func different(numbers []DiffNumber) []DiffNumber {
	var rows []DiffNumber
	for _, n := range numbers {
		if n.Then != n.After {
			rows = append(rows, n)
		}
	}
	return rows
}

func diffSum(numbers []DiffNumber) string {
	if len(numbers) == 0 {
		return ""
	}
	changed := len(different(numbers))
	return parts.Number(changed) + " changed, " + parts.Number(len(numbers)-changed) + " unchanged"
}

// differenceText is "+12" between whole numbers, and words between others.
func differenceText(n DiffNumber) string {
	if n.Then == "" {
		return "new"
	}
	if n.After == "" {
		return "no longer known"
	}
	from, err1 := strconv.Atoi(strings.ReplaceAll(n.Then, ",", ""))
	to, err2 := strconv.Atoi(strings.ReplaceAll(n.After, ",", ""))
	if err1 != nil || err2 != nil {
		return "changed"
	}
	if to > from {
		return "+" + parts.Number(to-from)
	}
	return "−" + parts.Number(from-to)
}

// classNote is a class beside a value, unless the value is as good as seen.
func classNote(class string) string {
	if class == "" || class == Known || class == Confirmed || class == StillOpen || class == LastKnown { // Nearly all are.
		return ""
	}
	return marks[class] + " " + classNames[class]
}

func (m RankingMove) row() RankingRow { return RankingRow{Rank: m.To, Was: m.From} }

func arrow(from, to string) string {
	if from == to {
		return parts.ValueText(to)
	}
	return parts.ValueText(from) + " → " + parts.ValueText(to)
}

// listsText says which two lists are compared.
func listsText(p Diff) string {
	seen := func(t time.Time) string {
		if t.IsZero() {
			return "no list"
		}
		return "the list of " + parts.Stamp(t, p.Now)
	}
	l := p.Ranking
	if !l.Before.IsZero() && l.Before.Equal(l.After) {
		return "Both times show the same list, of " + parts.Stamp(l.Before, p.Now) + "."
	}
	return "Comparing " + seen(l.Before) + " with " + seen(l.After) + "."
}

func sameText(l *RankingDiff) string {
	if len(l.Entered)+len(l.Left)+len(l.Moved)+len(l.Changed) == 0 {
		return "Nothing changed: " + parts.Plural(l.Same, "place") + " " + isAre(l.Same) + " the same."
	}
	return parts.Plural(l.Same, "other place") + " " + isAre(l.Same) + " the same."
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// text tells the values: "rank 2 → 1, score 900 → 1000"; of a new or gone row the ones it has.
func (c ShardChange) text() string {
	var words []string
	for _, v := range c.Values {
		switch c.Change {
		case "new":
			words = append(words, v.Name+" "+parts.ValueText(v.To))
		case "gone":
			words = append(words, v.Name+" "+parts.ValueText(v.From))
		default:
			words = append(words, v.Name+" "+arrow(parts.ValueText(v.From), parts.ValueText(v.To)))
		}
	}
	return strings.Join(words, ", ")
}
