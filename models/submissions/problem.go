package submissions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/polite"
)

// A ProblemFound is a problem as a site's catalogue names it.
type ProblemFound struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// NameProblems gives names from a site's catalogue to those problems that
// members met, and returns how many changed. Problems nobody met are not stored.
func NameProblems(ctx context.Context, db *gorm.DB, site string, found []ProblemFound) (int64, error) {
	if found == nil {
		found = []ProblemFound{} // A JSON list, and no null.
	}
	text, err := json.Marshal(found)
	if err != nil {
		return 0, err
	}
	// Locked by key, as StorePage locks them, or the two could wait for each other in a circle.
	res := db.WithContext(ctx).Exec(`
		WITH changed AS MATERIALIZED (
			SELECT p.id, f.name, f.url
			FROM problems p JOIN (
				SELECT DISTINCT ON (key) key, name, url FROM jsonb_to_recordset(CAST(@found AS jsonb)) AS f(key text, name text, url text)
				WHERE name <> '') f
				ON p.site = @site AND p.key = f.key AND (p.name, p.url) <> (f.name, f.url)
			ORDER BY p.key FOR NO KEY UPDATE OF p)
		UPDATE problems p SET name = changed.name, url = changed.url FROM changed WHERE p.id = changed.id`,
		pg.Named("site", site, "found", string(text)))
	if res.Error != nil {
		return 0, fmt.Errorf("name problems of %s: %w", site, res.Error)
	}
	return res.RowsAffected, nil
}

// ClaimCatalogue says whether a site's catalogue should be read now: some
// problem waits for a name and nobody tried for an hour.
func ClaimCatalogue(ctx context.Context, db *gorm.DB, site string, now time.Time) (bool, error) {
	var nameless bool
	err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM problems WHERE site = @site AND name = '')`,
		pg.Named("site", site)).Scan(&nameless).Error
	if err != nil {
		return false, fmt.Errorf("nameless problems of %s: %w", site, err)
	}
	if !nameless {
		return false, nil
	}
	slot, err := polite.TakeSlot(ctx, db, polite.SlotRequest{Keys: []string{"catalogue:" + site}, Gap: time.Hour}, now)
	return slot.Taken, err
}
