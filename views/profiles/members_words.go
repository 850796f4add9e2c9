package profiles

import (
	"time"

	"laurel/views/parts"
)

func lastText(m MemberRow, now time.Time) string {
	if m.Newest.IsZero() {
		return "none yet"
	}
	return parts.Moment(m.Newest, now)
}

func streakDays(m MemberRow) string {
	if m.DayStreak == 0 {
		return "-"
	}
	return parts.Plural(m.DayStreak, "day")
}

func memberMood(m MemberRow) string {
	switch {
	case m.Invalid > 0:
		return parts.Bad
	case m.Running, m.Failing > 0, m.Unread > 0, m.Accounts == 0:
		return parts.Wait
	}
	return parts.Good
}

// memberFreshness says when a member's accounts were last checked, and what is wrong with them.
func memberFreshness(m MemberRow, now time.Time) string {
	checked := ""
	if !m.CompleteUntil.IsZero() {
		checked = parts.Ago(m.CompleteUntil, now)
	}
	switch {
	case m.Accounts == 0:
		return "no handles yet"
	case m.Running:
		return "checking now"
	case m.Invalid == m.Accounts:
		return "handle not found"
	case m.Failing > 0:
		return parts.Join(checked, parts.Plural(m.Failing, "site")+" not answering")
	case m.Unread > 0:
		return parts.Join(checked, "loading "+parts.Plural(m.Unread, "site"))
	case m.Invalid > 0:
		return parts.Join(checked, parts.Plural(m.Invalid, "handle")+" not found")
	}
	return checked
}
