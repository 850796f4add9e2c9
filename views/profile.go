package views

import "strings"

// whoLine is what stands under a member's name.
func whoLine(p Profile) string {
	parts := []string{"@" + p.Name, p.Zone}
	if p.Custom {
		follower := p.FollowedBy
		if follower == "" {
			follower = "an admin"
		}
		parts = append(parts, "a custom member, followed by "+follower)
	}
	return strings.Join(parts, " · ")
}

func streakText(s Stats) string {
	text := "streak, best " + number(s.BestDayStreak)
	switch {
	case s.TodayCounts:
		text += " · today counts"
	case s.DayStreak > 0:
		text += " · today is still open"
	}
	return text
}

func updatedText(p Profile) string {
	if p.Stats.Updated.IsZero() {
		return "Never read to the end yet: more may be missing."
	}
	return "Last updated " + moment(p.Stats.Updated, p.Now) + ", times as in " + p.Now.Location().String() + "."
}

func emptyTitle(c AccountsCard) string {
	switch {
	case len(c.Accounts) == 0:
		return "Nothing to show yet"
	case allInvalid(c.Accounts):
		return "No such handles"
	case anyComplete(c.Accounts):
		return "No submissions"
	case allFailed(c.Accounts):
		return "Nothing could be read yet"
	}
	return "The first submissions are on their way"
}

// emptyText says why there is nothing to see, and what to do.
func emptyText(p Profile) string {
	c := p.Accounts
	switch {
	case len(c.Accounts) == 0 && c.Manage:
		return "With a handle on a judge site, this page fills itself: a year of days, streaks, ratings, every submission."
	case len(c.Accounts) == 0:
		return "As soon as " + p.DisplayName + " has a handle on a judge site here, this page fills itself."
	case allInvalid(c.Accounts) && c.Manage:
		return "The sites know none of these handles. Correct them, and the submissions follow."
	case allInvalid(c.Accounts):
		return "The sites know none of the handles of " + p.DisplayName + "."
	case anyComplete(c.Accounts):
		return "The sites have answered: there is no submission under these handles yet."
	case allFailed(c.Accounts):
		return "The accounts card says why, and when the next try is. Laurel keeps trying; nothing is lost meanwhile."
	}
	return "This takes seconds when the sites answer. The accounts card says how far it is."
}

func allInvalid(accounts []Account) bool {
	for _, a := range accounts {
		if a.State != "invalid" {
			return false
		}
	}
	return true
}

// allFailed says whether no account was ever read, and none is being read now.
func allFailed(accounts []Account) bool {
	for _, a := range accounts {
		if a.State == "paused" || a.State == "invalid" {
			continue
		}
		if !failed(a) || a.Phase == "running" || a.Phase == "waiting" {
			return false
		}
	}
	return true
}

func anyComplete(accounts []Account) bool {
	for _, a := range accounts {
		if !a.CompleteUntil.IsZero() {
			return true
		}
	}
	return false
}
