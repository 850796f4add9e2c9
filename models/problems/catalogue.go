// Package problems holds what sites' catalogues tell of problems and contests, and finds them.
package problems

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// A Listed problem is one of a site's list. Name and URL are "" if the list does not tell them.
type Listed struct {
	Key          string   `json:"key"`
	Name         string   `json:"name"`
	URL          string   `json:"url"`
	Difficulty   *int     `json:"difficulty"` // Nil takes nothing away.
	Source       string   `json:"source"`     // Who rates it.
	Experimental bool     `json:"experimental"`
	Tags         []string `json:"tags"` // None takes nothing away.
}

// A ListedContest is a contest of a site's list.
type ListedContest struct {
	Key    string     `json:"key"`
	Name   string     `json:"name"`
	URL    string     `json:"url"`
	Starts *time.Time `json:"starts"` // Nil while nobody knows.
	Ends   *time.Time `json:"ends"`
}

// A Link says that a problem is in a contest, and what it is called there.
type Link struct {
	Contest string `json:"contest"`
	Problem string `json:"problem"`
	Label   string `json:"label"`
}

// A Listing is what one list of a site tells.
type Listing struct {
	Site     string
	Names    bool // The list says which problems or contests there are, and not only facts of some.
	Whole    bool // What it lacks is gone.
	Problems []Listed
	Contests []ListedContest
	Links    []Link
}

// atOnce is how many rows one transaction stores.
const atOnce = 1000

// Store stores what a list tells, in parts, each by key so that it never waits in a circle with
// those who store submissions. What is stored already as it is told is only read. It returns how
// many problems and contests are new or changed.
func Store(ctx context.Context, db *gorm.DB, l Listing, now time.Time) (changed int64, err error) {
	slices.SortFunc(l.Problems, func(a, b Listed) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(l.Contests, func(a, b ListedContest) int { return strings.Compare(a.Key, b.Key) })
	for part := range slices.Chunk(l.Contests, atOnce) {
		res := db.WithContext(ctx).Exec(queries.Must("store_contests"),
			pg.Named("site", l.Site, "rows", encode(part), "names", l.Names, "now", now))
		if changed += res.RowsAffected; res.Error != nil {
			return changed, fmt.Errorf("contests of %s: %w", l.Site, res.Error)
		}
	}
	for part := range slices.Chunk(l.Problems, atOnce) {
		res := db.WithContext(ctx).Exec(queries.Must("store_problems"),
			pg.Named("site", l.Site, "rows", encode(part), "names", l.Names, "now", now))
		if changed += res.RowsAffected; res.Error != nil {
			return changed, fmt.Errorf("problems of %s: %w", l.Site, res.Error)
		}
	}
	for part := range slices.Chunk(l.Links, atOnce) {
		err := db.WithContext(ctx).Exec(queries.Must("store_links"), pg.Named("site", l.Site, "rows", encode(part))).Error
		if err != nil {
			return changed, fmt.Errorf("problems of contests of %s: %w", l.Site, err)
		}
	}
	if l.Whole {
		err = l.retire(ctx, db, now)
	}
	return changed, err
}

// withoutNUL removes from JSON the one character that PostgreSQL cannot store. The first pair
// passes over escaped backslashes.
var withoutNUL = strings.NewReplacer(`\\`, `\\`, `\u0000`, ``)

// encode writes rows as statements read them.
func encode[T any](rows []T) string {
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err) // They are texts, numbers and times.
	}
	return withoutNUL.Replace(string(text))
}

// retire marks what the list lacks. Nothing vanishes.
func (l *Listing) retire(ctx context.Context, db *gorm.DB, now time.Time) error {
	for table, keys := range map[string][]string{"problems": l.problemKeys(), "contests": l.contestKeys()} {
		if len(keys) == 0 {
			continue
		}
		err := db.WithContext(ctx).Exec(`
			UPDATE `+table+` SET retired_at = @now WHERE id IN (
				SELECT t.id FROM `+table+` t
				WHERE t.site = @site AND t.listed_at IS NOT NULL AND t.retired_at IS NULL AND t.key <> ALL(CAST(@keys AS text[]))
				ORDER BY t.key FOR NO KEY UPDATE)`,
			pg.Named("site", l.Site, "keys", &keys, "now", now)).Error
		if err != nil {
			return fmt.Errorf("retire %s of %s: %w", table, l.Site, err)
		}
	}
	return nil
}

func (l *Listing) problemKeys() (keys []string) {
	for i := range l.Problems {
		keys = append(keys, l.Problems[i].Key)
	}
	return keys
}

func (l *Listing) contestKeys() (keys []string) {
	for i := range l.Contests {
		keys = append(keys, l.Contests[i].Key)
	}
	return keys
}
