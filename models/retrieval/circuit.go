package retrieval

import (
	"time"

	pg "laurel/models/db"
)

// States of a site's circuit.
const (
	CircuitClosed   = "closed"    // The site is asked.
	CircuitOpen     = "open"      // Its answers cannot be used, so nobody is asked for.
	CircuitHalfOpen = "half_open" // One handle is tried.
)

// A Circuit says whether a site is asked at all. It opens when several handles
// fail with no good answer between them, tries one handle from time to time, and
// closes itself at the first good answer. While it is open, accounts wait, and
// what fails is not held against them.
type Circuit struct {
	Site         string
	State        string
	Suspects     int // Handles that failed since the last good answer.
	OpenedAt     *time.Time
	AnsweredAt   *time.Time // The last complete answer before it opened; nil if never.
	Outcome      string     // Of the newest failure.
	Message      string
	Tries        int // Trials that failed in a row.
	NextTryAt    *time.Time
	TrialAccount *int64
	TrialUntil   *time.Time
	PausedAt     *time.Time // An admin's kill switch.
	PausedBy     string
	PausedReason string
}

// An Answer is what one fetch says of the site.
type Answer struct {
	Site    string
	Handle  string // "" where it is about many at once.
	Account int64  // 0: a canary, or many at once.
	Outcome string
	Message string
	Known   bool      // The handle was read to the end before, so it exists.
	Emptied bool      // It failed because it lacks what it had.
	Blank   bool      // A good list of one who never had rows shows none.
	RetryAt time.Time // The site's own wish, or zero.
}

// A Failures is what speaks against a site, this answer included.
type Failures struct {
	Failures int // Since the last good answer.
	Handles  int // That they were of.
	Others   int // Of the handles, those of no account: canaries, and questions about many at once.
	Accounts int // That could be looked at.
}

// opens says whether that is enough to open a circuit. Accounts are tried later, so one of them
// must have failed.
func (s Failures) opens() bool {
	return s.Failures >= openAfter && s.Handles > s.Others && (s.Handles > 1 || s.Accounts <= 1)
}

// Failed says whether the answer speaks against the site. Absence does where
// the handle was there before; being asked to slow down does not: who asks, answers.
func (a Answer) Failed() bool {
	switch a.Outcome {
	case pg.OutcomeBlocked, pg.OutcomeParseError, pg.OutcomeServerError, pg.OutcomeUnreachable:
		return true
	case pg.OutcomeNotFound:
		return a.Known
	}
	return false
}

// Why says why nobody is asked for, to who wants to know; "" where all are.
func (c *Circuit) Why() string {
	switch {
	case c.PausedAt != nil && c.PausedReason != "":
		return "cannot be asked now: an admin has paused the site (" + c.PausedReason + ")"
	case c.PausedAt != nil:
		return "cannot be asked now: an admin has paused the site"
	case c.Broken():
		return "cannot be asked now: the site's answers fail for everybody; it is looked at as soon as one is good"
	}
	return ""
}

// Broken says whether the circuit is open, or tries a handle.
func (c *Circuit) Broken() bool { return c.State == CircuitOpen || c.State == CircuitHalfOpen }

// After returns the circuit as one answer leaves it. It is plain arithmetic;
// Finish stores it. rate divides pauses, as Rule.Rate does.
func (c Circuit) After(a Answer, s Failures, rate float64, now time.Time) Circuit {
	trial := c.State == CircuitHalfOpen && c.TrialAccount != nil && *c.TrialAccount == a.Account
	switch {
	case a.Outcome == pg.OutcomeOK:
		c.State, c.Suspects, c.Tries = CircuitClosed, 0, 0
		c.OpenedAt, c.AnsweredAt, c.NextTryAt, c.TrialAccount, c.TrialUntil = nil, nil, nil, nil, nil
		c.Outcome, c.Message = "", ""
		return c
	case a.Failed():
		c.Suspects, c.Outcome, c.Message = s.Handles, a.Outcome, pg.CleanText(a.Message)
	case !trial:
		return c
	}
	switch {
	case trial:
		c.State, c.TrialAccount, c.TrialUntil = CircuitOpen, nil, nil
		if a.Failed() { // Else it says nothing of the site: the next one is tried as soon.
			c.Tries++
		}
		c.tryAfter(tryPause(c.Tries), a.RetryAt, rate, now)
	case !c.Broken() && s.opens():
		c.State, c.OpenedAt, c.Tries = CircuitOpen, &now, 0
		c.tryAfter(retryPauses[0], a.RetryAt, rate, now)
	}
	return c
}

func (c *Circuit) tryAfter(pause time.Duration, wish time.Time, rate float64, now time.Time) {
	next := now.Add(time.Duration(float64(pause) / rate))
	if wish.After(next) {
		next = wish
	}
	c.NextTryAt = &next
}

// tryPause is 1, 2, 4, ... minutes, up to an hour.
func tryPause(tries int) time.Duration {
	if tries > 6 {
		return gracePeriod
	}
	return min(retryPauses[0]<<tries, gracePeriod)
}
