package profiles

import (
	"context"
	"strings"

	"laurel/views/charts"
	"laurel/views/parts"
	"laurel/views/texts"
)

// whoLine is what is under a member's name.
func whoLine(ctx context.Context, p Profile) string {
	words := []string{"@" + p.Name}
	for _, w := range []string{p.Organisation, p.Country} {
		if w != "" {
			words = append(words, w)
		}
	}
	switch {
	case p.Custom && p.FollowedBy == "":
		words = append(words, texts.T(ctx, "no account here"))
	case p.Custom:
		words = append(words, texts.T(ctx, "no account here, followed by %s", p.FollowedBy))
	case !p.Joined.IsZero():
		words = append(words, texts.T(ctx, "joined %s", texts.Format(ctx, p.Joined, "January 2006")))
	}
	return strings.Join(words, " · ")
}

// SeenBy says who sees a profile of an audience (0 is everybody); own is the member's own. It is for
// those who can change it.
func SeenBy(ctx context.Context, audience int, own bool) string {
	switch {
	case audience == 2 && own:
		return texts.T(ctx, "Only you and admins see this page.")
	case audience == 2:
		return texts.T(ctx, "Only this member and admins see this page.")
	case audience == 1:
		return texts.T(ctx, "Only people who are signed in see this page.")
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

func shelfWords(ctx context.Context, p Profile) string {
	if p.Awards == 0 {
		return texts.T(ctx, "All awards")
	}
	return texts.T(ctx, "All %d", p.Awards)
}

func solvedWords(ctx context.Context, s Stats) string {
	if s.UndetailedSolved == 0 {
		return texts.T(ctx, "problems solved")
	}
	return texts.T(ctx, "problems solved, %d of them without details", s.UndetailedSolved)
}

func acceptedWords(ctx context.Context, s Stats) string {
	text := texts.N(ctx, s.Submissions-s.Undetailed, "of %d submission accepted", "of %d submissions accepted")
	if s.Undetailed > 0 {
		text += texts.T(ctx, "; %d more without details", s.Undetailed)
	}
	return text
}

func streakText(ctx context.Context, s Stats) string {
	text := texts.T(ctx, "current streak, best %d", s.BestDayStreak)
	switch {
	case s.TodayCounts:
		text += " " + texts.T(ctx, "· today done")
	case s.DayStreak > 0:
		text += " " + texts.T(ctx, "· nothing today yet")
	}
	return text
}

func emptyTitle(ctx context.Context, c AccountsCard) string {
	switch {
	case len(c.Accounts) == 0:
		return texts.T(ctx, "Nothing to show yet")
	case allInvalid(c.Accounts):
		return texts.T(ctx, "Handles not found")
	case anyComplete(c.Accounts), allOutside(c.Accounts):
		return texts.T(ctx, "No submissions")
	case allFailed(c.Accounts):
		return texts.T(ctx, "The sites are not answering")
	}
	return texts.T(ctx, "Loading your first submissions")
}

// emptyText says why there is nothing to see, and what to do.
func emptyText(ctx context.Context, p Profile) string {
	c := p.Accounts
	switch {
	case len(c.Accounts) == 0 && c.Manage:
		return texts.T(ctx, "Add a handle to see your heatmap, streaks, ratings and every submission here.")
	case len(c.Accounts) == 0:
		return texts.T(ctx, "%s has not added a handle yet.", p.DisplayName)
	case allInvalid(c.Accounts) && c.Manage:
		return texts.T(ctx, "No site knows these handles. Correct them to load the submissions.")
	case allInvalid(c.Accounts):
		return texts.T(ctx, "No site knows the handles of %s.", p.DisplayName)
	case anyComplete(c.Accounts), allOutside(c.Accounts):
		return texts.T(ctx, "No submissions under these handles yet.")
	case allFailed(c.Accounts):
		return texts.T(ctx, "Laurel tries again by itself; nothing is lost. See Accounts for details.")
	}
	return texts.T(ctx, "This usually takes a few seconds. See Accounts for the progress.")
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
func PreviewWords(ctx context.Context, p Profile) string {
	words := texts.N(ctx, p.Stats.Solved, "%[2]s: %[1]d problem solved", "%[2]s: %[1]d problems solved", p.DisplayName)
	if p.Stats.DayStreak > 0 {
		words += texts.N(ctx, p.Stats.DayStreak, ", a streak of %d day", ", a streak of %d days")
	}
	return words + "."
}
