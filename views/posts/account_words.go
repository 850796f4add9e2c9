package posts

import (
	"context"
	"strconv"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
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
func (a Account) status(ctx context.Context, now time.Time) string {
	checked := ""
	if !a.Fetched.IsZero() {
		checked = texts.T(ctx, "checked %s", texts.Ago(ctx, a.Fetched, now))
	}
	next := ""
	switch {
	case a.Next.IsZero():
	case a.Next.After(now):
		next = texts.T(ctx, "next check %s", soon(ctx, a.Next, now))
	default:
		next = texts.T(ctx, "checking soon")
	}
	switch {
	case a.State == "invalid":
		return texts.T(ctx, "account not found; remove it and link the right one")
	case a.State == "paused":
		return parts.Join(texts.T(ctx, "paused"), checked)
	case a.LastError != "":
		return parts.Join(texts.T(ctx, "last check failed")+why(a.LastError), checked, next)
	case checked == "":
		return texts.T(ctx, "first check starting")
	}
	return parts.Join(checked, next)
}
