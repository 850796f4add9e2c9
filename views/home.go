package views

import "time"

func lastText(m MemberRow, now time.Time) string {
	if m.Newest.IsZero() {
		return "none yet"
	}
	return moment(m.Newest, now)
}

func streakDays(m MemberRow) string {
	if m.DayStreak == 0 {
		return "-"
	}
	return count(m.DayStreak, "day")
}

func memberMood(m MemberRow) string {
	switch {
	case m.Invalid > 0:
		return bad
	case m.Running, m.Failing > 0, m.Unread > 0, m.Accounts == 0:
		return wait
	}
	return good
}

// memberFreshness says when a member's accounts were last checked, and what is wrong with them.
func memberFreshness(m MemberRow, now time.Time) string {
	checked := ""
	if !m.CompleteUntil.IsZero() {
		checked = ago(m.CompleteUntil, now)
	}
	switch {
	case m.Accounts == 0:
		return "no handles yet"
	case m.Running:
		return "checking now"
	case m.Invalid == m.Accounts:
		return "handle not found"
	case m.Failing > 0:
		return join(checked, count(m.Failing, "site")+" not answering")
	case m.Unread > 0:
		return join(checked, "loading "+count(m.Unread, "site"))
	case m.Invalid > 0:
		return join(checked, count(m.Invalid, "handle")+" not found")
	}
	return checked
}
