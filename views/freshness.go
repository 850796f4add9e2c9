package views

import (
	"strings"
	"time"
)

// Moods of an account, which are also its CSS classes.
const (
	good = "ok"   // All that the site had is here.
	wait = "wait" // On its way, or the site is in trouble.
	bad  = "bad"  // Somebody must do something.
)

func mood(a Account) string {
	switch {
	case a.State == "invalid":
		return bad
	case a.Phase == "waiting", a.Phase == "running", a.State == "paused", a.Held != "", a.CompleteUntil.IsZero(), a.Missing > 0, failed(a):
		return wait
	}
	return good
}

// shapes tell moods apart without colour.
var shapes = map[string]string{good: "●", wait: "○", bad: "▲"}

// shape is the account's mood, or half a disc while it is being read.
func shape(a Account) string {
	if a.Phase == "running" {
		return "◐"
	}
	return shapes[mood(a)]
}

func failed(a Account) bool { return a.Outcome != "" && a.Outcome != "ok" }

// Freshness says how far an account can be trusted, why, and when somebody
// looks again.
func Freshness(a Account, now time.Time) string {
	if a.Held != "" && a.Phase != "running" {
		return join(a.Held, completeOrNothing(a, now))
	}
	switch a.Phase {
	case "running":
		return reading(a)
	case "waiting":
		return join("waiting for its turn", complete(a, now))
	case "done":
		if !failed(a) {
			return join("done, "+newText(a.New), complete(a, now), gap(a))
		}
	}
	switch {
	case a.State == "paused":
		return join("paused: nobody looks until it is resumed", complete(a, now))
	case a.State == "invalid":
		return join(absence(a), "next check "+next(a.Due, now)) + "."
	case a.Outcome == "":
		return "first retrieval " + dueText(a.Due, now)
	case failed(a):
		return join(trouble(a, now), completeOrNothing(a, now), "next try "+next(a.Due, now))
	case a.Missing > 0:
		return gap(a) + "; " + nextLook(a, now)
	case a.CompleteUntil.IsZero():
		return "not read to the end yet; goes on " + next(a.Due, now)
	}
	return complete(a, now) + ", " + nextLook(a, now)
}

// reading is the progress of a retrieval.
func reading(a Account) string {
	if a.Page == 0 {
		return "asking " + a.Title
	}
	if a.New == 0 {
		return "reading page " + number(a.Page)
	}
	return "reading page " + number(a.Page) + ": " + number(a.New) + " new so far"
}

// complete says until when everything is known; "" if nothing is.
func complete(a Account, now time.Time) string {
	if a.CompleteUntil.IsZero() {
		return ""
	}
	if a.Lacks != "" && a.FedUntil.After(a.CompleteUntil) {
		return "complete until " + moment(a.FedUntil, now) + " (" + a.Lacks + " until " + moment(a.CompleteUntil, now) + ")"
	}
	return "complete until " + moment(a.CompleteUntil, now)
}

func completeOrNothing(a Account, now time.Time) string {
	if s := complete(a, now); s != "" {
		return s
	}
	return "nothing complete yet"
}

// gap says what is not here and never will be unless somebody brings it: the site
// counts it and does not list it any more. "" where there is no gap.
func gap(a Account) string {
	if a.Missing == 0 {
		return ""
	}
	s := count(a.Missing, "submission") + " missing"
	from, until := utcDay(a.MissingFrom), utcDay(a.MissingUntil)
	switch {
	case a.MissingUntil.IsZero():
		s += " from earlier years"
	case a.MissingFrom.IsZero():
		s += " up to " + until
	case from == until:
		s += " on " + from
	default:
		s += " between " + from + " and " + until
	}
	return s + ": " + a.Title + " counts but no longer lists them"
}

// utcDay is a day of UTC, as sites count.
func utcDay(at time.Time) string { return at.UTC().Format("2 Jan 2006") }

// nextLook says when the next look is, and why so late.
func nextLook(a Account, now time.Time) string {
	s := "next look " + next(a.Due, now)
	switch {
	case a.Delay == 0:
	case a.Newest.IsZero():
		s += " because nothing new yet"
	default:
		s += " because nothing new since " + date(a.Newest, now)
	}
	return s
}

func dueText(due, now time.Time) string {
	if !due.After(now) {
		return "starts in a moment"
	}
	return "starts " + next(due, now)
}

// absence says that there is no such handle, and what else is known of that.
func absence(a Account) string {
	s := "no such handle, seen " + times(a.NotFound)
	if a.Message != "" && a.Message != "no such handle" {
		s += ": " + a.Message
	}
	return s
}

// trouble says what went wrong in the last attempt.
func trouble(a Account, now time.Time) string {
	if a.Outcome == "not_found" {
		return join(absence(a), "one more look will tell")
	}
	since, long := a.FailingSince, true
	if since.IsZero() {
		since, long = a.LastAttempt, false
	}
	words, known := troubles[a.Outcome]
	if !known {
		words = troubles["unreachable"]
	}
	s := words.once + " at " + moment(since, now)
	if long {
		s = words.since + " since " + moment(since, now)
	}
	if a.Message != "" {
		s += " (" + a.Message + ")"
	}
	return s
}

// troubles says each failed outcome: as a state that lasts, and as it happened once.
var troubles = map[string]struct{ since, once string }{
	"unreachable":  {"site has not answered", "site did not answer"},
	"server_error": {"site has answered with errors", "site answered with an error"},
	"blocked":      {"site has turned us away", "site turned us away"},
	"rate_limited": {"site has asked us to slow down", "site asked us to slow down"},
	"parse_error":  {"site's answers could not be read", "site's answer could not be read"},
}

func newText(n int) string {
	if n == 0 {
		return "nothing new"
	}
	return number(n) + " new"
}

func times(n int) string {
	switch n {
	case 0, 1:
		return "once"
	case 2:
		return "twice"
	}
	return count(n, "time")
}

// join puts the parts that say something behind one another.
func join(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, "; ")
}

func solvedText(a Account) string {
	if a.CompleteUntil.IsZero() && a.Submissions == 0 {
		return "-"
	}
	return number(a.Solved) + " solved"
}

func buttonText(c AccountsCard) string {
	if c.Own {
		return "Retrieve my submissions"
	}
	return "Retrieve submissions"
}

// progress is the line at the button: how far a running request is, or when
// the last one was and when the next may be made.
func progress(c AccountsCard) string {
	switch {
	case c.Running:
		return "Asked " + c.Asked.In(c.Now.Location()).Format("15:04:05") + " · " + doneText(c.Accounts)
	case c.Asked.IsZero():
		return ""
	case c.Manage && c.Again.After(c.Now):
		return "Asked " + ago(c.Asked, c.Now) + "; again from " + moment(c.Again, c.Now)
	}
	return "Last asked " + ago(c.Asked, c.Now)
}

func doneText(accounts []Account) string {
	asked, done, fresh := 0, 0, 0
	for _, a := range accounts {
		if a.Phase == "" {
			continue // Paused: it was not asked.
		}
		asked++
		fresh += a.New
		if a.Phase == "done" {
			done++
		}
	}
	return number(done) + " of " + count(asked, "site") + " done, " + number(fresh) + " new so far"
}
