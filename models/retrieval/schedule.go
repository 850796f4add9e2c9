package retrieval

import (
	"time"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Rule is what the schedule is told from outside.
type Rule struct {
	Rate float64 // Divides retry pauses; 1 outside tests.
}

const (
	// delayDivisor is how many empty retrievals add a day to the wait.
	delayDivisor = 5
	// longestWait, in days, is what the wait never exceeds.
	longestWait = 12
)

// Wait returns how many whole days must pass between retrievals.
//
// A quiet account is asked for less often: every fifth empty retrieval adds a
// day. One new submission brings it back to daily.
func Wait(a *members.Account) int { return min(a.Delay/delayDivisor+1, longestWait) }

// Skip says whether the rule passes the account over today (a civil day, in the
// member's zone): delay/5 + 1 + last_retrieved.date > today.
func Skip(a *members.Account, loc *time.Location, today time.Time) bool {
	if a.LastRetrievedAt == nil {
		return false
	}
	return pg.CivilDay(*a.LastRetrievedAt, loc).AddDate(0, 0, Wait(a)).After(today)
}

// NextLook returns the moment of the next routine retrieval: the account's usual
// hour on the first day the rule does not skip. Which minute of the hour follows
// from the account's id, so that those who share an hour are spread over it.
func NextLook(a *members.Account, loc *time.Location, now time.Time) time.Time {
	if a.LastRetrievedAt == nil {
		return now
	}
	day := pg.CivilDay(*a.LastRetrievedAt, loc).AddDate(0, 0, Wait(a))
	begin, end := pg.StartOfDay(day, loc), pg.StartOfDay(day.AddDate(0, 0, 1), loc)
	hour := a.CreatedAt.UTC().Hour() // Of joining, until submissions tell.
	if a.UsualHour != nil {
		hour = *a.UsualHour
	}
	utc := time.Duration(begin.UTC().Hour())*time.Hour + time.Duration(begin.UTC().Minute())*time.Minute
	of := time.Duration(hour)*time.Hour + time.Duration(spread(a)%uint64(time.Hour))
	next := begin.Add((of - utc + 24*time.Hour) % (24 * time.Hour))
	if !next.Before(end) { // A day of 23 hours.
		next = end.Add(-time.Minute)
	}
	return next
}

// spread is a number that looks random and stays the same for an account.
func spread(a *members.Account) uint64 {
	x := uint64(a.ID) * 0x9E3779B97F4A7C15 // Fibonacci hashing; the finalizer is splitmix64's.
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// retryPauses are the pauses after the first, second, ... failure in a row.
var retryPauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

const (
	secondTry     = 10 * time.Minute // A first proof of absence is asked for again after this.
	recheckFirst  = 24 * time.Hour   // A confirmed one after this, and then twice as long each time,
	recheckAtMost = 30 * 24 * time.Hour
)

// A Result is what one look at a site gave.
type Result struct {
	Outcome  string
	Message  string    // Why it failed, for people; "" when it did not.
	RetryAt  time.Time // The site's own wish (Retry-After), or zero.
	Requests int
	// Blank says that a complete list showed no row at all; Emptied, that it had
	// shown some before which every look shows again.
	Blank, Emptied bool
	Ratings        []submissions.RatingFound
	// RatingsRead says that Ratings is all the site has. It may be false after a
	// complete retrieval: then they are asked for again with the next one.
	RatingsRead bool
	// Of the archive: the addresses of the list of submissions and of the page of
	// ratings, and what other pages showed, by the name of the shard. ProfileRead
	// says that the account's own page is among them.
	Address, RatingsAddress string
	Pages                   []archive.Response
	ProfileRead             bool
	Told                    *Counted // Nil where the site lists all it has.
	// Held is since when the list has rows that could not be stored yet, as they have
	// neither a number nor a time; zero where there are none.
	Held time.Time
}

// Settle moves the account by one result, as the rule of the package comment
// says: only ok touches what the seed's rule is made of. It is plain arithmetic;
// FinishRetrieval stores it.
func Settle(a *members.Account, res Result, r Rule, loc *time.Location, now time.Time) {
	a.Outcome, a.Message, a.LastAttemptAt = res.Outcome, pg.CleanText(res.Message), &now
	switch res.Outcome {
	case pg.OutcomeOK:
		settleOK(a, loc, now)
	case pg.OutcomeNotFound:
		settleNotFound(a, r, now)
	default:
		if a.Failures++; a.Failures == 1 {
			a.FailingSince = &now
		}
		pause := retryPauses[min(a.Failures, len(retryPauses))-1]
		pause += time.Duration(spread(a) % uint64(pause/4)) // A broken site's accounts do not all return at once.
		a.DueAt = now.Add(time.Duration(float64(pause) / r.Rate))
		if res.RetryAt.After(a.DueAt) {
			a.DueAt = res.RetryAt
		}
	}
	// An ask that came while this look was under way wants a look of its own.
	if a.RequestedAt != nil && a.StartedAt != nil && !a.RequestedAt.After(*a.StartedAt) {
		a.RequestedAt = nil
	}
}

func settleOK(a *members.Account, loc *time.Location, now time.Time) {
	if a.NewRows > 0 {
		a.Delay = 0
	} else {
		a.Delay++
	}
	a.State, a.Failures, a.FailingSince, a.NotFound = members.StateActive, 0, nil, 0
	a.LastNew, a.NewRows = a.NewRows, 0
	a.LastRetrievedAt, a.CompleteUntil = &now, a.StartedAt
	a.DueAt = NextLook(a, loc, now)
}

// settleNotFound believes in absence at the second proof, keeps the account
// apart, and asks again on a growing schedule.
func settleNotFound(a *members.Account, r Rule, now time.Time) {
	a.Failures, a.FailingSince = 0, nil
	if a.State == members.StateInvalid && a.RequestedAt != nil && a.DueAt.After(now) {
		return // The button asked out of turn; the schedule goes on as it was.
	}
	a.NotFound++
	if a.NotFound < 2 {
		a.DueAt = now.Add(time.Duration(float64(secondTry) / r.Rate))
		return
	}
	a.State = members.StateInvalid
	pause := recheckAtMost
	if n := a.NotFound - 2; n < 5 {
		pause = recheckFirst << n
	}
	a.DueAt = now.Add(pause)
}
