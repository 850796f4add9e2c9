package rules

import (
	"bytes"
	"encoding/json"
)

// A Change is how much must be computed again when one version of an award
// follows another.
type Change int

// Changes, each including those before it.
const (
	Same     Change = iota
	Words           // Titles and texts: nothing.
	Goals           // Strategy, levels, permanence: awards, from the counters there are.
	Counting        // Filters, rules, window, backfill: counters, from the ledger.
)

// Compare two versions of an award.
func Compare(old, now *Award) Change {
	switch {
	case old.Version() == now.Version():
		return Same
	case !same(counting(old), counting(now)):
		return Counting
	case !same(goals(old), goals(now)):
		return Goals
	}
	return Words
}

func counting(a *Award) any { return []any{a.Objectives, a.Window, a.Backfill} }

func goals(a *Award) any {
	goals := make([]Decimal, len(a.Levels))
	for i, l := range a.Levels {
		goals[i] = l.Goal
	}
	return []any{a.Strategy, a.Permanence, goals}
}

func same(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
