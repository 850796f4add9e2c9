package retrieval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"laurel/views/parts"
	"laurel/views/texts"
)

func siteMood(s SiteHealth) string {
	switch {
	case s.held():
		return parts.Wait
	case !s.FailingSince.IsZero():
		return parts.Bad
	case s.LastSuccess.IsZero():
		return parts.Wait
	}
	return parts.Good
}

// siteState says whether a site answers, and if not, since when and why.
func siteState(ctx context.Context, s SiteHealth, now time.Time) string {
	switch {
	case !s.PausedAt.IsZero():
		return pausedText(ctx, s, now)
	case s.Broken:
		return brokenText(ctx, s, now)
	case !s.FailingSince.IsZero():
		words, known := parts.Troubles[s.Outcome]
		if !known {
			words = parts.Troubles["unreachable"]
		}
		text := texts.T(ctx, "%s since %s", texts.Say(ctx, words.Since), texts.Moment(ctx, s.FailingSince, now))
		if s.Why != "" {
			text += " (" + s.Why + ")"
		}
		return text
	case s.Outside && s.LastSuccess.IsZero():
		return texts.T(ctx, "nothing brought yet")
	case s.Outside:
		return texts.T(ctx, "brought by members")
	case s.LastSuccess.IsZero() && s.Accounts == 0:
		return texts.T(ctx, "no handles yet")
	case s.LastSuccess.IsZero():
		return texts.T(ctx, "not checked yet")
	}
	return texts.T(ctx, "up")
}

func pausedText(ctx context.Context, s SiteHealth, now time.Time) string {
	text := texts.T(ctx, "paused since %s", texts.Exact(ctx, s.PausedAt, now))
	if s.PausedReason != "" {
		text += " (" + s.PausedReason + ")"
	}
	return text
}

func brokenText(ctx context.Context, s SiteHealth, now time.Time) string {
	words, known := parts.Troubles[s.Outcome]
	if !known {
		words = parts.Troubles["parse_error"]
	}
	text := texts.T(ctx, "%s since %s", texts.Say(ctx, words.Since), texts.Exact(ctx, s.OpenedAt, now))
	if s.Why != "" {
		text += " (" + s.Why + ")"
	}
	if s.NextTry.After(now) {
		return text + "; " + texts.T(ctx, "next try %s", texts.Next(ctx, s.NextTry, now))
	}
	return text + "; " + texts.T(ctx, "trying now")
}

func successText(ctx context.Context, s SiteHealth, now time.Time) string {
	if s.LastSuccess.IsZero() {
		return texts.T(ctx, "never")
	}
	return texts.Moment(ctx, s.LastSuccess, now)
}

func queueText(ctx context.Context, s SiteHealth, now time.Time) string {
	if s.Outside {
		return "–"
	}
	if s.Queue == 0 {
		return texts.T(ctx, "empty")
	}
	return texts.T(ctx, "%d, oldest due %s", s.Queue, texts.Moment(ctx, s.OldestDue, now))
}

// HealthLine is the footer's line about the sites: "all sites answer" or which
// do not, and since when.
func HealthLine(ctx context.Context, sites []SiteHealth, now time.Time) string {
	var failing []SiteHealth
	for _, s := range sites {
		if s.held() || !s.FailingSince.IsZero() {
			failing = append(failing, s)
		}
	}
	switch {
	case len(sites) == 0:
		return ""
	case len(failing) == 0:
		return texts.T(ctx, "All sites up")
	case len(failing) == 1 && len(sites) > 1:
		return strings.TrimSuffix(troubleLine(ctx, failing[0], now), ".")
	}
	said := make([]string, len(failing))
	for i, s := range failing {
		said[i] = texts.T(ctx, "%s since %s", s.Title, texts.Exact(ctx, s.since(), now))
	}
	if len(failing) == len(sites) {
		return texts.T(ctx, "No site is answering: %s", strings.Join(said, ", "))
	}
	return texts.T(ctx, "Not answering: %s", strings.Join(said, ", "))
}

// StripLine is the line on top of every page while sites are not asked: one says
// until when all is known, several are counted.
func StripLine(ctx context.Context, held []SiteHealth, now time.Time) string {
	switch len(held) {
	case 0:
		return ""
	case 1:
		return troubleLine(ctx, held[0], now)
	}
	titles := make([]string, len(held))
	for i, s := range held {
		titles[i] = s.Title
	}
	return texts.T(ctx, "%d sites are not answering: %s.", len(held), strings.Join(titles, ", "))
}

// held says that nobody is asked for.
func (s *SiteHealth) held() bool { return s.Broken || !s.PausedAt.IsZero() }

// since is the last moment at which all was known.
func (s *SiteHealth) since() time.Time {
	for _, t := range []time.Time{s.AnsweredAt, s.PausedAt, s.FailingSince, s.OpenedAt} {
		if !t.IsZero() {
			return t
		}
	}
	return s.LastSuccess
}

// troubleLine is one site's trouble in calm words.
func troubleLine(ctx context.Context, s SiteHealth, now time.Time) string {
	at := texts.Exact(ctx, s.since(), now)
	if now.Location() == time.UTC {
		at += " UTC"
	}
	switch {
	case !s.PausedAt.IsZero() && s.PausedReason != "":
		return texts.T(ctx, "%s has been paused since %s (%s). Newer submissions appear once it is resumed.", s.Title, at, s.PausedReason)
	case !s.PausedAt.IsZero():
		return texts.T(ctx, "%s has been paused since %s. Newer submissions appear once it is resumed.", s.Title, at)
	case s.AnsweredAt.IsZero() && s.LastSuccess.IsZero():
		return texts.T(ctx, "%s has not answered since %s.", s.Title, at)
	}
	return texts.T(ctx, "%s has not answered since %s. Newer submissions appear once it is back.", s.Title, at)
}

// alarmTimes says since when an alarm lasts, or that it has ended.
func alarmTimes(ctx context.Context, a Alarm, now time.Time) string {
	if !a.Closed.IsZero() {
		return texts.T(ctx, "From %s to %s.", texts.Exact(ctx, a.Opened, now), texts.Exact(ctx, a.Closed, now))
	}
	since := texts.Exact(ctx, a.Opened, now)
	if a.Times > 1 {
		return texts.T(ctx, "Since %s, seen %s, last %s.", since, texts.Times(ctx, a.Times), texts.Exact(ctx, a.Last, now))
	}
	return texts.T(ctx, "Since %s.", since)
}

// wordText is a word that may be empty.
func wordText(w Term) string {
	if w.Term == "" {
		return "(empty)"
	}
	return w.Term
}

func canaryMood(c Canary) string {
	switch {
	case c.Checked.IsZero():
		return parts.Wait
	case c.AsKnown:
		return parts.Good
	}
	return parts.Bad
}

// canaryState says whether a history is as known; admins read what is not.
func canaryState(ctx context.Context, c Canary) string {
	text := texts.T(ctx, "could not be read")
	switch {
	case c.Checked.IsZero():
		return texts.T(ctx, "not checked yet")
	case c.AsKnown:
		return texts.T(ctx, "as expected")
	case c.Outcome == "not_found":
		text = texts.T(ctx, "handle not found")
	case c.Outcome == "parse_error":
		text = texts.T(ctx, "not as expected")
	}
	if c.Why != "" {
		text += ": " + c.Why
	}
	return text
}

func canaryRead(ctx context.Context, c Canary, now time.Time) string {
	if c.Checked.IsZero() {
		return texts.T(ctx, "never")
	}
	return texts.Moment(ctx, c.Checked, now)
}

// megabytes writes a size of a database: "0.4 MB", "1,234 MB".
func megabytes(bytes int64) string {
	if bytes < 10<<20 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	}
	return parts.Number(int(bytes>>20)) + " MB"
}

// unreadCounts says how many unread rows each site has.
func unreadCounts(rows []Unread) string {
	var counts []string
	for i, u := range rows {
		if i == 0 || rows[i-1].Title != u.Title {
			counts = append(counts, u.Title+": "+parts.Plural(u.Of, "row"))
		}
	}
	return parts.Join(counts...)
}

// unreadRow names a row where its number is known.
func unreadRow(u Unread) string {
	if u.Row == "" {
		return ""
	}
	return ", submission " + u.Row
}
