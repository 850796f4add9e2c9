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
	case a.State != "active", a.Fetched.IsZero(), a.LastError != "":
		return parts.Wait
	}
	return parts.Good
}

// status says when an account was checked, and what went wrong.
func (a Account) status(now time.Time) string {
	checked := ""
	if !a.Fetched.IsZero() {
		checked = "checked " + parts.Ago(a.Fetched, now)
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
		return parts.Join("paused", checked)
	case a.LastError != "":
		return parts.Join("last check failed: "+a.LastError, checked, next)
	case checked == "":
		return "first check starting"
	}
	return parts.Join(checked, next)
}
