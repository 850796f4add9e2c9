package retrieval

import "time"

// The numbers of the policy.
const (
	// delayDivisor is how many empty retrievals add a day to the wait: the seed's.
	delayDivisor = 5
	// longestWait, in days: who comes back after months is seen within two weeks.
	longestWait = 12
	// BulkEvery is how often bulk checks are about an account, and how fresh a stream must be
	// to stand for fetches: of twenty submissions nineteen are here within half a day.
	BulkEvery = 6 * time.Hour
	// day is how often what rarely changes is checked: canaries, dormant accounts, verdicts
	// that are still open, handles that do not exist.
	day = 24 * time.Hour
	// doubt is how long a list may be empty that was not, and a stream be behind, before that
	// is taken for true.
	doubt = 3 * day
	// patience is how long a site's languages are taken as they come, and how long a new term
	// stays an alarm.
	patience = 7 * day
	// settled is the age at which nothing is expected to change any more: submissions and
	// their verdicts, who submits and takes part in contests, whether a handle exists. Bulk
	// checks and streams stand for fetches as long: they miss what they cannot show, such as
	// submissions of a team-mate.
	settled = 30 * day
	// grace is how late a bulk check or a stream may be before accounts are fetched instead,
	// and the longest pause before a site is tried again: a retry after a failure fits in.
	grace = time.Hour
	// Soonest is how soon something is read again that nobody waits for and that did not fail.
	Soonest = 10 * time.Minute
	// streamFrom is how many accounts of a site make its stream worth reading, unless an
	// admin says otherwise: it takes about a hundred requests a day.
	streamFrom = 200
	// opensAfter failures in a row, of at least two handles where there are two, a site is not
	// asked; so many unreadable answers of a day are an alarm.
	opensAfter = 3
	// unreadableOneIn is the part of a day's answers that is an alarm when it cannot be read.
	unreadableOneIn = 10
	// habitRows are how many submissions tell an account's usual hour.
	habitRows = 5
	// knownAtMost of a canary's oldest settled rows, and as many of the newest, are compared.
	knownAtMost = 25
)

// retryPauses are the pauses after the first, second, ... failure in a row.
var retryPauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day}
