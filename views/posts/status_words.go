package posts

import (
	"strings"
	"time"

	"laurel/views/parts"
)

// lasting is a length of time as people say it: "18 minutes", "7 days".
func lasting(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return parts.Plural(int(d/time.Second), "second")
	case d < 2*time.Hour && d%time.Hour != 0 || d < time.Hour:
		return parts.Plural(int(d.Round(time.Minute)/time.Minute), "minute")
	case d < 24*time.Hour:
		return parts.Plural(int(d.Round(time.Hour)/time.Hour), "hour")
	}
	return parts.Plural(int(d.Round(24*time.Hour)/(24*time.Hour)), "day")
}

// each is lasting behind "every": "day", "3 minutes".
func each(d time.Duration) string { return strings.TrimPrefix(lasting(d), "1 ") }

// rhythm says how often a post of its age is checked.
func (p Post) rhythm() string {
	if p.Tier.Every == 0 {
		return "too old to be checked"
	}
	return "checked every " + each(p.Tier.Every)
}

// status is a post's state in a sentence: why it is so, and what comes.
func (p Post) status(now time.Time) string {
	switch p.State {
	case "finished":
		if p.Repost && p.Seen.IsZero() {
			return "Repost: the original is tracked instead."
		}
		return "Finished: the post is old and its numbers are final."
	case "gone":
		return parts.Join("Deleted or hidden since "+parts.Exact(p.MissingSince, now)+"; showing the last known numbers", p.again(now)) +
			"."
	case "protected":
		return parts.Join("Protected: not visible to Laurel; showing the last known numbers", p.again(now)) + "."
	case "invalid":
		return "Not found: no such post" + why(p.LastError) + "."
	case "paused":
		return "Paused."
	}
	switch {
	case p.Missing > 0:
		return parts.Join("Not found "+parts.Times(p.Missing)+" since "+parts.Exact(p.MissingSince, now)+
			"; after three times in a day it is marked as deleted", p.again(now)) + "."
	case p.Attempts > 0:
		return parts.Join("The last check failed"+why(p.LastError), p.again(now)) + "."
	case p.Seen.IsZero():
		return "The first check is starting."
	}
	return parts.Join("Tracking, "+p.rhythm(), p.again(now)) + "."
}

func why(message string) string {
	if message == "" {
		return ""
	}
	return " (" + message + ")"
}

// again says when the next check is.
func (p Post) again(now time.Time) string {
	switch {
	case p.Next.IsZero():
		return ""
	case p.Due:
		return "checking now"
	}
	return "next check " + soon(p.Next, now)
}

// soon names a moment to come with its time of day.
func soon(t, now time.Time) string {
	if d := parts.DayDiff(t, now); d > 1 {
		return parts.Date(t.In(now.Location()), now) + t.In(now.Location()).Format(" 15:04")
	}
	return parts.Moment(t, now)
}

// short is the end of a post's line in a list.
func (p Post) short(now time.Time) string {
	switch {
	case p.State == "gone", p.State == "protected", p.Missing > 0:
		return "since " + parts.Moment(p.MissingSince, now)
	case p.State != "active" && p.State != "":
		return ""
	case p.Attempts > 0:
		return parts.Join("last check failed", p.again(now))
	}
	return p.again(now)
}

// refreshWords is the line at the button.
func (p One) refreshWords() string {
	switch now := p.Now; {
	case p.Nobody:
		return "Waiting for a credential"
	case p.Post.Due && !p.Post.Requested.IsZero() && p.Post.Requested.After(p.Post.Fetched):
		return "Requested " + p.Post.Requested.In(now.Location()).Format("15:04:05") + " · starting within seconds"
	case p.Post.Due:
		return "Checking within seconds"
	case p.Again.After(now):
		return "Refreshed " + parts.Ago(p.Post.Requested, now) + "; again from " + p.Again.In(now.Location()).Format("15:04:05")
	}
	return ""
}
