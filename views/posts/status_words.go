package posts

import (
	"context"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

// lasting is a length of time as people say it: "18 minutes", "7 days".
func lasting(ctx context.Context, d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return texts.N(ctx, int(d/time.Second), "%d second", "%d seconds")
	case d < 2*time.Hour && d%time.Hour != 0 || d < time.Hour:
		return texts.N(ctx, int(d.Round(time.Minute)/time.Minute), "%d minute", "%d minutes")
	case d < 24*time.Hour:
		return texts.N(ctx, int(d.Round(time.Hour)/time.Hour), "%d hour", "%d hours")
	}
	return texts.N(ctx, int(d.Round(24*time.Hour)/(24*time.Hour)), "%d day", "%d days")
}

// each is English, for pages of admins: what stands behind "every": "day", "3 minutes".
func each(d time.Duration) string { return strings.TrimPrefix(lasting(parts.English, d), "1 ") }

// rhythm says how often a post of its age is checked.
func (p Post) rhythm(ctx context.Context) string {
	switch every := p.Tier.Every; {
	case every == 0:
		return texts.T(ctx, "Tracking, too old to be checked")
	case every < time.Hour:
		return texts.N(ctx, int(every.Round(time.Minute)/time.Minute),
			"Tracking, checked every minute", "Tracking, checked every %d minutes")
	case every < 24*time.Hour:
		return texts.N(ctx, int(every.Round(time.Hour)/time.Hour),
			"Tracking, checked every hour", "Tracking, checked every %d hours")
	default:
		return texts.N(ctx, int(every.Round(24*time.Hour)/(24*time.Hour)),
			"Tracking, checked every day", "Tracking, checked every %d days")
	}
}

// status is a post's state in a sentence: why it is so, and what comes.
func (p Post) status(ctx context.Context, now time.Time) string {
	switch p.State {
	case "finished":
		if p.Repost && p.Seen.IsZero() {
			return texts.T(ctx, "Repost: the original is tracked instead.")
		}
		return texts.T(ctx, "Finished: the post is old and its numbers are final.")
	case "gone":
		return parts.Join(texts.T(ctx, "Deleted or hidden since %s; showing the last known numbers", texts.Exact(ctx, p.MissingSince, now)),
			p.again(ctx, now)) + "."
	case "protected":
		return parts.Join(texts.T(ctx, "Protected: not visible to Laurel; showing the last known numbers"), p.again(ctx, now)) + "."
	case "invalid":
		return texts.T(ctx, "Not found: no such post") + why(p.LastError) + "."
	case "paused":
		return texts.T(ctx, "Paused.")
	}
	switch {
	case p.Missing > 0:
		return parts.Join(texts.T(ctx, "Not found %s since %s; after three times in a day it is marked as deleted",
			texts.Times(ctx, p.Missing), texts.Exact(ctx, p.MissingSince, now)), p.again(ctx, now)) + "."
	case p.Attempts > 0:
		return parts.Join(texts.T(ctx, "The last check failed")+why(p.LastError), p.again(ctx, now)) + "."
	case p.Seen.IsZero():
		return texts.T(ctx, "The first check is starting.")
	}
	return parts.Join(p.rhythm(ctx), p.again(ctx, now)) + "."
}

func why(message string) string {
	if message == "" {
		return ""
	}
	return " (" + message + ")"
}

// again says when the next check is.
func (p Post) again(ctx context.Context, now time.Time) string {
	switch {
	case p.Next.IsZero():
		return ""
	case p.Due:
		return texts.T(ctx, "checking now")
	}
	return texts.T(ctx, "next check %s", soon(ctx, p.Next, now))
}

// soon names a moment to come with its time of day.
func soon(ctx context.Context, t, now time.Time) string {
	if d := parts.DayDiff(t, now); d > 1 {
		return texts.Date(ctx, t.In(now.Location()), now) + t.In(now.Location()).Format(" 15:04")
	}
	return texts.Moment(ctx, t, now)
}

// short is the end of a post's line in a list.
func (p Post) short(ctx context.Context, now time.Time) string {
	switch {
	case p.State == "gone", p.State == "protected", p.Missing > 0:
		return texts.T(ctx, "since %s", texts.Moment(ctx, p.MissingSince, now))
	case p.State != "active" && p.State != "":
		return ""
	case p.Attempts > 0:
		return parts.Join(texts.T(ctx, "last check failed"), p.again(ctx, now))
	}
	return p.again(ctx, now)
}

// refreshWords is the line at the button.
func (p One) refreshWords(ctx context.Context) string {
	switch now := p.Now; {
	case p.Nobody:
		return texts.T(ctx, "Waiting for an admin to connect the network")
	case p.Post.Due && !p.Post.Requested.IsZero() && p.Post.Requested.After(p.Post.Fetched):
		return texts.T(ctx, "Requested at %s; starting within seconds", p.Post.Requested.In(now.Location()).Format("15:04:05"))
	case p.Post.Due:
		return texts.T(ctx, "Checking within seconds")
	case p.Again.After(now):
		return texts.T(ctx, "Refreshed %s; again from %s", texts.Ago(ctx, p.Post.Requested, now),
			p.Again.In(now.Location()).Format("15:04:05"))
	}
	return ""
}
