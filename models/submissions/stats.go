package submissions

import "time"

// MemberStats are the member's sums. Streaks end with LastDay. The undetailed ones, which a site
// counts and does not list, are among Submissions and Solved.
type MemberStats struct {
	Submissions, Accepted, Solved int
	DayStreak, BestDayStreak      int
	AcStreak, BestAcStreak        int
	LastDay, NewestAt             *time.Time

	UndetailedSubmissions, UndetailedSolved int
}

// Detailed is how many of the submissions are listed: those whose verdict is known.
func (s *MemberStats) Detailed() int { return s.Submissions - s.UndetailedSubmissions }

// CurrentDayStreak is the streak that still counts on today (a civil day): a
// streak lives until a whole day has passed without a submission.
func (s *MemberStats) CurrentDayStreak(today time.Time) int {
	if s.LastDay == nil || s.LastDay.AddDate(0, 0, 1).Before(today) {
		return 0
	}
	return s.DayStreak
}

// A Day is one of the member's days with submissions.
type Day struct {
	Day         time.Time // Midnight UTC of the civil day.
	Submissions int
	Accepted    int
	Undetailed  int // Of the submissions: those that a site counts and does not list.
}
