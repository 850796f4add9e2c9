package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/badges"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A ByHand is what an admin gives or takes. A grant that was given or taken by
// hand is locked: progress changes it no more.
type ByHand struct {
	Member, Award string
	Level         int    // Lower ones come with it, or with what is taken higher ones go; 0 is the last one, or all.
	Period        string // Any day of it; "" is the current one, or all where it is taken.
	Note, Author  string
}

// deed is a ByHand whose names were found, in a transaction that keeps them.
type deed struct {
	ByHand
	award  Award
	doc    rules.Award
	member members.Member
	now    time.Time
}

// GrantByHand gives a member an award, whatever the progress is.
func GrantByHand(ctx context.Context, db *gorm.DB, by ByHand, now time.Time) error {
	return byHand(ctx, db, by, now, func(tx *gorm.DB, d *deed) error {
		if d.member.BannedAt != nil {
			return &pg.InputError{Field: "member", Message: d.member.Name + " is banned from awards; lift the ban first"}
		}
		if !d.award.State.Shown() {
			return &pg.InputError{Field: "award", Message: fmt.Sprintf("an award that is %s cannot be given", d.award.State)}
		}
		return d.grant(tx)
	})
}

// RevokeByHand takes an award from a member.
func RevokeByHand(ctx context.Context, db *gorm.DB, by ByHand, now time.Time) error {
	return byHand(ctx, db, by, now, func(tx *gorm.DB, d *deed) error { return d.revoke(tx) })
}

// byHand does what an admin wants while nobody else grants.
func byHand(ctx context.Context, db *gorm.DB, by ByHand, now time.Time, do func(*gorm.DB, *deed) error) error {
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := lockGrants(ctx, tx); err != nil {
			return err
		}
		d := &deed{ByHand: by, now: now}
		var err error
		if d.award, err = Named(ctx, tx, by.Award); err != nil {
			return err
		}
		if d.member, err = awardee(ctx, tx, by.Member); err != nil {
			return err
		}
		if d.Note, err = noteOf(by.Note); err != nil {
			return err
		}
		if d.award.Version == 0 {
			return &pg.InputError{Field: "award", Message: "this award was never activated; activate it first"}
		}
		v, err := VersionOf(ctx, tx, &d.award, d.award.Version)
		if err != nil {
			return err
		}
		d.doc, _ = v.Parsed() // Its levels can be read where a filter cannot.
		if last := max(len(d.doc.Levels), 1); d.Level < 0 || d.Level > last {
			return &pg.InputError{Field: "level", Message: fmt.Sprintf("this award has levels 1 to %d", last)}
		}
		if err := d.findPeriod(); err != nil {
			return err
		}
		if err := do(tx, d); err != nil {
			return err
		}
		if err := badges.Allot(ctx, tx, now); err != nil {
			return err
		}
		return noticeChanges(ctx, tx, []int64{d.member.ID}, now)
	})
	if err != nil {
		return fmt.Errorf("award %q of %q: %w", by.Award, by.Member, err)
	}
	return nil
}

// findPeriod makes of a day the period it is in.
func (d *deed) findPeriod() error {
	if d.Period == "" {
		return nil
	}
	on, err := time.Parse(time.DateOnly, d.Period)
	if err != nil {
		return &pg.InputError{Field: "period", Message: "name a period by one of its days, such as 2026-11-01"}
	}
	zone := d.member.Location()
	if d.doc.Window != nil && d.doc.Window.Zone.Location != nil {
		zone = d.doc.Window.Zone.Location
	}
	p, in := d.doc.Window.Period(&rules.Event{At: time.Date(on.Year(), on.Month(), on.Day(), 12, 0, 0, 0, zone), Zone: zone})
	if !in || d.doc.Window == nil {
		return &pg.InputError{Field: "period", Message: "that day does not count for this award"}
	}
	d.Period = p.Start
	return nil
}

// grant gives all levels up to the one that is meant. One that is held already
// is only locked.
func (d *deed) grant(tx *gorm.DB) error {
	if d.Level == 0 {
		d.Level = max(len(d.doc.Levels), 1)
	}
	if d.Period == "" {
		d.Period = currentPeriod(&d.doc, d.now, d.member.Location())
	}
	return tx.Exec(queries.Must("grant_by_hand"), pg.Named("award", d.award.ID, "member", d.member.ID, "period", d.Period,
		"level", d.Level, "version", d.award.Version, "author", d.Author, "note", d.Note, "now", d.now)).Error
}

// revoke takes what is held, from the level that is meant on.
func (d *deed) revoke(tx *gorm.DB) error {
	res := tx.Exec(`
		WITH taken AS (
			UPDATE award_grants SET revoked_at = @now, revoked_reason = @note, locked = true
			WHERE member_id = @member AND award_id = @award AND revoked_at IS NULL AND level >= @level
				AND (@period = '' OR period = @period)
			RETURNING id)
		INSERT INTO award_grant_log (grant_id, at, what, reason, author) SELECT id, @now, 'revoked', @note, @author FROM taken ORDER BY id`,
		pg.Named("award", d.award.ID, "member", d.member.ID, "period", d.Period, "level", d.Level, "author", d.Author,
			"note", d.Note, "now", d.now))
	if res.Error == nil && res.RowsAffected == 0 {
		return &pg.InputError{Field: "award", Message: d.member.Name + " does not have it now"}
	}
	return res.Error
}
