package submissions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// Statuses a submission can have, in the order pages show them.
var Statuses = []string{"AC", "WA", "TLE", "MLE", "RE", "CE", "PE", "PS", "SK", "HCK", "OTH", "PENDING"}

// A Submission is one row as pages and the API show it.
type Submission struct {
	ID          int64
	Member      string // The member's name.
	Site        string
	SiteID      string // The site's own number.
	ProblemKey  string
	ProblemName string // "" until the site's catalogue was read.
	ProblemURL  string
	Status      string
	Verdict     string
	Language    string
	Points      *float64
	SubmittedAt time.Time
	ToMinute    bool // The site shows no seconds of the time.
	URL         string
	Source      string     // SourceSite or SourceMember.
	UnlistedAt  *time.Time // A whole reading did not show it any more; nil: it is listed.

	Difficulty    *int     // Of the problem, on the site's scale; nil: none is known.
	Tags          []string `gorm:"serializer:json"` // Of the problem.
	ContestKey    string   // "" where it stands in none.
	ContestName   string
	Participation string // contest, virtual, practice or unknown.
}

// Filter says which submissions; zero fields do not filter.
type Filter struct {
	MemberID     int64
	Site         string
	Status       string
	Language     string    // Any part of it, without regard to case.
	Problem      string    // Any part of its key or name, without regard to case.
	Since, Until time.Time // [Since, Until)
}

// Page is a part of a list, newest first. Next and Previous are zero
// where the list ends.
type Page struct {
	Items          []Submission
	Next, Previous pg.Cursor
}

// Of returns at most limit submissions behind cursor (older ones), or
// before it where newer is set.
func Of(ctx context.Context, db *gorm.DB, f Filter, cursor pg.Cursor, newer bool, limit int) (Page, error) {
	q := f.rows(ctx, db).
		Select(`s.id, m.name AS member, s.site, s.site_id, p.key AS problem_key, p.name AS problem_name, p.url AS problem_url,
			s.status, s.verdict, s.language, s.points, s.submitted_at, s.to_minute, s.url, s.source, s.unlisted_at,
			p.difficulty, to_json(p.tags) AS tags, coalesce(c.key, '') AS contest_key, coalesce(c.name, '') AS contest_name,
			coalesce(s.participation, 'unknown') AS participation`).
		Joins("LEFT JOIN contests c ON c.id = s.contest_id")
	order, direction := "s.submitted_at DESC, s.id DESC", "<"
	if newer {
		order, direction = "s.submitted_at, s.id", ">"
	}
	if cursor != (pg.Cursor{}) {
		q = q.Where("(s.submitted_at, s.id) "+direction+" (?, ?)", cursor.At, cursor.ID)
	}
	var items []Submission
	if err := q.Order(order).Limit(limit + 1).Scan(&items).Error; err != nil {
		return Page{}, fmt.Errorf("submissions: %w", err)
	}
	return pageOf(items, cursor, newer, limit), nil
}

// rows are the submissions that suit, of members whom the viewer may see.
func (f Filter) rows(ctx context.Context, db *gorm.DB) *gorm.DB {
	return f.where(db.WithContext(ctx).Table("submissions s").Joins("JOIN problems p ON p.id = s.problem_id").
		Joins("JOIN members m ON m.id = s.member_id").Scopes(members.Visible(ctx, "m")))
}

// A Count is how many submissions suit, and how many of them were accepted.
type Count struct {
	Day       time.Time // In the zone asked for; zero for all days together.
	Submitted int
	Accepted  int
}

// Counts returns the count of all that suits a filter, and of each civil day of a zone between two
// moments.
func Counts(ctx context.Context, db *gorm.DB, f Filter, zone string, from, until time.Time) (all Count, days []Count, err error) {
	err = f.rows(ctx, db).Select("count(*) AS submitted, count(*) FILTER (WHERE s.status = 'AC') AS accepted").Scan(&all).Error
	if err == nil && until.After(from) {
		err = f.rows(ctx, db).Select(`CAST(s.submitted_at AT TIME ZONE ? AS date) AS day, count(*) AS submitted,
			count(*) FILTER (WHERE s.status = 'AC') AS accepted`, zone).
			Where("s.submitted_at >= ? AND s.submitted_at < ?", from, until).Group("day").Scan(&days).Error
	}
	if err != nil {
		return all, nil, fmt.Errorf("count submissions: %w", err)
	}
	return all, days, nil
}

func (f Filter) where(q *gorm.DB) *gorm.DB {
	if f.MemberID != 0 {
		q = q.Where("s.member_id = ?", f.MemberID)
	}
	if f.Site != "" {
		q = q.Where("s.site = ?", pg.CleanText(f.Site))
	}
	if f.Status != "" {
		q = q.Where("s.status = ?", pg.CleanText(f.Status))
	}
	if f.Language != "" {
		q = q.Where("s.language ILIKE ?", pg.Containing(f.Language))
	}
	if f.Problem != "" {
		q = q.Where("(p.name ILIKE @part OR p.key ILIKE @part)", pg.Named("part", pg.Containing(f.Problem)))
	}
	if !f.Since.IsZero() {
		q = q.Where("s.submitted_at >= ?", f.Since)
	}
	if !f.Until.IsZero() {
		q = q.Where("s.submitted_at < ?", f.Until)
	}
	return q
}

// pageOf cuts the one row too many that says whether there is more.
func pageOf(items []Submission, cursor pg.Cursor, newer bool, limit int) Page {
	more := len(items) > limit
	if more {
		items = items[:limit]
	}
	if newer {
		for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
			items[i], items[j] = items[j], items[i]
		}
	}
	p := Page{Items: items}
	if len(items) == 0 {
		return p
	}
	at := func(s Submission) pg.Cursor { return pg.Cursor{At: s.SubmittedAt, ID: s.ID} }
	if more || newer {
		p.Next = at(items[len(items)-1])
	}
	if newer && more || !newer && cursor != (pg.Cursor{}) {
		p.Previous = at(items[0])
	}
	return p
}
