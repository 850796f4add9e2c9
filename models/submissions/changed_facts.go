package submissions

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// Difficulty, tags and the times of contests become known, and change, after submissions were told
// of. What they change is told again, a slice at a time, so that awards follow.

// factsAtOnce is how many problems, and contests, one transaction is about.
const factsAtOnce = 100

const none = "[]"

// A changed is what one transaction is about.
type changed struct {
	Problems string // Those whose facts changed, and those of submissions in contests whose times did. As JSON.
	Contests string
	Members  string
}

// EmitChangedFacts tells again of the submissions of some problems whose difficulty or tags
// changed, and of submissions in contests whose times have become known, by which it is known how
// the member took part. False: there was nothing to do.
//
// Whoever stores submissions locks their problems first, so what is told here is neither older nor
// newer than what is stored. Who removes an account locks its member.
func EmitChangedFacts(ctx context.Context, db *gorm.DB, now time.Time) (more bool, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var c changed
		if err := tx.Raw(queries.Must("changed_facts"), pg.Named("most", factsAtOnce)).Scan(&c).Error; err != nil {
			return err
		}
		if more = c.Problems != none || c.Contests != none; !more {
			return nil
		}
		return c.emit(ctx, tx, now)
	})
	if err != nil {
		return false, fmt.Errorf("facts that changed: %w", err)
	}
	return more, nil
}

func (c *changed) emit(ctx context.Context, tx *gorm.DB, now time.Time) error {
	for _, lock := range []struct{ statement, ids string }{
		{`SELECT FROM members WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint))
			ORDER BY id FOR SHARE`, c.Members},
		{`SELECT FROM problems WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint))
			ORDER BY site, key FOR NO KEY UPDATE`, c.Problems},
		{`SELECT FROM contests WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint))
			ORDER BY site, key FOR NO KEY UPDATE`, c.Contests},
	} {
		if err := tx.WithContext(ctx).Exec(lock.statement, pg.Named("ids", lock.ids)).Error; err != nil {
			return err
		}
	}
	var ids string
	err := tx.WithContext(ctx).Raw(queries.Must("take_part"), pg.Named("problems", c.Problems, "contests", c.Contests)).Scan(&ids).Error
	if err != nil {
		return err
	}
	return events.Emit(ctx, tx, "submissions", `
		SELECT member_id, item FROM submissions_events
		WHERE id IN (SELECT CAST(json_array_elements_text(CAST(@ids AS json)) AS bigint)) ORDER BY at, id`, pg.Named("ids", ids), now)
}
