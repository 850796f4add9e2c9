package archive

import (
	"context"
	"strconv"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
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

func diffSum(ctx context.Context, numbers []DiffNumber) string {
	if len(numbers) == 0 {
		return ""
	}
	changed := len(different(numbers))
	return texts.T(ctx, "%d changed, %d unchanged", changed, len(numbers)-changed)
}

// thousands takes the marks between thousands away, of whatever language.
var thousands = strings.NewReplacer(",", "", ".", "")

// differenceText is "+12" between whole numbers, and words between others.
func differenceText(ctx context.Context, n DiffNumber) string {
	if n.Then == "" {
		return texts.T(ctx, "new")
	}
	if n.After == "" {
		return texts.T(ctx, "no longer known")
	}
	from, err1 := strconv.Atoi(thousands.Replace(n.Then))
	to, err2 := strconv.Atoi(thousands.Replace(n.After))
	if err1 != nil || err2 != nil {
		return texts.T(ctx, "changed")
	}
	if to > from {
		return "+" + texts.Number(ctx, to-from)
	}
	return "−" + texts.Number(ctx, from-to)
}

// classNote is a class beside a value, unless the value is as good as seen.
func classNote(ctx context.Context, class string) string {
	if class == "" || class == Known || class == Confirmed || class == StillOpen || class == LastKnown { // Nearly all are.
		return ""
	}
	return marks[class] + " " + texts.Say(ctx, classNames[class])
}

func (m RankingMove) row() RankingRow { return RankingRow{Rank: m.To, Was: m.From} }

func arrow(from, to string) string {
	if from == to {
		return parts.ValueText(to)
	}
	return parts.ValueText(from) + " → " + parts.ValueText(to)
}

// listsText says which two lists are compared.
func listsText(ctx context.Context, p Diff) string {
	seen := func(t time.Time) string {
		if t.IsZero() {
			return texts.T(ctx, "no list")
		}
		return texts.T(ctx, "the list of %s", texts.Stamp(ctx, t, p.Now))
	}
	l := p.Ranking
	if !l.Before.IsZero() && l.Before.Equal(l.After) {
		return texts.T(ctx, "Both times show the same list, of %s.", texts.Stamp(ctx, l.Before, p.Now))
	}
	return texts.T(ctx, "Compared: %s and %s.", seen(l.Before), seen(l.After))
}

func sameText(ctx context.Context, l *RankingDiff) string {
	if len(l.Entered)+len(l.Left)+len(l.Moved)+len(l.Changed) == 0 {
		return texts.N(ctx, l.Same, "Nothing changed: %d place is the same.", "Nothing changed: %d places are the same.")
	}
	return texts.N(ctx, l.Same, "%d other place is the same.", "%d other places are the same.")
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
