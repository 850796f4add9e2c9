package badges

import (
	"time"
)

// longDate has its year, for it is read years later.
func longDate(t, now time.Time) string { return t.In(now.Location()).Format("2 January 2006") }

// badgeWords lead to the member's name: "Granted on 3 November 2026 by Laurel at laurel.example to".
func badgeWords(p Badge) string {
	w := "Granted on " + longDate(p.At, p.Now)
	if p.Period != "" {
		w += ", for the period from " + p.Period + ","
	}
	w += " by " + p.Issuer
	if p.By != "" {
		w += " (" + p.By + ", by hand)"
	}
	return w + " to"
}

// currentWords is the date of the badge that is current.
func currentWords(s State, now time.Time) string {
	if s.CurrentAt == nil {
		return "another date"
	}
	return longDate(*s.CurrentAt, now)
}

// revokedWhy ends the sentence about a revocation.
func revokedWhy(reason string) string {
	if reason == "" {
		return "."
	}
	return ": " + reason + "."
}
