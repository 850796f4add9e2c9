package awards

import (
	"strconv"
	"time"

	"laurel/views/parts"
)

// A DryRun is what a document would do if it were activated.
type DryRun struct {
	Took                              time.Duration
	Gained, Lost, Kept, Near, Holders int
	Notices, TooOld, Backfill         int
	Permanence                        string // In words, for what it keeps.
	Members, Of                       int
	Items                             int
	Samples                           []DrySample
	Wrong                             string // Why nothing was counted.
}

// A DrySample is a member for whom something would change.
type DrySample struct {
	Name, Change, Progress, Link string
}

// words say what would change for a member, and how far that one is.
func (s DrySample) words() string {
	switch s.Change {
	case "gains":
		return "would gain it: " + s.Progress
	case "loses":
		return "would lose it: " + s.Progress
	case "keeps":
		return "would keep it: " + s.Progress
	case "near":
		return "is one step away: " + s.Progress
	}
	return s.Change + ": " + s.Progress
}

func (d DryRun) exactness() string {
	if d.Members < d.Of {
		return "Estimate from " + parts.Number(d.Members) + " of " + parts.Number(d.Of) + " members (" + parts.Plural(d.Items, "item") +
			")."
	}
	return "Exact: " + parts.Plural(d.Items, "item") + " of " + parts.Plural(d.Of, "member") + "."
}

func (d DryRun) lost() string {
	words := "would lose it"
	if d.Kept > 0 {
		words += ", " + parts.Number(d.Kept) + " more would fall below but keep it (" + d.Permanence + ")"
	}
	return words
}

func (d DryRun) notices() string {
	words := parts.Noun(d.Notices, "notice") + " would be sent"
	if d.TooOld > 0 {
		words += ", " + parts.Number(d.TooOld) + " too old to send"
	}
	return words
}

// A TryForm is an event to try, and what would come of it.
type TryForm struct {
	Member, Event string
	Wrong         string
	Recent        []RecentEvent
	Done          bool
	Outside       string
	Tasks         []TriedTask
	Before, After string
	Reached       bool
	Changes       bool
}

// A RecentEvent can be taken to try.
type RecentEvent struct{ Value, Text string }

// A TriedTask is what the event means to one objective.
type TriedTask struct {
	ID       string
	Verdicts []Verdict
	Words    string // What would change.
}

// A Verdict is what one filter says.
type Verdict struct {
	Filter, Wants string
	Pass          bool
}

// tookWords is "1.4 s".
func tookWords(d time.Duration) string {
	return strconv.FormatFloat(max(d.Seconds(), 0.1), 'f', 1, 64) + " s"
}
