package profiles

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/members"
	"laurel/models/submissions"
)

// A Comparison is two members side by side, in the order in which they were asked
// for.
type Comparison struct {
	Key         string // Of the comparison: one for both orders.
	Flipped     bool   // The first member is side b of it.
	Members     [2]ComparedMember
	Sites       []SolvedBy // Of all submissions, by site.
	BothActive  int        // Days since the asked one on which both were active.
	Discussions forums.Track
}

// A ComparedMember is one of the two.
type ComparedMember struct {
	members.Member
	Stats    submissions.MemberStats
	Active   int // Days with submissions since the asked one.
	Accounts []AccountRatings
}

// SolvedBy is how many problems of a site only the first has solved, only the
// second, and both of them.
type SolvedBy struct {
	Site                string
	First, Second, Both int
}

// Compare puts two members side by side; since is the first of the days that
// are counted. It returns ErrNotFound where there is no such member, and an
// InputError where both are the same.
func Compare(ctx context.Context, db *gorm.DB, first, second string, since time.Time) (c Comparison, err error) {
	key, ok := forums.ComparisonKey(first, second)
	if !ok && strings.EqualFold(first, second) && members.MemberName.MatchString(first) {
		return c, &pg.InputError{Field: "b", Message: "this is the same member; choose another one to compare with"}
	}
	if !ok {
		return c, pg.ErrNotFound
	}
	c.Key, c.Flipped = key, !strings.HasPrefix(key, strings.ToLower(first)+"/")
	if err := c.people(ctx, db, first, second, since); err != nil {
		return c, fmt.Errorf("compare %s: %w", key, err)
	}
	accounts, err := RatingsOf(ctx, db, c.Members[0].ID, c.Members[1].ID)
	if err != nil {
		return c, fmt.Errorf("compare %s: %w", key, err)
	}
	for _, a := range accounts {
		m := &c.Members[0]
		if a.MemberID != m.ID {
			m = &c.Members[1]
		}
		m.Accounts = append(m.Accounts, a)
	}
	err = db.WithContext(ctx).Raw(`
		SELECT p.site, count(*) FILTER (WHERE s.first AND NOT s.second) AS first,
			count(*) FILTER (WHERE s.second AND NOT s.first) AS second, count(*) FILTER (WHERE s.first AND s.second) AS "both"
		FROM (SELECT problem_id, bool_or(member_id = @first) AS first, bool_or(member_id = @second) AS second FROM submissions
			WHERE member_id IN (@first, @second) AND status = 'AC' GROUP BY problem_id) s
		JOIN problems p ON p.id = s.problem_id GROUP BY p.site
			ORDER BY p.site`, pg.Named("first", c.Members[0].ID, "second", c.Members[1].ID)).Scan(&c.Sites).Error
	if err != nil {
		return c, fmt.Errorf("compare %s: %w", key, err)
	}
	c.Discussions, err = forums.TrackAbout(ctx, db, forums.RefComparison, key)
	return c, err
}

// people reads both members with their sums.
func (c *Comparison) people(ctx context.Context, db *gorm.DB, first, second string, since time.Time) error {
	var rows []struct {
		members.Member
		submissions.MemberStats
		Active, Common int
	}
	err := db.WithContext(ctx).Raw(queries.Must("comparison"),
		pg.Named("first", first, "second", second, "since", since, "asking", members.Asking(ctx))).Scan(&rows).Error
	if err != nil {
		return err
	}
	if len(rows) != 2 {
		return pg.ErrNotFound
	}
	for i, r := range rows {
		c.BothActive = r.Common
		c.Members[i] = ComparedMember{Member: r.Member, Active: r.Active, Stats: r.MemberStats}
	}
	return nil
}

// Which problems of two members are wanted.
const (
	OnlyFirst  = "first"  // The first solved it, the second did not.
	OnlySecond = "second" // The other way round.
	SolvedBoth = "both"
)

// A SolvedProblem is one that at least one of two members has solved.
type SolvedProblem struct {
	submissions.Problem
	At time.Time // When that member first solved it; of both, the later one.
}

// SolvedProblems returns at most limit problems by who of two members solved them,
// the last solved first, those behind a cursor.
func SolvedProblems(ctx context.Context, db *gorm.DB, of [2]members.Member, which string, after pg.Cursor, limit int) (
	list []SolvedProblem, next pg.Cursor, err error) {
	having, ok := map[string]string{OnlyFirst: "s.second_at IS NULL", OnlySecond: "s.first_at IS NULL",
		SolvedBoth: "s.first_at IS NOT NULL AND s.second_at IS NOT NULL"}[which]
	if !ok {
		return nil, next, &pg.InputError{Field: "solved", Message: "must be first, second or both"}
	}
	err = db.WithContext(ctx).Raw(`
		SELECT p.id, p.site, p.key, p.name, p.url, greatest(s.first_at, s.second_at) AS at
		FROM (SELECT problem_id, min(submitted_at) FILTER (WHERE member_id = @first) AS first_at,
			min(submitted_at) FILTER (WHERE member_id = @second) AS second_at
			FROM submissions WHERE member_id IN (@first, @second) AND status = 'AC' GROUP BY problem_id) s
		JOIN problems p ON p.id = s.problem_id
		WHERE `+having+` AND (@id = 0 OR (greatest(s.first_at, s.second_at), p.id) < (@at, @id))
		ORDER BY at DESC, p.id DESC LIMIT @limit`,
		pg.Named("first", of[0].ID, "second", of[1].ID, "at", after.At, "id", after.ID, "limit", limit+1)).Scan(&list).Error
	if err != nil {
		return nil, next, fmt.Errorf("problems of two members: %w", err)
	}
	if len(list) > limit {
		list = list[:limit]
		next = pg.Cursor{At: list[limit-1].At, ID: list[limit-1].ID}
	}
	return list, next, nil
}
