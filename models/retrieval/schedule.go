package retrieval

import (
	"time"

	"laurel/models/archive"
	pg "laurel/models/db"
	"laurel/models/members"
	"laurel/models/responses"
	"laurel/models/submissions"
)

// A Rule is what Finish depends on besides the account.
type Rule struct {
	Rate    float64       // Divides retry pauses; 1 outside tests.
	Overlap time.Duration // How long behind the newest row the site may still change or add one.
}

// A Result is what one fetch gave.
type Result struct {
	Outcome  string
	Message  string    // Why it failed, for people; "" when it did not.
	RetryAt  time.Time // Retry-After, or zero.
	Requests int
	// Blank says that a complete list has no rows; Emptied, that it lacks even rows that every
	// fetch shows again.
	Blank, Emptied bool
	Ratings        []submissions.RatingFound
	RatingsRead    bool // Ratings is all the site has. If not, they are read with the next retrieval.
	// For the archive: the addresses of the list of submissions and of the ratings, and other pages,
	// with the account's own one if ProfileRead.
	Address, RatingsAddress string
	Pages                   []archive.Response
	ProfileRead             bool
	Reported                *Counted // Nil if the site lists all it has.
	// What the site counts of the account; nil where it was not read.
	ReportedSolved, ReportedSubmissions *int
	CountsAttempts                      bool // They are of attempts that the site does not list, so nothing can be compared.
	// Withheld is since when the list has rows that cannot be stored yet, because they have neither
	// a number nor a time; zero if there are none.
	Withheld time.Time
	// Answers are the raw ones that were not stored with a page.
	Fetch   *responses.Fetch
	Answers []responses.Answer

	answered bool // The site gave a good answer about somebody since the first proof of absence.
	changed  bool // Rows were stored that are not counted yet.
	covers   bool // Rows were stored since covered ground moved.

	explained int  // Of Reported.Total, what rows and the counts of days account for.
	unsolved  bool // Reported.Solved is less than it was: something was judged again.
}

// Apply changes the account by one result. Only ok changes what the seed's rule depends on. It is
// plain arithmetic; Finish stores it.
func Apply(a *members.Account, res Result, now time.Time) {
	a.Outcome, a.Message, a.LastAttemptAt = res.Outcome, pg.CleanText(res.Message), &now
	switch res.Outcome {
	case pg.OutcomeOK:
		applySuccess(a, now)
	case pg.OutcomeNotFound:
		applyNotFound(a, res.answered, now)
	default:
		if a.Failures++; a.Failures == 1 {
			a.FailingSince = &now
		}
	}
	// A request that came during this fetch gets one of its own.
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
	a.LastRetrievedAt, a.CompleteUntil, a.Cursor = &now, a.StartedAt, ""
}

// applyNotFound makes the account invalid at the second proof of absence. A handle that was read
// before takes three over a day, and a good answer of the site about somebody else meanwhile: a proxy
// that answers "not found" to everything proves nothing.
func applyNotFound(a *members.Account, answered bool, now time.Time) {
	if a.NotFound == 0 {
		a.FailingSince = &now
	}
	a.Failures = 0
	if a.State == members.StateInvalid && a.RequestedAt != nil {
		return // A request does not change when the next proof is due.
	}
	a.NotFound++
	known := a.LastRetrievedAt != nil
	day := a.FailingSince != nil && !a.FailingSince.After(now.Add(-Day))
	if a.NotFound > 2 && day && answered || a.NotFound > 1 && !known {
		a.State = members.StateInvalid
	}
}
