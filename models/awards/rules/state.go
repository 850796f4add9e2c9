package rules

import "slices"

// A State of an award. It is no part of the document: a version is written once
// and the award moves.
type State string

// States of an award.
const (
	Draft   State = "draft"
	Running State = "active"
	Paused  State = "paused"
	Retired State = "retired"
	Hidden  State = "hidden"
)

// moves are the states that may follow.
var moves = map[State][]State{
	Draft:   {Running},
	Running: {Paused, Retired, Hidden},
	Paused:  {Running, Retired, Hidden},
	Retired: {Running, Hidden},
	Hidden:  {Running, Retired},
}

// May reports whether an award may go over to another state. None becomes a
// draft again: members have seen it.
func (s State) May(next State) bool { return slices.Contains(moves[s], next) }

// Counts reports whether events change counters. A paused award keeps counting,
// so that nothing is lost when it goes on.
func (s State) Counts() bool { return s == Running || s == Paused }

// Grants reports whether it can be earned.
func (s State) Grants() bool { return s == Running }

// Shown reports whether those who have it show it.
func (s State) Shown() bool { return s == Running || s == Paused || s == Retired }

// Deletable reports whether it may be removed for good: nobody has it then who
// could miss it.
func (s State) Deletable(granted int64) bool { return s == Draft || granted == 0 }
