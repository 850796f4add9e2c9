// Package awards counts events towards awards, grants and revokes them, and
// explains why.
package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/notices"
)

// changeRuleset changes what is counted: alone, after all batches under way and
// before all others.
func changeRuleset(ctx context.Context, db *gorm.DB, slug string, change func(tx *gorm.DB, a *Award) error) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := LockRuleset(tx); err != nil {
			return err
		}
		a, err := lockAward(ctx, tx, slug)
		if err != nil {
			return err
		}
		if err := change(tx, &a); err != nil {
			return err
		}
		if err := nextRuleset(tx); err != nil {
			return err
		}
		if err := pg.Wake(ctx, tx, events.WakeRecounts); err != nil {
			return err
		}
		return pg.Wake(ctx, tx, events.WakeAwards)
	})
	if err != nil {
		return fmt.Errorf("award %q: %w", slug, err)
	}
	return nil
}

func LockRuleset(tx *gorm.DB) error {
	return tx.Exec(`SELECT pg_advisory_xact_lock(@class, 0)`, pg.Named("class", events.LockRuleset)).Error
}

// nextRuleset lets workers read what is counted again, and says of which own sources there must be events.
func nextRuleset(tx *gorm.DB) error {
	if err := tx.Exec(`UPDATE award_ruleset SET generation = generation + 1`).Error; err != nil {
		return err
	}
	var s Ruleset
	if err := s.load(tx.Statement.Context, tx); err != nil {
		return err
	}
	s.bySource = map[string][]*runningObjective{}
	counted := []string{}
	for _, source := range events.Owned {
		if len(s.of(source)) > 0 || len(s.stopped) > 0 { // What cannot be read may want any.
			counted = append(counted, source)
		}
	}
	return tx.Exec(`UPDATE event_sources SET counted = source = ANY(CAST(@counted AS text[]))
		WHERE source = ANY(CAST(@own AS text[])) AND counted <> (source = ANY(CAST(@counted AS text[])))`,
		pg.Named("counted", &counted, "own", &events.Owned)).Error
}

// Activate lets a version of an award run, the newest where number is 0.
// Objectives that are counted as before keep their counters; the others are
// recounted from the ledger.
func Activate(ctx context.Context, db *gorm.DB, slug string, number int, now time.Time) error {
	return changeRuleset(ctx, db, slug, func(tx *gorm.DB, a *Award) error {
		if a.State != rules.Running && !a.State.May(rules.Running) {
			return &pg.InputError{Field: "state", Message: fmt.Sprintf("an award that is %s cannot be activated", a.State)}
		}
		v, err := VersionOf(ctx, tx, a, number)
		if err != nil {
			return err
		}
		doc, mistakes := v.Parsed()
		if len(mistakes) > 0 {
			return &pg.InputError{Field: mistakes[0].Path, Message: mistakes.Error()}
		}
		if !a.State.Counts() { // What happened meanwhile was not counted.
			if err := retireObjectives(tx, a.ID, nil, now); err != nil {
				return err
			}
		}
		activated := now
		if a.ActivatedAt != nil {
			activated = *a.ActivatedAt
		}
		err = tx.Exec(`UPDATE awards SET state = 'active', version = @number, activated_at = @at WHERE id = @id`,
			pg.Named("number", v.Number, "at", activated, "id", a.ID)).Error
		if err != nil {
			return err
		}
		fresh, err := setObjectives(tx, a.ID, &doc, now)
		if err != nil {
			return err
		}
		if a.ActivatedAt == nil {
			if err := notices.AnnounceLater(tx, a.ID, now); err != nil {
				return err
			}
		}
		if len(fresh) > 0 {
			return askRecount(tx, a.ID, fresh, now)
		}
		if same, err := onlyWords(ctx, tx, a, &doc); err != nil || same {
			return err
		}
		return markAll(tx, a.ID)
	})
}

// onlyWords reports whether a version says the same as the one that runs, but for
// its words.
func onlyWords(ctx context.Context, tx *gorm.DB, a *Award, doc *rules.Award) (bool, error) {
	if a.State != rules.Running || a.Version == 0 {
		return false, nil
	}
	v, err := VersionOf(ctx, tx, a, a.Version)
	if err != nil {
		return false, err
	}
	old, mistakes := v.Parsed()
	return len(mistakes) == 0 && rules.Compare(&old, doc) <= rules.Words, nil
}

// setObjectives makes the live objectives those of a document, and returns those
// that have no counters yet.
func setObjectives(tx *gorm.DB, awardID int64, doc *rules.Award, now time.Time) (fresh []int64, err error) {
	var live []struct {
		ID           int64
		Name, Digest string
	}
	if err := tx.Raw(`SELECT id, name, digest FROM objectives WHERE award_id = @id AND retired_at IS NULL`,
		pg.Named("id", awardID)).Scan(&live).Error; err != nil {
		return nil, err
	}
	known := map[[2]string]int64{}
	for _, l := range live {
		known[[2]string{l.Name, l.Digest}] = l.ID
	}
	kept, names, digests := []int64{}, []string{}, []string{}
	for i := range doc.Objectives {
		o := &doc.Objectives[i]
		digest := doc.Counting(o)
		if id, ok := known[[2]string{o.ID, digest}]; ok {
			kept = append(kept, id)
		} else {
			names, digests = append(names, o.ID), append(digests, digest)
		}
	}
	if err := retireObjectives(tx, awardID, kept, now); err != nil {
		return nil, err
	}
	err = tx.Raw(`
		INSERT INTO objectives (award_id, name, digest, created_at)
		SELECT @id, name, digest, @now FROM unnest(CAST(@names AS text[]), CAST(@digests AS text[])) o(name, digest) RETURNING id`,
		pg.Named("id", awardID, "now", now, "names", &names, "digests", &digests)).Scan(&fresh).Error
	return fresh, err
}

// retireObjectives stops counting for all objectives of an award but some.
func retireObjectives(tx *gorm.DB, awardID int64, but []int64, now time.Time) error {
	if but == nil {
		but = []int64{}
	}
	return tx.Exec(`UPDATE objectives SET retired_at = @now WHERE award_id = @id AND retired_at IS NULL
		AND id <> ALL(CAST(@but AS bigint[]))`,
		pg.Named("now", now, "id", awardID, "but", &but)).Error
}

// SetState brings an award into another state: paused (nothing is granted, all
// is counted), retired (it cannot be earned any more) or hidden.
func SetState(ctx context.Context, db *gorm.DB, slug string, to rules.State, now time.Time) error {
	return changeRuleset(ctx, db, slug, func(tx *gorm.DB, a *Award) error {
		if a.State == to {
			return nil
		}
		if to == rules.Running || !a.State.May(to) {
			return &pg.InputError{Field: "state", Message: fmt.Sprintf("an award that is %s cannot become %s", a.State, to)}
		}
		if !to.Counts() {
			if err := retireObjectives(tx, a.ID, nil, now); err != nil {
				return err
			}
		}
		return tx.Exec(`UPDATE awards SET state = @to WHERE id = @id`, pg.Named("to", string(to), "id", a.ID)).Error
	})
}

// markAll lets an award be evaluated again for everybody who has counters or it.
func markAll(tx *gorm.DB, awardID int64) error {
	return tx.Exec(`INSERT INTO award_pending (award_id, member_id, period)
		SELECT award_id, member_id, period FROM award_members WHERE award_id = @id`, pg.Named("id", awardID)).Error
}
