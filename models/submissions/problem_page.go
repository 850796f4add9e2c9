package submissions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/members"
)

// A Problem is one that some member met, or a site's catalogue has.
type Problem struct {
	ID        int64
	Site, Key string
	Name      string // "" until the site's catalogue was read.
	URL       string
}

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
	res := db.WithContext(ctx).Raw(queries.Must("problem"), pg.Named("site", p.Site, "key", p.Key, "most", solversAtMost,
		"asking", members.Asking(ctx)))
	row := struct {
		ID                                 int64
		Name, URL, Solved                  string
		Attempts, Accepted, Solvers, Tried int
	}{}
	if res = res.Scan(&row); res.Error != nil || row.ID == 0 {
		return p, res.Error
	}
	p.Known, p.ID, p.Name, p.URL = true, row.ID, row.Name, row.URL
	p.Attempts, p.Accepted, p.Solvers, p.Tried = row.Attempts, row.Accepted, row.Solvers, row.Tried
	if err := json.Unmarshal([]byte(row.Solved), &p.Solved); err != nil {
		return p, fmt.Errorf("problem %s/%s: %w", site, key, err)
	}
	return p, nil
}
