package submissions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A ProblemPage is a problem with what members did about it.
type ProblemPage struct {
	Problem
	Known    bool // Some member met it; otherwise only messages talk about it.
	Attempts int  // Submissions of all members.
	Accepted int
	Tried    int // Members who have not solved it.
	Solvers  int
	Solved   []Solver // The first first, at most solversAtMost.
}

// A Solver is a member who solved a problem.
type Solver struct {
	Name        string    `json:"name"`
	DisplayName string    `json:"display_name"`
	At          time.Time `json:"at"`       // Of the first accepted submission.
	Attempts    int       `json:"attempts"` // Submissions until then, it among them.
	Language    string    `json:"language"`
	URL         string    `json:"url"` // Of that submission.
}

const solversAtMost = 100

// ProblemOf returns a problem by its site and key. One that no member has met is
// not known, which is no error: messages may talk about it.
func ProblemOf(ctx context.Context, db *gorm.DB, site, key string) (p ProblemPage, err error) {
	p.Site, p.Key = pg.CleanText(site), pg.CleanText(key)
	var solved string
	res := db.WithContext(ctx).Raw(`
		WITH p AS (SELECT id, name, url FROM problems WHERE site = @site AND key = @key),
		subs AS MATERIALIZED (
			SELECT s.member_id, s.submitted_at, s.id, s.status, s.language, s.url FROM submissions s WHERE s.problem_id = (SELECT id FROM p)),
		firsts AS (SELECT DISTINCT ON (member_id) * FROM subs WHERE status = 'AC' ORDER BY member_id, submitted_at, id),
		shown AS (SELECT * FROM firsts ORDER BY submitted_at, id LIMIT @most)
		SELECT p.id, p.name, p.url, (SELECT count(*) FROM subs) AS attempts, (SELECT count(*) FROM subs WHERE status = 'AC') AS accepted,
			(SELECT count(*) FROM firsts) AS solvers, (SELECT count(DISTINCT member_id) FROM subs) - (SELECT count(*) FROM firsts) AS tried,
			(SELECT coalesce(json_agg(json_build_object('name', m.name, 'display_name', m.display_name, 'at', f.submitted_at, 'language', f.language, 'url', f.url,
				'attempts', (SELECT count(*) FROM subs s WHERE s.member_id = f.member_id AND (s.submitted_at, s.id) <= (f.submitted_at, f.id))) ORDER BY f.submitted_at, f.id), '[]')
				FROM shown f JOIN members m ON m.id = f.member_id) AS solved
		FROM p`, pg.Named("site", p.Site, "key", p.Key, "most", solversAtMost))
	row := struct {
		ID                                 int64
		Name, URL, Solved                  string
		Attempts, Accepted, Solvers, Tried int
	}{}
	if res = res.Scan(&row); res.Error != nil || row.ID == 0 {
		return p, res.Error
	}
	p.Known, p.ID, p.Name, p.URL, p.Attempts, p.Accepted, p.Solvers, p.Tried, solved = true, row.ID, row.Name, row.URL, row.Attempts, row.Accepted, row.Solvers, row.Tried, row.Solved
	if err := json.Unmarshal([]byte(solved), &p.Solved); err != nil {
		return p, fmt.Errorf("problem %s/%s: %w", site, key, err)
	}
	return p, nil
}
