package rules

import "slices"

func init() { register(filters, "StatusFilter", func() Filter { return new(statusFilter) }) }

// statusFilter takes items in these statuses. An event of a source that has no
// status model is active.
type statusFilter struct {
	Statuses []string `json:"statuses" help:"Statuses of items, for example active."`
}

func (f *statusFilter) Pass(e *Event) bool { return slices.Contains(f.Statuses, e.Standing()) }

func (f *statusFilter) Wants() Phrase { return oneOf("the status", f.Statuses) }
