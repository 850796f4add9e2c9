package retrieval

import (
	"time"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Reason is why an account is fetched when it is; pages show it.
type Reason string

// Reasons of Plan.
const (
	ReasonFirst    Reason = "first"     // It was never fetched completely.
	ReasonQuiet    Reason = "quiet"     // The seed's rule: the longer nothing is new, the rarer.
	ReasonRetry    Reason = "retry"     // The last attempt failed.
	ReasonRecheck  Reason = "recheck"   // The site has no such handle, but may have one day.
	ReasonNews     Reason = "news"      // A bulk check reported something new.
	ReasonRequest  Reason = "request"   // The button was pressed while the site was not asked.
	ReasonContest  Reason = "contest"   // A contest ended in which the member probably took part.
	ReasonSignIn   Reason = "sign_in"   // The member signed in.
	ReasonReturn   Reason = "elsewhere" // The member is back on another site.
	ReasonOverflow Reason = "overflow"  // The site lists so few rows that some would be lost.
	ReasonUnnamed  Reason = "unnamed"   // Rows were listed that could not be stored yet.
	ReasonVerdicts Reason = "verdicts"  // Verdicts may have changed.
	ReasonAudit    Reason = "audit"     // It is read whole again, for what changed behind covered ground.
	ReasonDistrust Reason = "distrust"  // Bulk checks and streams alone are not believed for longer.
)

// A Policy is what a plan depends on besides the account.
type Policy struct {
	Zone *time.Location // The member's.
	Rate float64        // Divides retry pauses; 1 outside tests.
	Now  time.Time
}

// Plan says when an account is fetched next, and why. It is the only place where that is
// decided.
//
// Whether its site is asked at all is no part of a plan but of the claim (may_ask in
// claim_due.sql): while a site is suspended, or a Retry-After runs, its accounts stay due as they
// were. Otherwise opening a circuit would rewrite the row of every account of the site, and so
// would closing it.
func Plan(a *members.Account, evidence []Evidence, p Policy) (next time.Time, reason Reason) {
	switch {
	case a.Failures > 0:
		pause := retryPauses[min(a.Failures, len(retryPauses))-1]
		pause += time.Duration(spread(a) % uint64(pause/4)) // A broken site's accounts do not all return at once.
		return notBefore(a.LastAttemptAt.Add(scaled(pause, p.Rate)), evidence), ReasonRetry
	case a.NotFound > 0:
		return recheck(a, p.Rate), ReasonRecheck
	case a.LastRetrievedAt == nil:
		return a.CreatedAt, ReasonFirst
	}
	next, reason = slot(a, p.Zone), ReasonQuiet
	if until, why := replaced(a, evidence); why != "" && (why != ReasonQuiet || until.After(next)) {
		next, reason = until, why
	}
	for _, e := range evidence {
		if e.Source == SourceContest && a.CompleteUntil != nil && a.CompleteUntil.After(e.SeenAt) {
			continue // A bulk check or a stream has covered it since.
		}
		if by := e.dueBy(a); !by.IsZero() && by.Before(next) {
			next, reason = by, e.Source.reason()
		}
	}
	return next, reason
}

// recheck is when the site is asked again about a handle that it does not know: soon for the second
// proof, then after 1, 2, 4, ... days, 30 at most. A request in between does not change that.
func recheck(a *members.Account, rate float64) time.Time {
	second := a.LastAttemptAt.Add(scaled(Soonest, rate))
	switch {
	case a.NotFound == 1:
		return second
	case a.State != members.StateInvalid:
		return a.LastAttemptAt.Add(Day)
	case a.DueAt.After(second):
		return a.DueAt
	}
	return a.LastAttemptAt.Add(min(finalAfter, Day<<min(a.NotFound-2, 5)))
}

// slot is the account's usual hour on the first day that the rule does not pass over. The minute
// follows from the account's id, so that accounts that share an hour are spread over it.
func slot(a *members.Account, zone *time.Location) time.Time {
	day := pg.CivilDay(*a.LastRetrievedAt, zone).AddDate(0, 0, Wait(a))
	begin, end := pg.StartOfDay(day, zone), pg.StartOfDay(day.AddDate(0, 0, 1), zone)
	hour := a.CreatedAt.UTC().Hour() // Of joining, until there are submissions.
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

// Wait returns how many whole days must pass between retrievals: every fifth empty one
// adds a day, and one new submission brings it back to daily.
func Wait(a *members.Account) int { return min(a.Delay/delayDivisor+1, longestWait) }

// Skip says whether the rule passes the account over today (a civil day, in the
// member's zone): delay/5 + 1 + last_retrieved.date > today.
func Skip(a *members.Account, zone *time.Location, today time.Time) bool {
	return a.LastRetrievedAt != nil && pg.CivilDay(*a.LastRetrievedAt, zone).AddDate(0, 0, Wait(a)).After(today)
}

// replaced says until when a bulk check or a stream replaces fetches of the account, and why no
// longer; why is "" if none does. It does while it reports in time, is believed, and no verdict may
// have changed unseen.
func replaced(a *members.Account, evidence []Evidence) (until time.Time, why Reason) {
	if a.NewRows > 0 || a.LastAttemptAt == nil {
		return until, ""
	}
	for _, e := range evidence {
		again := e.again(a)
		if again.IsZero() || e.HasNews {
			continue
		}
		until, why = again.Add(gracePeriod), ReasonQuiet
		if most := a.LastAttemptAt.Add(finalAfter); most.Before(until) {
			until, why = most, ReasonDistrust
		}
		if open := a.OpenAt; open != nil && open.After(*a.LastAttemptAt) && open.Before(until) {
			until, why = *open, ReasonVerdicts
		}
		return until, why
	}
	return until, ""
}

// counts says whether evidence of nothing new counts as the empty retrieval of its day.
func counts(a *members.Account, e *Evidence, p Policy) bool {
	if Skip(a, p.Zone, pg.CivilDay(e.SeenAt, p.Zone)) || a.RequestedAt != nil {
		return false
	}
	until, why := replaced(a, []Evidence{*e})
	return why == ReasonQuiet || why != "" && until.After(e.SeenAt)
}

// dueBy is when the account should be fetched because of the evidence; zero if it does not matter.
// News of a bulk check waits until CheckEvery after the last attempt.
func (e *Evidence) dueBy(a *members.Account) time.Time {
	switch {
	case e.DueBy != nil:
		return *e.DueBy
	case e.Source == SourceBulk && e.HasNews && a.LastAttemptAt != nil:
		return *later(&e.SeenAt, new(a.LastAttemptAt.Add(CheckEvery)))
	case e.Source == SourceBulk && e.HasNews:
		return e.SeenAt
	}
	return time.Time{}
}

// again is when the source reports on the account again; zero if it does not.
func (e *Evidence) again(a *members.Account) time.Time {
	switch {
	case e.AgainAt != nil:
		return *e.AgainAt
	case e.Source == SourceBulk:
		return e.SeenAt.Add(bulkEvery(a, e.SeenAt))
	}
	return time.Time{}
}

// bulkEvery is how often the account is part of a bulk check.
func bulkEvery(a *members.Account, now time.Time) time.Duration {
	active := a.CreatedAt
	if a.NewestAt != nil {
		active = *a.NewestAt
	}
	if active.Before(now.Add(-finalAfter)) {
		return Day
	}
	return CheckEvery
}

// notBefore is a moment, or the end of a Retry-After if that is later.
func notBefore(at time.Time, evidence []Evidence) time.Time {
	for _, e := range evidence {
		if e.Source == SourceRetryAfter && e.SeenAt.After(at) {
			at = e.SeenAt
		}
	}
	return at
}

func scaled(pause time.Duration, rate float64) time.Duration {
	return time.Duration(float64(pause) / rate)
}

// spread is a number that seems random and stays the same for an account.
func spread(a *members.Account) uint64 {
	x := uint64(a.ID) * 0x9E3779B97F4A7C15 // Fibonacci hashing; the finalizer is splitmix64's.
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
