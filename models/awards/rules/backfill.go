package rules

import (
	"errors"
	"strings"
	"time"
)

// Backfill says which events from before an award was activated count.
type Backfill struct {
	Kind  string    // all, none or since.
	Since time.Time // Of since.
}

var defaultBackfill = Backfill{Kind: "all"}

// Counts reports whether an event of that time does.
func (b Backfill) Counts(at, activated time.Time) bool {
	switch b.Kind {
	case "all":
		return true
	case "since":
		return !at.Before(b.Since)
	}
	return !at.Before(activated)
}

// MarshalText writes all, none or since:2026-09-01T00:00:00Z.
func (b Backfill) MarshalText() ([]byte, error) {
	if b.Kind == "since" {
		return []byte("since:" + b.Since.UTC().Format(time.RFC3339)), nil
	}
	return []byte(b.Kind), nil
}

// UnmarshalText reads all, none or since: and a time or a day.
func (b *Backfill) UnmarshalText(text []byte) error {
	kind, since, _ := strings.Cut(string(text), ":")
	*b = Backfill{Kind: kind}
	if string(text) == "all" || string(text) == "none" {
		return nil
	}
	var err error
	if b.Since, err = time.Parse(time.RFC3339, since); err != nil {
		b.Since, err = time.Parse(time.DateOnly, since)
	}
	if kind != "since" || err != nil {
		return errors.New("must be all, none, or since: and a time such as 2026-09-01T00:00:00Z")
	}
	return nil
}
