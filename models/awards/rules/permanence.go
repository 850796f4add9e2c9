package rules

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Permanence says what becomes of a grant when the progress falls back below
// the goal. Progress itself always follows the items.
type Permanence struct {
	Kind  string // permanent, live or confirmed_after.
	After span   // Of confirmed_after.
}

// defaultPermanence leaves time to moderate content. Where a source has no
// status model nothing is ever taken back, so it is as good as permanent there.
var defaultPermanence = Permanence{"confirmed_after", span(7 * 24 * time.Hour)}

// Revokes reports whether a grant is lost when the goal is no longer reached.
func (p Permanence) Revokes(granted, now time.Time) bool {
	switch p.Kind {
	case "permanent":
		return false
	case "live":
		return true
	}
	return now.Before(granted.Add(time.Duration(p.After)))
}

// MarshalText writes confirmed_after:7d.
func (p Permanence) MarshalText() ([]byte, error) {
	if p.Kind == "confirmed_after" {
		return []byte(p.Kind + ":" + p.After.String()), nil
	}
	return []byte(p.Kind), nil
}

// UnmarshalText reads permanent, live or confirmed_after:7d.
func (p *Permanence) UnmarshalText(text []byte) error {
	kind, after, _ := strings.Cut(string(text), ":")
	*p = Permanence{Kind: kind}
	if string(text) == "permanent" || string(text) == "live" {
		return nil
	}
	if kind != "confirmed_after" || p.After.UnmarshalText([]byte(after)) != nil {
		return errors.New("must be permanent, live, or confirmed_after: and a time such as 7d or 12h")
	}
	return nil
}

// A span is a length of time in whole hours, written 12h or 7d.
type span time.Duration

func (s span) String() string {
	hours := int(time.Duration(s).Hours())
	if hours > 0 && hours%24 == 0 {
		return strconv.Itoa(hours/24) + "d"
	}
	return strconv.Itoa(hours) + "h"
}

// MarshalText writes 7d.
func (s span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads 12h or 7d.
func (s *span) UnmarshalText(text []byte) error {
	number, days := strings.CutSuffix(string(text), "d")
	if !days {
		var hours bool
		if number, hours = strings.CutSuffix(string(text), "h"); !hours {
			number = ""
		}
	}
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil || n > 10_000 {
		return errors.New("must be a time such as 12h or 7d, at most 10000 of either")
	}
	*s = span(time.Duration(n) * time.Hour)
	if days {
		*s *= 24
	}
	return nil
}
