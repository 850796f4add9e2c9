package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// An award that a program cannot read, because it names a filter that only a
// newer one has, is stopped there, and the others go on. What happens meanwhile
// is not counted for it, so it is recounted by the first that can read it.

// noteStopped notes the awards that this program is about to pass over.
func (s *Ruleset) noteStopped(ctx context.Context, tx *gorm.DB) error {
	if len(s.stopped) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`UPDATE awards SET stopped = true WHERE id = ANY(CAST(@ids AS bigint[])) AND NOT stopped`,
		pg.Named("ids", &s.stopped)).Error
	if err != nil {
		return fmt.Errorf("note awards that cannot be read: %w", err)
	}
	return nil
}

// ResumeStopped recounts the awards that were stopped and can be read now.
func ResumeStopped(ctx context.Context, db *gorm.DB, now time.Time) error {
	var slugs []string
	if err := db.WithContext(ctx).Raw(`SELECT slug FROM awards WHERE stopped ORDER BY id`).Scan(&slugs).Error; err != nil {
		return fmt.Errorf("awards that were stopped: %w", err)
	}
	for _, slug := range slugs {
		err := changeRuleset(ctx, db, slug, func(tx *gorm.DB, a *Award) error {
			v, err := VersionOf(ctx, tx, a, a.Version)
			if err != nil {
				return err
			}
			doc, mistakes := v.Parsed()
			if len(mistakes) > 0 || !a.State.Counts() {
				return nil // Activated again, it is recounted in any case.
			}
			return recountAll(tx, a, &doc, now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func recountAll(tx *gorm.DB, a *Award, doc *rules.Award, now time.Time) error {
	if err := retireObjectives(tx, a.ID, nil, now); err != nil {
		return err
	}
	fresh, err := setObjectives(tx, a.ID, doc, now)
	if err != nil {
		return err
	}
	if err := tx.Exec(`UPDATE awards SET stopped = false WHERE id = @id`, pg.Named("id", a.ID)).Error; err != nil {
		return err
	}
	return askRecount(tx, a.ID, fresh, now)
}
