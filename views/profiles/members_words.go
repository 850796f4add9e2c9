package profiles

import (
	"context"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

func lastText(ctx context.Context, m MemberRow, now time.Time) string {
	if m.Newest.IsZero() {
		return texts.T(ctx, "none yet")
	}
	return texts.Moment(ctx, m.Newest, now)
}

func streakDays(ctx context.Context, m MemberRow) string {
	if m.DayStreak == 0 {
		return "-"
	}
	return texts.N(ctx, m.DayStreak, "%d day", "%d days")
}

func memberMood(m MemberRow) string {
	switch {
	case m.Invalid > 0:
		return parts.Bad
	case m.Running, m.Failing > 0, m.Unread > 0, m.Incomplete > 0, m.Accounts == 0:
		return parts.Wait
	}
	return parts.Good
}

// memberFreshness says when a member's accounts were last checked, and what is wrong with them.
func memberFreshness(ctx context.Context, m MemberRow, now time.Time) string {
	checked := ""
	if !m.CompleteUntil.IsZero() {
		checked = texts.Ago(ctx, m.CompleteUntil, now)
	}
	switch {
	case m.Accounts == 0:
		return texts.T(ctx, "no handles yet")
	case m.Running:
		return texts.T(ctx, "checking now")
	case m.Invalid == m.Accounts:
		return texts.T(ctx, "handle not found")
	case m.Failing > 0:
		return parts.Join(checked, texts.N(ctx, m.Failing, "%d site not answering", "%d sites not answering"))
	case m.Unread > 0:
		return parts.Join(checked, texts.N(ctx, m.Unread, "loading %d site", "loading %d sites"))
	case m.Invalid > 0:
		return parts.Join(checked, texts.N(ctx, m.Invalid, "%d handle not found", "%d handles not found"))
	case m.Incomplete > 0:
		return parts.Join(checked, texts.N(ctx, m.Incomplete, "%d site incomplete", "%d sites incomplete"))
	}
	return checked
}
