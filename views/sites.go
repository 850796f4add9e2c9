package views

import (
	"strings"
	"time"
)

func siteMood(s SiteHealth) string {
	switch {
	case !s.FailingSince.IsZero():
		return bad
	case s.LastSuccess.IsZero():
		return wait
	}
	return good
}

// siteState says whether a site answers, and if not, since when and why.
func siteState(s SiteHealth, now time.Time) string {
	switch {
	case !s.FailingSince.IsZero():
		words, known := troubles[s.Outcome]
		if !known {
			words = troubles["unreachable"]
		}
		text := strings.TrimPrefix(words.since, "site ") + " since " + moment(s.FailingSince, now)
		if s.Why != "" {
			text += " (" + s.Why + ")"
		}
		return text
	case s.LastSuccess.IsZero() && s.Accounts == 0:
		return "nobody has a handle there yet"
	case s.LastSuccess.IsZero():
		return "not asked yet"
	}
	return "answers"
}

func successText(s SiteHealth, now time.Time) string {
	if s.LastSuccess.IsZero() {
		return "never"
	}
	return moment(s.LastSuccess, now)
}

func queueText(s SiteHealth, now time.Time) string {
	if s.Queue == 0 {
		return "empty"
	}
	return number(s.Queue) + ", oldest since " + moment(s.OldestDue, now)
}

// HealthLine is the footer's line about the sites: "all sites answer" or which
// do not, and since when.
func HealthLine(sites []SiteHealth, now time.Time) string {
	var failing []string
	for _, s := range sites {
		if !s.FailingSince.IsZero() {
			failing = append(failing, s.Title+" since "+moment(s.FailingSince, now))
		}
	}
	switch {
	case len(sites) == 0:
		return ""
	case len(failing) == 0:
		return "all sites answer"
	case len(failing) == len(sites):
		return "no site answers: " + strings.Join(failing, ", ")
	}
	return "not answering: " + strings.Join(failing, ", ")
}
