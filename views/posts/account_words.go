package posts

import (
	"strconv"
	"time"

	"laurel/views/parts"
)

func (a Account) removePath(member string) string {
	return parts.MemberPostsPath(member) + "/accounts/" + strconv.FormatInt(a.ID, 10) + "/remove"
}

func (a Account) name() string { return "@" + parts.Glue(a.Handle, "@", a.Host) }

func (a Account) mood() string {
	switch {
	case a.State == "invalid":
		return parts.Bad
	case a.State != "active", a.Looked.IsZero(), a.LastError != "":
		return parts.Wait
	}
	return parts.Good
}

// status says when an account was looked at, and what went wrong.
func (a Account) status(now time.Time) string {
	looked := ""
	if !a.Looked.IsZero() {
		looked = "checked " + parts.Ago(a.Looked, now)
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
		return parts.Join("paused", looked)
	case a.LastError != "":
		return parts.Join("last check failed: "+a.LastError, looked, next)
	case looked == "":
		return "first check starting"
	}
	return parts.Join(looked, next)
}
