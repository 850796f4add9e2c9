package models

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
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
	ToMinute    bool // The site tells no seconds of the time.
	URL         string
}

// SubmissionFilter says which submissions; zero fields do not filter.
type SubmissionFilter struct {
	MemberID     int64
	Site         string
	Status       string
	Language     string    // Any part of it, without regard to case.
	Problem      string    // Any part of its key or name, without regard to case.
	Since, Until time.Time // [Since, Until)
}

// A Cursor is a place in a list that is ordered newest first. Rows that appear
// or change elsewhere do not move it.
type Cursor struct {
	At time.Time
	ID int64
}

// String returns the cursor as it stands in addresses; "" for the zero one.
func (c Cursor) String() string {
	if c == (Cursor{}) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", c.At.UnixMicro(), c.ID))
}

// ParseCursor reads what String wrote.
func ParseCursor(s string) (Cursor, error) {
	if s == "" {
		return Cursor{}, nil
	}
	bad := &InputError{"cursor", "this cursor was not made by this list; begin without one"}
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Cursor{}, bad
	}
	at, id, ok := strings.Cut(string(text), ".")
	micros, err1 := strconv.ParseInt(at, 10, 64)
	n, err2 := strconv.ParseInt(id, 10, 64)
	const first, last = -62135596800e6, 253402300800e6 // The years 1 and 10000: PostgreSQL's timestamps go further, ours do not.
	if !ok || err1 != nil || err2 != nil || micros < first || micros > last {
		return Cursor{}, bad
	}
	return Cursor{time.UnixMicro(micros).UTC(), n}, nil
}

// SubmissionPage is a part of a list, newest first. Next and Previous are zero
// where the list ends.
type SubmissionPage struct {
	Items          []Submission
	Next, Previous Cursor
}

// SubmissionsOf returns at most limit submissions behind cursor (older ones), or
// before it where newer is set.
func SubmissionsOf(ctx context.Context, db *gorm.DB, f SubmissionFilter, cursor Cursor, newer bool, limit int) (SubmissionPage, error) {
	q := db.WithContext(ctx).Table("submissions s").
		Select(`s.id, m.name AS member, s.site, s.site_id, p.key AS problem_key, p.name AS problem_name, p.url AS problem_url,
			s.status, s.verdict, s.language, s.points, s.submitted_at, s.to_minute, s.url`).
		Joins("JOIN problems p ON p.id = s.problem_id").Joins("JOIN members m ON m.id = s.member_id")
	q = f.where(q)
	order, direction := "s.submitted_at DESC, s.id DESC", "<"
	if newer {
		order, direction = "s.submitted_at, s.id", ">"
	}
	if cursor != (Cursor{}) {
		q = q.Where("(s.submitted_at, s.id) "+direction+" (?, ?)", cursor.At, cursor.ID)
	}
	var items []Submission
	if err := q.Order(order).Limit(limit + 1).Scan(&items).Error; err != nil {
		return SubmissionPage{}, fmt.Errorf("submissions: %w", err)
	}
	return pageOf(items, cursor, newer, limit), nil
}

func (f SubmissionFilter) where(q *gorm.DB) *gorm.DB {
	if f.MemberID != 0 {
		q = q.Where("s.member_id = ?", f.MemberID)
	}
	if f.Site != "" {
		q = q.Where("s.site = ?", cleanText(f.Site))
	}
	if f.Status != "" {
		q = q.Where("s.status = ?", cleanText(f.Status))
	}
	if f.Language != "" {
		q = q.Where("s.language ILIKE ?", contains(f.Language))
	}
	if f.Problem != "" {
		q = q.Where("(p.name ILIKE @part OR p.key ILIKE @part)", named("part", contains(f.Problem)))
	}
	if !f.Since.IsZero() {
		q = q.Where("s.submitted_at >= ?", f.Since)
	}
	if !f.Until.IsZero() {
		q = q.Where("s.submitted_at < ?", f.Until)
	}
	return q
}

// contains is the ILIKE pattern for "has this in it", literally.
func contains(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(cleanText(s)) + "%"
}

// pageOf cuts the one row too many that says whether there is more.
func pageOf(items []Submission, cursor Cursor, newer bool, limit int) SubmissionPage {
	more := len(items) > limit
	if more {
		items = items[:limit]
	}
	if newer {
		for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
			items[i], items[j] = items[j], items[i]
		}
	}
	p := SubmissionPage{Items: items}
	if len(items) == 0 {
		return p
	}
	at := func(s Submission) Cursor { return Cursor{s.SubmittedAt, s.ID} }
	if more || newer {
		p.Next = at(items[len(items)-1])
	}
	if newer && more || !newer && cursor != (Cursor{}) {
		p.Previous = at(items[0])
	}
	return p
}
