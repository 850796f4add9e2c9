package awards

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/events"
)

// Warnings are the places of a document that name what nobody sends: it may be misspelt, or not
// be sent yet. They keep nothing from running. sites are the judge sites there are.
func Warnings(ctx context.Context, db *gorm.DB, doc *rules.Award, sites []string, now time.Time) (rules.Mistakes, error) {
	namings := doc.Namings()
	if len(namings) == 0 {
		return nil, nil
	}
	known, err := events.Names(ctx, db, now)
	if err != nil {
		return nil, err
	}
	var warnings rules.Mistakes
	for _, n := range namings {
		names, sure := namesFor(&n, known, sites)
		if !sure || slices.Contains(names, n.Text) {
			continue
		}
		words := fmt.Sprintf("%q: nothing of this name in %d days", n.Text, events.RememberedDays)
		if n.Names == "site" {
			words = fmt.Sprintf("%q: no site has this name", n.Text)
		}
		if near := nearest(n.Text, names); near != "" {
			words += fmt.Sprintf("; did you mean %q?", near)
		}
		warnings = append(warnings, rules.Mistake{Path: n.Path, Text: words})
	}
	return warnings, nil
}

// namesFor are the names that may stand at a place, and whether that is all of them: of a source
// that sends nothing yet nobody knows the types and facts.
func namesFor(n *rules.Naming, known []events.SourceNames, sites []string) (names []string, sure bool) {
	if n.Names == "site" {
		return sites, len(sites) > 0
	}
	reached := 0
	for _, s := range known {
		if n.Names == "source" {
			names = append(names, s.Source)
			continue
		}
		if n.Reach != nil && !slices.Contains(n.Reach, s.Source) {
			continue
		}
		if len(s.Types) > 0 {
			reached++
		}
		if n.Names == "type" {
			names = append(names, s.Types...)
			continue
		}
		for _, f := range s.Facts {
			names = append(names, f.Name)
		}
	}
	return names, n.Names == "source" || n.Reach != nil && reached == len(n.Reach)
}

// nearest is the name that one or two slips make of a text, or "".
func nearest(text string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		if d := slips(text, name); d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// slips counts the letters that are too many, missing, wrong or swapped with their neighbour.
func slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return 64
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case x[i-1] == y[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
			}
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
