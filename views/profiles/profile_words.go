package profiles

import (
	"strings"

	"laurel/views/charts"
	"laurel/views/parts"
)

// whoLine is what is under a member's name.
func whoLine(p Profile) string {
	words := []string{"@" + p.Name}
	for _, w := range []string{p.Organisation, p.Country} {
		if w != "" {
			words = append(words, w)
		}
	}
	switch {
	case p.Custom && p.FollowedBy == "":
		words = append(words, "no account here")
	case p.Custom:
		words = append(words, "no account here, followed by "+p.FollowedBy)
	case !p.Joined.IsZero():
		words = append(words, "joined "+p.Joined.Format("January 2006"))
	}
	return strings.Join(words, " · ")
}

// SeenBy says who sees a profile of an audience (0 is everybody); own is the member's own. It is for
// those who can change it.
func SeenBy(audience int, own bool) string {
	switch {
	case audience == 2 && own:
		return "Only you and admins see this page."
	case audience == 2:
		return "Only this member and admins see this page."
	case audience == 1:
		return "Only people who are signed in see this page."
	}
	return ""
}

// tabs are the tabs of a profile with what is behind them.
func (p Profile) tabs() parts.ProfileTabs {
	return parts.ProfileTabs{Name: p.Name, Here: parts.TabOverview, Counts: map[string]int{
		parts.TabSubmissions: listed(p.Stats), parts.TabContests: contests(p), parts.TabAwards: p.Awards}}
}

// listed is how many submissions there are rows of.
func listed(s Stats) int { return s.Submissions - s.Undetailed }

func contests(p Profile) int {
	n := 0
	for _, c := range p.Ratings {
		n += len(c.Events)
	}
	return n
}

// multiples are the ratings as small pictures.
func multiples(p Profile) []charts.Multiple {
	list := make([]charts.Multiple, len(p.Ratings))
	for i, c := range p.Ratings {
		list[i] = charts.Multiple{Curve: c, Figure: figureName(c, p.Accounts.Accounts)}
	}
	return list
}

func shelfWords(p Profile) string {
	if p.Awards == 0 {
		return "All awards"
	}
	return "All " + parts.Number(p.Awards)
}

func solvedWords(s Stats) string {
	if s.UndetailedSolved == 0 {
		return "problems solved"
	}
	return "problems solved, " + parts.Number(s.UndetailedSolved) + " of them without details"
}

func acceptedWords(s Stats) string {
	text := "of " + parts.Plural(s.Submissions-s.Undetailed, "submission") + " accepted"
	if s.Undetailed > 0 {
		text += "; " + parts.Number(s.Undetailed) + " more without details"
	}
	return text
}

func streakText(s Stats) string {
	text := "current streak, best " + parts.Number(s.BestDayStreak)
	switch {
	case s.TodayCounts:
		text += " · today done"
	case s.DayStreak > 0:
		text += " · nothing today yet"
	}
	return text
}

func emptyTitle(c AccountsCard) string {
	switch {
	case len(c.Accounts) == 0:
		return "Nothing to show yet"
	case allInvalid(c.Accounts):
		return "Handles not found"
	case anyComplete(c.Accounts), allOutside(c.Accounts):
		return "No submissions"
	case allFailed(c.Accounts):
		return "The sites are not answering"
	}
	return "Loading your first submissions"
}

// emptyText says why there is nothing to see, and what to do.
func emptyText(p Profile) string {
	c := p.Accounts
	switch {
	case len(c.Accounts) == 0 && c.Manage:
		return "Add a handle to see your heatmap, streaks, ratings and every submission here."
	case len(c.Accounts) == 0:
		return p.DisplayName + " has not added a handle yet."
	case allInvalid(c.Accounts) && c.Manage:
		return "No site knows these handles. Correct them to load the submissions."
	case allInvalid(c.Accounts):
		return "No site knows the handles of " + p.DisplayName + "."
	case anyComplete(c.Accounts), allOutside(c.Accounts):
		return "No submissions under these handles yet."
	case allFailed(c.Accounts):
		return "Laurel tries again by itself; nothing is lost. See Accounts for details."
	}
	return "This usually takes a few seconds. See Accounts for the progress."
}

// allOutside says whether Laurel reads none of the sites.
func allOutside(accounts []Account) bool {
	for _, a := range accounts {
		if !a.Outside {
			return false
		}
	}
	return len(accounts) > 0
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

// PreviewWords is a profile in one sentence, for who shows a link to it.
func PreviewWords(p Profile) string {
	words := p.DisplayName + ": " + parts.Plural(p.Stats.Solved, "problem") + " solved"
	if p.Stats.DayStreak > 0 {
		words += ", a streak of " + parts.Plural(p.Stats.DayStreak, "day")
	}
	return words + "."
}
