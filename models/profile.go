package models

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// A Profile is a member's page in three queries: the person with sums and a year
// of days, the accounts with their ratings, and the newest submissions.
type Profile struct {
	Member
	Stats    MemberStats
	Owner    string // Of a custom member: who follows.
	Days     []Day  // Those with submissions since the day asked for, oldest first.
	Accounts []AccountRatings
	Recent   []Submission
}

// MemberStats are the member's sums. Streaks end with LastDay.
type MemberStats struct {
	Submissions, Accepted, Solved int
	DayStreak, BestDayStreak      int
	AcStreak, BestAcStreak        int
	LastDay, NewestAt             *time.Time
}

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
}

// AccountRatings is an account with its rated contests, oldest first.
type AccountRatings struct {
	Account
	Ratings []RatingFound
}

// ProfileOf returns a member's profile with the days since since (a civil day)
// and at most recent submissions, or ErrNotFound.
func ProfileOf(ctx context.Context, db *gorm.DB, name string, since time.Time, recent int) (Profile, error) {
	p, err := person(ctx, db, name, since)
	if err != nil {
		return p, fmt.Errorf("profile of %q: %w", name, err)
	}
	if p.Accounts, err = RatingsOf(ctx, db, p.ID); err != nil {
		return p, fmt.Errorf("profile of %q: %w", name, err)
	}
	page, err := SubmissionsOf(ctx, db, SubmissionFilter{MemberID: p.ID}, Cursor{}, false, recent)
	p.Recent = page.Items
	return p, err
}

func person(ctx context.Context, db *gorm.DB, name string, since time.Time) (Profile, error) {
	var row struct {
		Member
		Submissions, Accepted, Solved, DayStreak, BestDayStreak, AcStreak, BestAcStreak int
		LastDay, NewestAt                                                               *time.Time
		Owner                                                                           string
		Days                                                                            []byte
	}
	if !MemberName.MatchString(name) {
		return Profile{}, ErrNotFound
	}
	err := db.WithContext(ctx).Raw(`
		SELECT m.id, m.name, m.display_name, m.time_zone, m.custom, m.role, m.owner_id, m.requested_at, m.created_at,
			coalesce(o.name, '') AS owner, s.submissions, s.accepted, s.solved, s.day_streak, s.best_day_streak, s.ac_streak, s.best_ac_streak, s.last_day, s.newest_at,
			(SELECT jsonb_agg(jsonb_build_array(day - CAST(@since AS date), submissions, accepted) ORDER BY day) FROM days WHERE member_id = m.id AND day >= @since) AS days
		FROM members m LEFT JOIN member_stats s ON s.member_id = m.id LEFT JOIN members o ON o.id = m.owner_id
		WHERE lower(m.name) = lower(@name)`, named("name", name, "since", since)).Scan(&row).Error
	if err != nil {
		return Profile{}, err
	}
	if row.ID == 0 {
		return Profile{}, ErrNotFound
	}
	p := Profile{Member: row.Member, Owner: row.Owner, Stats: MemberStats{Submissions: row.Submissions, Accepted: row.Accepted, Solved: row.Solved,
		DayStreak: row.DayStreak, BestDayStreak: row.BestDayStreak, AcStreak: row.AcStreak, BestAcStreak: row.BestAcStreak, LastDay: row.LastDay, NewestAt: row.NewestAt}}
	var days [][3]int
	if len(row.Days) > 0 {
		if err := json.Unmarshal(row.Days, &days); err != nil {
			return p, err
		}
	}
	for _, d := range days {
		p.Days = append(p.Days, Day{since.AddDate(0, 0, d[0]), d[1], d[2]})
	}
	return p, nil
}

// RatingsOf returns a member's accounts with their rated contests.
func RatingsOf(ctx context.Context, db *gorm.DB, memberID int64) ([]AccountRatings, error) {
	var rows []struct {
		Account
		RatingList []byte
	}
	err := db.WithContext(ctx).Raw(`
		SELECT a.*, (
			SELECT jsonb_agg(jsonb_build_object('contest', contest, 'name', name, 'url', url, 'rank', rank, 'rating', rating, 'at', rated_at) ORDER BY rated_at, contest)
			FROM ratings r WHERE r.account_id = a.id) AS rating_list
		FROM accounts a WHERE member_id = @id ORDER BY site`, named("id", memberID)).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	out := make([]AccountRatings, len(rows))
	for i, row := range rows {
		out[i].Account = row.Account
		if len(row.RatingList) > 0 {
			if err := json.Unmarshal(row.RatingList, &out[i].Ratings); err != nil {
				return nil, fmt.Errorf("ratings: %w", err)
			}
		}
	}
	return out, nil
}
