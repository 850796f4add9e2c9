package profiles

import (
	"strings"
	"time"

	"laurel/views/parts"
)

func mood(a Account) string {
	switch {
	case a.Outside && !a.Pushed.IsZero():
		return parts.Good
	case a.State == "invalid":
		return parts.Bad
	case a.Phase == "waiting", a.Phase == "running", a.State == "paused", a.Suspended != "",
		a.CompleteUntil.IsZero(), a.Missing > 0, a.Unread > 0, failed(a):
		return parts.Wait
	}
	return parts.Good
}

// shape is the account's mood, or half a disc while it is being read.
func shape(a Account) string {
	if a.Phase == "running" {
		return "◐"
	}
	return parts.Shapes[mood(a)]
}

func failed(a Account) bool { return a.Outcome != "" && a.Outcome != "ok" }

// accountNote is what the line of an account says; "" where all is well.
func accountNote(a Account, now time.Time) string {
	if a.Suspended != "" && a.Phase != "running" {
		return a.Suspended
	}
	switch a.Phase {
	case "running":
		return loading(a)
	case "waiting":
		return "waiting"
	case "done":
		if !failed(a) {
			return parts.Join(newText(a.New), gap(a), unread(a))
		}
	}
	switch {
	case a.Outside:
		return brought(a, now)
	case a.State == "paused":
		return "paused"
	case a.State == "invalid":
		return absence(a)
	case a.Outcome == "":
		return "first check " + dueText(a.Due, now)
	case failed(a):
		return trouble(a, now)
	case a.Missing > 0, a.Unread > 0:
		return parts.Join(gap(a), unread(a))
	case a.CompleteUntil.IsZero():
		return "still loading"
	}
	return ""
}

// loading is the progress of a check.
func loading(a Account) string {
	switch {
	case a.Page == 0:
		return "connecting"
	case a.New == 0:
		return "retrieving"
	}
	return "retrieving: " + parts.Number(a.New) + " new so far"
}

// ages is how far accounts are together. Paused and invalid ones hold nothing back.
type ages struct {
	oldest time.Time // Until when all those are complete that are not behind.
	known  time.Time // Until when all those are complete that ever were.
	pushed time.Time // When the member last pushed.
	behind []string  // Sites that are not complete, cannot be asked, or list less than they count.
}

func agesOf(accounts []Account) (g ages) {
	for _, a := range accounts {
		if a.Pushed.After(g.pushed) {
			g.pushed = a.Pushed
		}
		if a.State == "paused" || a.State == "invalid" {
			continue
		}
		if !a.CompleteUntil.IsZero() && (g.known.IsZero() || a.CompleteUntil.Before(g.known)) {
			g.known = a.CompleteUntil
		}
		switch {
		case a.CompleteUntil.IsZero(), a.Suspended != "", a.Missing > 0, failed(a):
			g.behind = append(g.behind, a.Title)
		case g.oldest.IsZero() || a.CompleteUntil.Before(g.oldest):
			g.oldest = a.CompleteUntil
		}
	}
	return g
}

// Freshness says how fresh all accounts are together: "Up to date at 14:02, except UVa".
func Freshness(c AccountsCard) string {
	g := agesOf(c.Accounts)
	switch {
	case g.known.IsZero() && len(g.behind) == 0 && !g.pushed.IsZero():
		return "Last brought " + parts.Moment(g.pushed, c.Now)
	case g.known.IsZero():
		return "Not loaded yet"
	case g.oldest.IsZero():
		return "Last up to date " + parts.Moment(g.known, c.Now)
	case len(g.behind) > 2:
		return "Up to date " + parts.AsOf(g.oldest, c.Now) + ", except " + parts.Plural(len(g.behind), "site")
	}
	return parts.Glue("Up to date "+parts.AsOf(g.oldest, c.Now), ", except ", strings.Join(g.behind, " and "))
}

// accountDetails says how far one account is, and when it is checked again.
func accountDetails(a Account, now time.Time) string {
	switch {
	case a.Outside:
		return brought(a, now)
	case a.State == "paused":
		return parts.Join(complete(a, now), checkedThrough(a, now), "paused")
	case a.Outcome == "":
		return "first check " + dueText(a.Due, now)
	}
	return parts.Join(complete(a, now), checkedThrough(a, now), nextCheck(a, now))
}

// checkedThrough says when all of the history was last read, and which rows only by the site's counts. It
// stands beside every claim to be up to date, which is about the newest part alone.
func checkedThrough(a Account, now time.Time) string {
	switch {
	case a.CompleteUntil.IsZero():
		return ""
	case a.CheckedThrough.IsZero():
		return "whole history not checked yet"
	}
	s := "whole history checked " + parts.AsOf(a.CheckedThrough, now)
	if !a.CheckedFrom.IsZero() {
		s += ", before " + utcDay(a.CheckedFrom) + " by counts alone"
	}
	return s
}

// brought says when the member last pushed to a site that Laurel does not read.
func brought(a Account, now time.Time) string {
	if a.Pushed.IsZero() {
		return "nothing brought yet"
	}
	return "brought " + parts.Moment(a.Pushed, now)
}

// complete says until when all submissions are here.
func complete(a Account, now time.Time) string {
	if a.CompleteUntil.IsZero() {
		return "not complete yet"
	}
	return "up to date " + parts.AsOf(a.CompleteUntil, now)
}

// gap says which submissions the site counts and no longer lists; "" for none.
func gap(a Account) string {
	if a.Missing == 0 {
		return ""
	}
	s := parts.Plural(a.Missing, "submission")
	from, until := utcDay(a.MissingFrom), utcDay(a.MissingUntil)
	switch {
	case a.MissingUntil.IsZero():
		s += " from earlier years"
	case a.MissingFrom.IsZero():
		s += " up to " + until
	case from == until:
		s += " of " + from
	default:
		s += " from " + from + " to " + until
	}
	return s + " no longer listed by " + a.Title
}

// unread says how many submissions of the list could not be read; "" for none.
func unread(a Account) string {
	if a.Unread == 0 {
		return ""
	}
	if a.Unread == 1 {
		return "1 submission could not be read; the admin sees it"
	}
	return parts.Plural(a.Unread, "submission") + " could not be read; the admin sees them"
}

// utcDay is a day of UTC, as sites count.
func utcDay(at time.Time) string { return at.UTC().Format("2 Jan 2006") }

// whyNext is why the next check is then, by the reasons of a plan; the others speak for
// themselves.
var whyNext = map[string]string{
	"news":      "the site reports something new",
	"contest":   "a contest ended",
	"sign_in":   "after signing in",
	"elsewhere": "back on another site",
	"verdicts":  "verdicts may change",
	"overflow":  "the site lists only the newest",
	"unnamed":   "the site is still filling in rows",
	"request":   "requested",
	"audit":     "checking everything again",
}

// nextCheck says when the next check is, and why then.
func nextCheck(a Account, now time.Time) string {
	s := "next check " + parts.Next(a.Due, now)
	switch why := whyNext[a.Reason]; {
	case failed(a):
	case why != "":
		s += " (" + why + ")"
	case a.Delay == 0:
	case a.Newest.IsZero():
		s += " (nothing new yet)"
	default:
		s += " (nothing new since " + parts.Date(a.Newest, now) + ")"
	}
	return s
}

func dueText(due, now time.Time) string {
	if !due.After(now) {
		return "starting now"
	}
	return parts.Next(due, now)
}

// absence says that there is no such handle, and what else is known of that.
func absence(a Account) string {
	s := "handle not found"
	if a.Message != "" && a.Message != "no such handle" {
		s += ": " + a.Message
	}
	return s
}

// trouble says what went wrong in the last attempt.
func trouble(a Account, now time.Time) string {
	if a.Outcome == "not_found" {
		return absence(a) + "; checking once more"
	}
	since, long := a.FailingSince, true
	if since.IsZero() {
		since, long = a.LastAttempt, false
	}
	words, known := parts.Troubles[a.Outcome]
	if !known {
		words = parts.Troubles["unreachable"]
	}
	s := words.Once + " at " + parts.Moment(since, now)
	if long {
		s = words.Since + " since " + parts.Moment(since, now)
	}
	if a.Message != "" {
		s += " (" + a.Message + ")"
	}
	return s
}

func newText(n int) string {
	if n == 0 {
		return "nothing new"
	}
	return parts.Number(n) + " new"
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
		return "Started " + c.Asked.In(c.Now.Location()).Format("15:04:05") + " · " + doneText(c.Accounts)
	case c.Asked.IsZero():
		return ""
	case c.Manage && c.Again.After(c.Now):
		return "Requested " + parts.Ago(c.Asked, c.Now) + "; available again at " + parts.Moment(c.Again, c.Now)
	}
	return "Last requested " + parts.Ago(c.Asked, c.Now)
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
	return parts.Number(done) + " of " + parts.Plural(asked, "site") + " checked, " + parts.Number(fresh) + " new"
}
