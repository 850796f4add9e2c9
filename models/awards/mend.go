package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/badges"
	pg "laurel/models/db"
	"laurel/models/events"
)

// Mend counts a member again from the ledger's events: contributions, cells and counters are written
// anew, and all awards are evaluated again, with their dates. It says in the log of awards that it was
// a check. Grants, their log and their badges become what they say of each other. Grants of which the log
// of grants knows nothing are taken back; what was given by hand stays. Each member is one short
// transaction, so a run that is stopped is taken up by the next one. Shared mends what all share.
func Mend(ctx context.Context, db *gorm.DB, member int64, now time.Time) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lockGrants(ctx, tx); err != nil {
			return err
		}
		if member == Shared {
			return badges.MendShared(ctx, tx, now)
		}
		var s Ruleset
		ruleset, err := s.current(ctx, tx)
		if err != nil {
			return err
		}
		for _, a := range ruleset.awards {
			if a.Recounting {
				return &pg.Error{Code: pg.CodeConflict, Message: "award " + a.Award.Slug + " is being counted anew; mend when that is done"}
			}
		}
		items, err := lockItems(ctx, tx, member)
		if err != nil {
			return err
		}
		if err := mendGrants(ctx, tx, member, now); err != nil {
			return err
		}
		if err := ruleset.rewrite(ctx, tx, member, items, now); err != nil {
			return err
		}
		if err := badges.Mend(ctx, tx, member, now); err != nil {
			return err
		}
		return markMember(ctx, tx, member)
	})
	if err != nil {
		return fmt.Errorf("mend the awards of member %d: %w", member, err)
	}
	return nil
}

// lockItems reads a member's items while nobody else counts for the member.
func lockItems(ctx context.Context, tx *gorm.DB, member int64) (items []ledgerItem, err error) {
	args := pg.Named("class", events.LockPart, "member", member)
	err = tx.WithContext(ctx).Exec(`SELECT pg_advisory_xact_lock(@class, CAST(event_part(@member) AS integer))`, args).Error
	if err == nil {
		s := span{after: member - 1, last: member}
		items, err = s.read(ctx, tx)
	}
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	return items, nil
}

// rewrite writes what is counted of a member anew.
func (s *Ruleset) rewrite(ctx context.Context, tx *gorm.DB, member int64, items []ledgerItem, now time.Time) error {
	var live []int64
	for id := range s.objectives {
		live = append(live, id)
	}
	for _, table := range []string{"objective_cells", "objective_counters"} {
		err := tx.WithContext(ctx).Exec(`DELETE FROM `+table+` WHERE member_id = @member AND objective_id = ANY(CAST(@live AS bigint[]))`,
			pg.Named("member", member, "live", &live)).Error
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	t := newBatch(s, now)
	changed := map[string]*ledgerItem{}
	for n := range items {
		i := &items[n]
		should, is := s.contributed(i)
		for _, c := range should {
			t.add(member, c, c.Amount)
		}
		if was, became := writeCounted(is), writeCounted(should); was != became || i.stale() || i.gone || i.broken || i.misread != "" {
			i.counted, i.changed = should, true
			changed[i.Source+" "+i.Key] = i
			t.log = append(t.log, logRow{logKey: logKey{Member: member, Source: i.Source, Key: i.Key, EventID: i.EventID, Reason: "check"}})
		}
	}
	return t.write(ctx, tx, changed)
}
