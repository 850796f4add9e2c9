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
		looked = "checked " + ago(a.Looked, now)
	}
	next := ""
	switch {
	case a.Next.IsZero():
	case a.Next.After(now):
		next = "next check " + soon(a.Next, now)
	default:
		next = "checking soon"
	}
	switch {
	case a.State == "invalid":
		return "account not found; remove it and link the right one"
	case a.State == "paused":
		return join("paused", looked)
	case a.LastError != "":
		return join("last check failed: "+a.LastError, looked, next)
	case looked == "":
		return "first check starting"
	}
	return join(looked, next)
}
