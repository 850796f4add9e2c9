package retrieval

import (
	"time"

	pg "laurel/models/db"
)

// States of a site's circuit.
const (
	CircuitClosed   = "closed"    // The site is asked.
	CircuitOpen     = "open"      // Its answers cannot be used, so it is not asked.
	CircuitHalfOpen = "half_open" // One account is tried.
)

// A Circuit says whether a site is asked at all. It opens when several handles fail with no good
// answer between them, tries one account from time to time, and closes at the first good answer.
// While it is open, accounts wait, and failures do not count against them.
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
	PausedAt     *time.Time // An admin has paused the site.
	PausedBy     string
	PausedReason string
}

// An Answer is what one fetch, or one question about many accounts, shows of the site.
type Answer struct {
	Site    string
	Handle  string // "": many accounts at once.
	Account int64  // 0: a canary, or many accounts at once.
	Outcome string
	Message string
	Known   bool      // The handle was read completely before, so it exists.
	Emptied bool      // It failed because the list lacks rows that it had.
	Blank   bool      // The list is empty, and always was.
	RetryAt time.Time // Retry-After, or zero.

	Retrievals, Requests, NewRows int // Counted for the site's health.
	Audits                        int // Those of Requests that read an account whole again.
}

// Failures are what counts against a site, the newest included.
type Failures struct {
	Times    int // Since the last good answer.
	Handles  int // How many handles they are of.
	Others   int // Of the handles, those of no account: canaries, and questions about many.
	Accounts int // Of the site that are not paused: 0, 1 or 2, which means more.
}

// open says whether they open a circuit. Only accounts are tried afterwards, so one must have
// failed.
func (f Failures) open() bool {
	return f.Times >= openAfter && f.Handles > f.Others && (f.Handles > 1 || f.Accounts <= 1)
}

// Failed says whether the answer counts against the site. Absence does if the handle was there
// before. Being asked to slow down does not, because the site answers.
func (a Answer) Failed() bool {
	switch a.Outcome {
	case pg.OutcomeBlocked, pg.OutcomeParseError, pg.OutcomeServerError, pg.OutcomeUnreachable:
		return true
	case pg.OutcomeNotFound:
		return a.Known
	}
	return false
}

// Why says why the site is not asked; "" if it is.
func (c *Circuit) Why() string {
	switch {
	case c.PausedAt != nil && c.PausedReason != "":
		return "cannot be asked now: an admin has paused the site (" + c.PausedReason + ")"
	case c.PausedAt != nil:
		return "cannot be asked now: an admin has paused the site"
	case c.Broken():
		return "cannot be asked now: the site's answers fail for everybody; accounts are checked as soon as one is good"
	}
	return ""
}

// Broken says whether the circuit is open or half open.
func (c *Circuit) Broken() bool { return c.State == CircuitOpen || c.State == CircuitHalfOpen }

// After returns the circuit after an answer. rate divides pauses.
func (c Circuit) After(a Answer, f Failures, rate float64, now time.Time) Circuit {
	trial := c.State == CircuitHalfOpen && c.TrialAccount != nil && *c.TrialAccount == a.Account
	switch {
	case a.Outcome == pg.OutcomeOK:
		return Circuit{Site: c.Site, State: CircuitClosed, PausedAt: c.PausedAt, PausedBy: c.PausedBy, PausedReason: c.PausedReason}
	case a.Failed():
		c.Suspects, c.Outcome, c.Message = f.Handles, a.Outcome, pg.CleanText(a.Message)
	case !trial:
		return c
	}
	switch {
	case trial:
		c.State, c.TrialAccount, c.TrialUntil = CircuitOpen, nil, nil
		if a.Failed() { // Any other answer says nothing of the site: the next trial is as soon.
			c.Tries++
		}
		c.tryAfter(min(retryPauses[0]<<min(c.Tries, 6), gracePeriod), a.RetryAt, rate, now)
	case !c.Broken() && f.open():
		c.State, c.OpenedAt, c.Tries = CircuitOpen, &now, 0
		c.tryAfter(retryPauses[0], a.RetryAt, rate, now)
	}
	return c
}

func (c *Circuit) tryAfter(pause time.Duration, retryAt time.Time, rate float64, now time.Time) {
	c.NextTryAt = new(now.Add(scaled(pause, rate)))
	if retryAt.After(*c.NextTryAt) {
		c.NextTryAt = &retryAt
	}
}
