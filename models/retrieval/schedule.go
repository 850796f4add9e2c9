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
	Rate    float64       // Divides retry pauses; 1 outside tests.
	Overlap time.Duration // How long behind the newest row the site may still change or add one.
}

// A Result is what one fetch gave.
type Result struct {
	Outcome  string
	Message  string    // Why it failed, for people; "" when it did not.
	RetryAt  time.Time // The site's own wish (Retry-After), or zero.
	Requests int
	// Blank says that a complete list showed no row at all; Emptied, that it had
	// shown some before which every fetch shows again.
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
	Reported                *Counted // Nil where the site lists all it has.
	// Withheld is since when the list has rows that could not be stored yet, as they have
	// neither a number nor a time; zero where there are none.
	Withheld time.Time

	changed bool // Rows were stored that are not counted yet.
}

// Apply moves the account by one result, as the rule of the package comment
// says: only ok touches what the seed's rule is made of. It is plain arithmetic;
// Finish stores it.
func Apply(a *members.Account, res Result, now time.Time) {
	a.Outcome, a.Message, a.LastAttemptAt = res.Outcome, pg.CleanText(res.Message), &now
	switch res.Outcome {
	case pg.OutcomeOK:
		applySuccess(a, now)
	case pg.OutcomeNotFound:
		applyNotFound(a)
	default:
		if a.Failures++; a.Failures == 1 {
			a.FailingSince = &now
		}
	}
	// An ask that came while this fetch was under way wants one of its own.
	if a.RequestedAt != nil && a.StartedAt != nil && !a.RequestedAt.After(*a.StartedAt) {
		a.RequestedAt = nil
	}
}

func applySuccess(a *members.Account, now time.Time) {
	if a.NewRows > 0 {
		a.Delay = 0
	} else {
		a.Delay++
	}
	a.State, a.Failures, a.FailingSince, a.NotFound = members.StateActive, 0, nil, 0
	a.LastNew, a.NewRows = a.NewRows, 0
	a.LastRetrievedAt, a.CompleteUntil = &now, a.StartedAt
}

// applyNotFound believes in absence at the second proof, and keeps the account apart.
func applyNotFound(a *members.Account) {
	a.Failures, a.FailingSince = 0, nil
	if a.State == members.StateInvalid && a.RequestedAt != nil {
		return // The button asked out of turn; the schedule goes on as it was.
	}
	if a.NotFound++; a.NotFound > 1 {
		a.State = members.StateInvalid
	}
}
