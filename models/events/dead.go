package events

import "time"

// A Dead is an event that could not be handled.
type Dead struct {
	ID       int64
	Source   string
	EventID  string
	Member   string
	Body     string
	Reason   string
	StoredAt time.Time
	DeadAt   time.Time
}
