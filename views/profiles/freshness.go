package profiles

import (
	"context"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
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
func accountNote(ctx context.Context, a Account, now time.Time) string {
	if a.Suspended != "" && a.Phase != "running" {
		return a.Suspended
	}
	switch a.Phase {
	case "running":
		return loading(ctx, a)
	case "waiting":
		return "waiting"
	case "done":
		if !failed(a) {
			return parts.Join(newText(ctx, a.New), gap(ctx, a), unread(ctx, a))
		}
	}
	switch {
	case a.Outside:
		return brought(ctx, a, now)
	case a.State == "paused":
		return "paused"
	case a.State == "invalid":
		return absence(ctx, a)
	case a.Outcome == "":
		return texts.T(ctx, "first check %s", dueText(ctx, a.Due, now))
	case failed(a):
		return trouble(ctx, a, now)
	case a.Missing > 0, a.Unread > 0:
		return parts.Join(gap(ctx, a), unread(ctx, a))
	case a.CompleteUntil.IsZero():
		return texts.T(ctx, "still loading")
	}
	return ""
}

// loading is the progress of a check.
func loading(ctx context.Context, a Account) string {
	switch {
	case a.Page == 0:
		return texts.T(ctx, "connecting")
	case a.New == 0:
		return texts.T(ctx, "retrieving")
	}
	return texts.T(ctx, "retrieving: %d new so far", a.New)
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
func Freshness(ctx context.Context, c AccountsCard) string {
	g := agesOf(c.Accounts)
	switch {
	case g.known.IsZero() && len(g.behind) == 0 && !g.pushed.IsZero():
		return texts.T(ctx, "Last brought %s", texts.Moment(ctx, g.pushed, c.Now))
	case g.known.IsZero():
		return texts.T(ctx, "Not loaded yet")
	case g.oldest.IsZero():
		return texts.T(ctx, "Last up to date %s", texts.Moment(ctx, g.known, c.Now))
	case len(g.behind) > 2:
		return texts.N(ctx, len(g.behind), "Up to date %[2]s, except %[1]d site", "Up to date %[2]s, except %[1]d sites",
			texts.AsOf(ctx, g.oldest, c.Now))
	}
	return parts.Glue(texts.T(ctx, "Up to date %s", texts.AsOf(ctx, g.oldest, c.Now)), texts.T(ctx, ", except")+" ",
		strings.Join(g.behind, texts.T(ctx, " and ")))
}

// accountDetails says how far one account is, and when it is checked again.
func accountDetails(ctx context.Context, a Account, now time.Time) string {
	switch {
	case a.Outside:
		return brought(ctx, a, now)
	case a.State == "paused":
		return parts.Join(complete(ctx, a, now), checkedThrough(ctx, a, now), texts.T(ctx, "paused"))
	case a.Outcome == "":
		return texts.T(ctx, "first check %s", dueText(ctx, a.Due, now))
	}
	return parts.Join(complete(ctx, a, now), checkedThrough(ctx, a, now), nextCheck(ctx, a, now))
}

// checkedThrough says when all of the history was last read, and which rows only by the site's counts. It
// stands beside every claim to be up to date, which is about the newest part alone.
func checkedThrough(ctx context.Context, a Account, now time.Time) string {
	switch {
	case a.CompleteUntil.IsZero():
		return ""
	case a.CheckedThrough.IsZero():
		return texts.T(ctx, "whole history not checked yet")
	}
	s := texts.T(ctx, "whole history checked %s", texts.AsOf(ctx, a.CheckedThrough, now))
	if !a.CheckedFrom.IsZero() {
		s += texts.T(ctx, ", before %s by counts alone", utcDay(ctx, a.CheckedFrom))
	}
	return s
}

// brought says when the member last pushed to a site that Laurel does not read.
func brought(ctx context.Context, a Account, now time.Time) string {
	if a.Pushed.IsZero() {
		return texts.T(ctx, "nothing brought yet")
	}
	return texts.T(ctx, "brought %s", texts.Moment(ctx, a.Pushed, now))
}

// complete says until when all submissions are here.
func complete(ctx context.Context, a Account, now time.Time) string {
	if a.CompleteUntil.IsZero() {
		return texts.T(ctx, "not complete yet")
	}
	return texts.T(ctx, "up to date %s", texts.AsOf(ctx, a.CompleteUntil, now))
}

// gap says which submissions the site counts and no longer lists; "" for none.
func gap(ctx context.Context, a Account) string {
	if a.Missing == 0 {
		return ""
	}
	s := texts.N(ctx, a.Missing, "%d submission", "%d submissions")
	from, until := utcDay(ctx, a.MissingFrom), utcDay(ctx, a.MissingUntil)
	switch {
	case a.MissingUntil.IsZero():
		s += " " + texts.T(ctx, "from earlier years")
	case a.MissingFrom.IsZero():
		s += " " + texts.T(ctx, "up to %s", until)
	case from == until:
		s += " " + texts.T(ctx, "of %s", from)
	default:
		s += " " + texts.T(ctx, "from %s to %s", from, until)
	}
	return texts.T(ctx, "%s no longer listed by %s", s, a.Title)
}

// unread says how many submissions of the list could not be read; "" for none.
func unread(ctx context.Context, a Account) string {
	if a.Unread == 0 {
		return ""
	}
	return texts.N(ctx, a.Unread, "%d submission could not be read; the admin sees it",
		"%d submissions could not be read; the admin sees them")
}

// utcDay is a day of UTC, as sites count.
func utcDay(ctx context.Context, at time.Time) string {
	return texts.Format(ctx, at.UTC(), "2 Jan 2006")
}

// whyNext is why the next check is then, by the reasons of a plan; the others speak for
// themselves.
var whyNext = map[string]string{
	"news":      texts.Mark("the site reports something new"),
	"contest":   texts.Mark("a contest ended"),
	"sign_in":   texts.Mark("after signing in"),
	"elsewhere": texts.Mark("back on another site"),
	"verdicts":  texts.Mark("verdicts may change"),
	"overflow":  texts.Mark("the site lists only the newest"),
	"unnamed":   texts.Mark("the site is still filling in rows"),
	"request":   texts.Mark("requested"),
	"audit":     texts.Mark("checking everything again"),
}

// nextCheck says when the next check is, and why then.
func nextCheck(ctx context.Context, a Account, now time.Time) string {
	s := texts.T(ctx, "next check %s", texts.Next(ctx, a.Due, now))
	switch why := whyNext[a.Reason]; {
	case failed(a):
	case why != "":
		s += " (" + texts.Say(ctx, why) + ")"
	case a.Delay == 0:
	case a.Newest.IsZero():
		s += " " + texts.T(ctx, "(nothing new yet)")
	default:
		s += " " + texts.T(ctx, "(nothing new since %s)", texts.Date(ctx, a.Newest, now))
	}
	return s
}

func dueText(ctx context.Context, due, now time.Time) string {
	if !due.After(now) {
		return texts.T(ctx, "starting now")
	}
	return texts.Next(ctx, due, now)
}

// absence says that there is no such handle, and what else is known of that.
func absence(ctx context.Context, a Account) string {
	s := texts.T(ctx, "handle not found")
	if a.Message != "" && a.Message != "no such handle" {
		s += ": " + a.Message
	}
	return s
}

// trouble says what went wrong in the last attempt.
func trouble(ctx context.Context, a Account, now time.Time) string {
	if a.Outcome == "not_found" {
		return texts.T(ctx, "%s; checking once more", absence(ctx, a))
	}
	since, long := a.FailingSince, true
	if since.IsZero() {
		since, long = a.LastAttempt, false
	}
	words, known := parts.Troubles[a.Outcome]
	if !known {
		words = parts.Troubles["unreachable"]
	}
	s := texts.T(ctx, "%s at %s", texts.Say(ctx, words.Once), texts.Moment(ctx, since, now))
	if long {
		s = texts.T(ctx, "%s since %s", texts.Say(ctx, words.Since), texts.Moment(ctx, since, now))
	}
	if a.Message != "" {
		s += " (" + a.Message + ")"
	}
	return s
}

func newText(ctx context.Context, n int) string {
	if n == 0 {
		return texts.T(ctx, "nothing new")
	}
	return texts.T(ctx, "%d new", n)
}

func buttonText(ctx context.Context, c AccountsCard) string {
	if c.Own {
		return texts.T(ctx, "Retrieve my submissions")
	}
	return texts.T(ctx, "Retrieve submissions")
}

// progress is the line at the button: how far a running request is, or when
// the last one was and when the next may be made.
func progress(ctx context.Context, c AccountsCard) string {
	switch {
	case c.Running:
		return texts.T(ctx, "Started %s · %s", c.Asked.In(c.Now.Location()).Format("15:04:05"), doneText(ctx, c.Accounts))
	case c.Asked.IsZero():
		return ""
	case c.Manage && c.Again.After(c.Now):
		return texts.T(ctx, "Requested %s; available again at %s", texts.Ago(ctx, c.Asked, c.Now), texts.Moment(ctx, c.Again, c.Now))
	}
	return texts.T(ctx, "Last requested %s", texts.Ago(ctx, c.Asked, c.Now))
}

func doneText(ctx context.Context, accounts []Account) string {
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
	return texts.N(ctx, asked, "%[2]d of %[1]d site checked, %[3]d new", "%[2]d of %[1]d sites checked, %[3]d new", done, fresh)
}
