package retrieval

import "time"

// The numbers of the policy: all that there are, besides the length of a lease (jobs/retrieval).
const (
	// delayDivisor is how many empty retrievals add a day to the wait: the seed's. It is also how
	// many days without submissions make a member quiet.
	delayDivisor = 5
	// longestWait, in days: a member who comes back after months is seen within two weeks.
	longestWait = 12
	// CheckEvery is how often a bulk check or an activity stream must see an account to replace its
	// fetches: of twenty submissions nineteen are stored within half a day. It is also how much
	// shorter than a day the time between two daily fetches may be.
	CheckEvery = 6 * time.Hour
	// Day is how often anything is read that rarely changes: canaries, dormant accounts, open
	// verdicts, unknown handles, ratings.
	Day = 24 * time.Hour
	// confirmFor is how long a list that had rows must stay empty before that is believed, and how
	// far a stream may be behind before it begins anew.
	confirmFor = 3 * Day
	// learnFor is how long every language of a new site is taken as known, and how long a term must
	// be unseen for its alarm to close.
	learnFor = 7 * Day
	// finalAfter is the age at which nothing is expected to change: verdicts, who is active, who
	// takes part in contests, whether a handle exists. Bulk checks and streams replace fetches
	// no longer than that, because they miss some submissions, such as those made by teammates.
	finalAfter = 30 * Day
	// gracePeriod is how late a bulk check or a stream may be before accounts are fetched instead;
	// a retry after a failure fits in. It is also the longest pause before a site is tried again.
	gracePeriod = time.Hour
	// Soonest is the shortest pause before something is read again without a failure or a request.
	// Sites judge within that time, and their clocks are no further ahead.
	Soonest = 10 * time.Minute
	// streamFrom is how many accounts of a site make its stream worth reading, at about a hundred
	// requests a day, unless an admin says otherwise.
	streamFrom = 200
	// openAfter is how many failures in a row, of two handles where there are two, open a circuit,
	// and how many unreadable answers of a day may be an alarm.
	openAfter = 3
	// unreadableOneIn is the part of a day's answers that is an alarm if it cannot be read.
	unreadableOneIn = 10
	// usualHourRows is how many submissions show an account's usual hour.
	usualHourRows = 5
	// canaryRows is how many of a canary's oldest final rows, and of its newest, are compared.
	canaryRows = 25
)

// retryPauses are the pauses after the first, second, ... failure in a row.
var retryPauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, Day}
