package awards

import (
	"strings"

	views "laurel/views/awards"
)

const (
	diffContext = 3
	maxDiff     = 4000 // Lines of both together that are compared one by one.
)

// lineDiff compares two texts line by line, with some equal lines around what
// differs; nothing where they are equal.
func lineDiff(a, b string) []views.DiffLine {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	if a == b {
		return nil
	}
	var all []views.DiffLine
	add := func(op byte, lines ...string) {
		for _, l := range lines {
			all = append(all, views.DiffLine{Op: op, Text: l})
		}
	}
	if len(x)+len(y) > maxDiff {
		add('-', x...)
		add('+', y...)
		return all
	}
	common := commonLines(x, y)
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			add(' ', x[i])
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || common[i+1][j] >= common[i][j+1]):
			add('-', x[i])
			i++
		default:
			add('+', y[j])
			j++
		}
	}
	return around(all)
}

// commonLines is the length of the longest list of lines that the ends of both
// have in common.
func commonLines(x, y []string) [][]int {
	n := make([][]int, len(x)+1)
	for i := len(x); i >= 0; i-- {
		n[i] = make([]int, len(y)+1)
		for j := len(y) - 1; j >= 0 && i < len(x); j-- {
			if x[i] == y[j] {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	return n
}

// around leaves out what is equal and far from any difference.
func around(all []views.DiffLine) []views.DiffLine {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Op != ' ' {
			for k := max(0, i-diffContext); k <= min(len(all)-1, i+diffContext); k++ {
				near[k] = true
			}
		}
	}
	var kept []views.DiffLine
	for i, l := range all {
		if near[i] {
			kept = append(kept, l)
		} else if i == 0 || near[i-1] {
			kept = append(kept, views.DiffLine{Op: ' ', Text: "..."})
		}
	}
	return kept
}
