package problems

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Problem is one of a site's catalogue, or one that some member met.
type Problem struct {
	ID               int64
	Site, Key        string
	Name             string // "" until the site shows it.
	URL              string
	Difficulty       *int
	DifficultySource string
	Experimental     bool
	Tags             []string `gorm:"serializer:json"`
	Canonical        *string  // The key under which it counts; nil for its own.
}

// Orders of a search. Those by difficulty have only problems that are rated.
const (
	ByKey        = "key"
	ByDifficulty = "difficulty"
	ByHardest    = "hardest"
)

// A Search says which problems; zero fields do not filter.
type Search struct {
	Site     string
	Part     string   // Any part of name or key, without regard to case.
	Tags     []string // All of them.
	Min, Max *int
	SolvedBy int64 // A member.
	Solved   bool  // With SolvedBy: those that are solved, or else those that are not.
	Order    string
}

// Find returns at most limit problems behind cursor, and the cursor to go on with: "" at the end.
func Find(ctx context.Context, db *gorm.DB, s Search, cursor string, limit int) (list []Problem, next string, err error) {
	after, err := pg.ParseListCursor(cursor, "problems "+s.Order, 2)
	if err != nil {
		return nil, "", err
	}
	q := s.where(db.WithContext(ctx).Table("problems p").
		Select(`p.id, p.site, p.key, p.name, p.url, p.difficulty, p.difficulty_source, p.experimental, to_json(p.tags) AS tags,
			(SELECT c.key FROM problems c WHERE c.id = p.canonical_id) AS canonical`)).
		Where("p.retired_at IS NULL")
	switch s.Order {
	case ByDifficulty, ByHardest:
		if q, err = s.byDifficulty(q, after, cursor != ""); err != nil {
			return nil, "", err
		}
	default:
		q = q.Where("(p.site, p.key) > (?, ?)", after[0], after[1]).Order("p.site, p.key")
	}
	if err := q.Limit(limit + 1).Scan(&list).Error; err != nil {
		return nil, "", fmt.Errorf("problems: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = s.cursor(&list[limit-1])
	}
	return list, next, nil
}

func (s *Search) cursor(last *Problem) string {
	if s.Order == ByDifficulty || s.Order == ByHardest {
		return pg.ListCursor("problems "+s.Order, strconv.Itoa(*last.Difficulty), strconv.FormatInt(last.ID, 10))
	}
	return pg.ListCursor("problems "+s.Order, last.Site, last.Key)
}

func (s *Search) byDifficulty(q *gorm.DB, after []string, behind bool) (*gorm.DB, error) {
	order, sign := "p.difficulty, p.id", ">"
	if s.Order == ByHardest {
		order, sign = "p.difficulty DESC, p.id DESC", "<"
	}
	q = q.Where("p.difficulty IS NOT NULL").Order(order)
	if !behind {
		return q, nil
	}
	difficulty, err1 := strconv.ParseInt(after[0], 10, 32)
	id, err2 := strconv.ParseInt(after[1], 10, 64)
	if err1 != nil || err2 != nil {
		return nil, pg.ErrCursor
	}
	return q.Where("(p.difficulty, p.id) "+sign+" (?, ?)", difficulty, id), nil
}

func (s *Search) where(q *gorm.DB) *gorm.DB {
	if s.Site != "" {
		q = q.Where("p.site = ?", pg.CleanText(s.Site))
	}
	if s.Part != "" {
		q = q.Where("(p.name ILIKE @part OR p.key ILIKE @part)", pg.Named("part", pg.Containing(s.Part)))
	}
	if len(s.Tags) > 0 {
		q = q.Where("p.tags @> CAST(? AS text[])", &s.Tags)
	}
	if s.Min != nil {
		q = q.Where("p.difficulty >= ?", *s.Min)
	}
	if s.Max != nil {
		q = q.Where("p.difficulty <= ?", *s.Max)
	}
	if s.SolvedBy != 0 {
		solved := `EXISTS (
			SELECT FROM submissions s WHERE s.member_id = ? AND s.status = 'AC' AND s.problem_id IN (
				SELECT p.id UNION ALL SELECT p.canonical_id UNION ALL
				SELECT o.id FROM problems o WHERE o.canonical_id = coalesce(p.canonical_id, p.id)))`
		if !s.Solved {
			solved = "NOT " + solved
		}
		q = q.Where(solved, s.SolvedBy)
	}
	return q
}
