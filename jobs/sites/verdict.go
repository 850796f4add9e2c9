package sites

import (
	"slices"
	"strings"
)

// Statuses of a submission: ours, of which each site's reader makes the site's own verdicts. A new one is
// added here, in models/submissions.Statuses and to views/parts/status.go.
const (
	AC      = "AC"
	WA      = "WA"
	TLE     = "TLE"
	MLE     = "MLE"
	RE      = "RE"
	CE      = "CE"
	PE      = "PE"
	PS      = "PS" // Partial.
	SK      = "SK"
	HCK     = "HCK"
	OTH     = "OTH"
	Pending = "PENDING"
)

// Expects says whether a verdict is nothing new, or has a status of ours.
func (i *Info) Expects(s *Submission) bool {
	return s.Status != OTH || slices.ContainsFunc(i.Other, func(word string) bool { return strings.EqualFold(word, s.Verdict) })
}
