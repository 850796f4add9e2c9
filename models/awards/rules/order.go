package rules

import (
	"cmp"
	"strings"
	"time"
)

// An Order is the position of an event among those of its item. The ledger keeps the
// one it has applied, and applies only what comes after it: order of arrival
// does not matter, and what comes twice does nothing.
type Order struct {
	Seq    int64
	At     time.Time
	Status string
	ID     string
}

// Order of the event.
func (e *Event) Order() Order { return Order{e.Seq, e.At, e.Standing(), e.ID} }

// After reports whether the event comes later: by the producer's number; where
// there is none or it is the same, by time, then by status, and last by id, so
// that any two processes agree.
func (t Order) After(o Order) bool {
	return cmp.Or(
		cmp.Compare(t.Seq, o.Seq),
		t.At.Compare(o.At),
		cmp.Compare(rank(t.Status), rank(o.Status)),
		strings.Compare(t.Status, o.Status),
		strings.Compare(t.ID, o.ID),
	) > 0
}

// rank makes the more final of two statuses of one instant win.
func rank(status string) int {
	switch status {
	case "moderation":
		return 0
	case Active:
		return 1
	case "deleted":
		return 3
	}
	return 2 // Blocked, hidden and what else a source may have.
}
