package retrieval

import (
	"fmt"
	"strings"
	"time"

	"laurel/views/parts"
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
func siteState(s SiteHealth, now time.Time) string {
	switch {
	case !s.PausedAt.IsZero():
		return pausedText(s, now)
	case s.Broken:
		return brokenText(s, now)
	case !s.FailingSince.IsZero():
		words, known := parts.Troubles[s.Outcome]
		if !known {
			words = parts.Troubles["unreachable"]
		}
		text := words.Since + " since " + parts.Moment(s.FailingSince, now)
		if s.Why != "" {
			text += " (" + s.Why + ")"
		}
		return text
	case s.Outside && s.LastSuccess.IsZero():
		return "nothing brought yet"
	case s.Outside:
		return "brought by members"
	case s.LastSuccess.IsZero() && s.Accounts == 0:
		return "no handles yet"
	case s.LastSuccess.IsZero():
		return "not checked yet"
	}
	return "up"
}

func pausedText(s SiteHealth, now time.Time) string {
	text := "paused since " + parts.Exact(s.PausedAt, now)
	if s.PausedReason != "" {
		text += " (" + s.PausedReason + ")"
	}
	return text
}

func brokenText(s SiteHealth, now time.Time) string {
	words, known := parts.Troubles[s.Outcome]
	if !known {
		words = parts.Troubles["parse_error"]
	}
	text := words.Since + " since " + parts.Exact(s.OpenedAt, now)
	if s.Why != "" {
		text += " (" + s.Why + ")"
	}
	if s.NextTry.After(now) {
		return text + "; next try " + parts.Next(s.NextTry, now)
	}
	return text + "; trying now"
}

func successText(s SiteHealth, now time.Time) string {
	if s.LastSuccess.IsZero() {
		return "never"
	}
	return parts.Moment(s.LastSuccess, now)
}

func queueText(s SiteHealth, now time.Time) string {
	if s.Outside {
		return "–"
	}
	if s.Queue == 0 {
		return "empty"
	}
	return parts.Number(s.Queue) + ", oldest due " + parts.Moment(s.OldestDue, now)
}

// HealthLine is the footer's line about the sites: "all sites answer" or which
// do not, and since when.
func HealthLine(sites []SiteHealth, now time.Time) string {
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
		return "All sites up"
	case len(failing) == 1 && len(sites) > 1:
		return strings.TrimSuffix(troubleLine(failing[0], now), ".")
	}
	said := make([]string, len(failing))
	for i, s := range failing {
		said[i] = s.Title + " since " + parts.Exact(s.since(), now)
	}
	if len(failing) == len(sites) {
		return "No site is answering: " + strings.Join(said, ", ")
	}
	return "Not answering: " + strings.Join(said, ", ")
}

// StripLine is the line on top of every page while sites are not asked: one says
// until when all is known, several are counted.
func StripLine(held []SiteHealth, now time.Time) string {
	switch len(held) {
	case 0:
		return ""
	case 1:
		return troubleLine(held[0], now)
	}
	titles := make([]string, len(held))
	for i, s := range held {
		titles[i] = s.Title
	}
	return parts.Number(len(held)) + " sites are not answering: " + strings.Join(titles, ", ") + "."
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
func troubleLine(s SiteHealth, now time.Time) string {
	at := parts.Exact(s.since(), now)
	if now.Location() == time.UTC {
		at += " UTC"
	}
	switch {
	case !s.PausedAt.IsZero() && s.PausedReason != "":
		return s.Title + " has been paused since " + at + " (" + s.PausedReason + "). Newer submissions appear once it is resumed."
	case !s.PausedAt.IsZero():
		return s.Title + " has been paused since " + at + ". Newer submissions appear once it is resumed."
	case s.AnsweredAt.IsZero() && s.LastSuccess.IsZero():
		return s.Title + " has not answered since " + at + "."
	}
	return s.Title + " has not answered since " + at + ". Newer submissions appear once it is back."
}

// alarmTimes says since when an alarm lasts, or that it has ended.
func alarmTimes(a Alarm, now time.Time) string {
	if !a.Closed.IsZero() {
		return "From " + parts.Exact(a.Opened, now) + " to " + parts.Exact(a.Closed, now) + "."
	}
	text := "Since " + parts.Exact(a.Opened, now)
	if a.Times > 1 {
		text += ", seen " + parts.Times(a.Times) + ", last " + parts.Exact(a.Last, now)
	}
	return text + "."
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
func canaryState(c Canary) string {
	text := "could not be read"
	switch {
	case c.Checked.IsZero():
		return "not checked yet"
	case c.AsKnown:
		return "as expected"
	case c.Outcome == "not_found":
		text = "handle not found"
	case c.Outcome == "parse_error":
		text = "not as expected"
	}
	if c.Why != "" {
		text += ": " + c.Why
	}
	return text
}

func canaryRead(c Canary, now time.Time) string {
	if c.Checked.IsZero() {
		return "never"
	}
	return parts.Moment(c.Checked, now)
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
