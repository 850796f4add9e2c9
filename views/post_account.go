package views

import (
	"strconv"
	"time"
)

func (a PostAccount) removePath(member string) string {
	return memberPostsPath(member) + "/accounts/" + strconv.FormatInt(a.ID, 10) + "/remove"
}

func (a PostAccount) name() string { return "@" + glue(a.Handle, "@", a.Host) }

func (a PostAccount) mood() string {
	switch {
	case a.State == "invalid":
		return bad
	case a.State != "active", a.Looked.IsZero(), a.LastError != "":
		return wait
	}
	return good
}

// status says when an account was looked at, and what went wrong.
func (a PostAccount) status(now time.Time) string {
	looked := ""
	if !a.Looked.IsZero() {
		looked = "looked at " + ago(a.Looked, now)
	}
	next := ""
	switch {
	case a.Next.IsZero():
	case a.Next.After(now):
		next = "next look " + soon(a.Next, now)
	default:
		next = "a look is due now"
	}
	switch {
	case a.State == "invalid":
		return "its network knows no such account; remove it, and link the right one"
	case a.State == "paused":
		return join("paused", looked)
	case a.LastError != "":
		return join("the last try failed: "+a.LastError, looked, next)
	case looked == "":
		return "the first look is on its way"
	}
	return join(looked, next)
}
