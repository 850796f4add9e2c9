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

// memberFreshness says how far a member's row can be trusted.
func memberFreshness(m MemberRow, now time.Time) string {
	if m.Accounts == 0 {
		return "no handles yet"
	}
	known := ""
	if !m.CompleteUntil.IsZero() {
		known = "complete until " + moment(m.CompleteUntil, now)
		if m.Apart {
			known = "read until " + moment(m.CompleteUntil, now)
		}
	}
	switch {
	case m.Running:
		return join("being read now", known)
	case m.Invalid == m.Accounts:
		return "no such handle"
	case m.Failing > 0:
		return join(known, count(m.Failing, "site")+" in trouble")
	case m.Unread > 0:
		return join(known, "first retrieval is due on "+count(m.Unread, "site"))
	case m.Invalid > 0:
		return join(known, count(m.Invalid, "handle")+" unknown to its site")
	}
	return known
}
