package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/badges"
	pg "laurel/models/db"
)

// mendGrants makes the grants of a member and their log what they should be, and dates them by the items.
func mendGrants(ctx context.Context, tx *gorm.DB, member int64, now time.Time) error {
	if err := badges.Link(ctx, tx, member); err != nil {
		return err
	}
	list, err := loggedGrants(ctx, tx, member-1, member)
	if err != nil {
		return err
	}
	for i := range list {
		g := &list[i]
		r := g.repair()
		if r.forged {
			r.RevokedAt, r.RevokedReason = &now, "check: the log of grants does not know it"
			r.add = &grantLine{now, "revoked", r.RevokedReason, ""}
		}
		if err := r.write(ctx, tx, &g.AwardGrant); err != nil {
			return fmt.Errorf("grant %d: %w", g.ID, err)
		}
	}
	return redateMember(ctx, tx, member, now)
}

// write stores what differs from what was there.
func (r *repair) write(ctx context.Context, tx *gorm.DB, was *AwardGrant) error {
	tx = tx.WithContext(ctx)
	if r.remove != 0 {
		if err := tx.Exec(`DELETE FROM award_grant_log WHERE id = @id`, pg.Named("id", r.remove)).Error; err != nil {
			return err
		}
	}
	if r.add != nil {
		err := tx.Exec(`INSERT INTO award_grant_log (grant_id, at, what, reason, author) VALUES (@grant, @at, @what, @reason, @author)`,
			pg.Named("grant", r.ID, "at", r.add.at, "what", r.add.what, "reason", r.add.reason, "author", r.add.author)).Error
		if err != nil {
			return err
		}
	}
	if r.same(was) {
		return nil
	}
	return tx.Exec(`
		UPDATE award_grants SET award_version = @version, granted_at = @granted, found_at = @found, given_by = @giver,
			revoked_at = @revoked, revoked_reason = @reason, locked = @locked WHERE id = @id`,
		pg.Named("version", r.AwardVersion, "granted", r.GrantedAt, "found", r.FoundAt, "giver", r.GivenBy,
			"revoked", r.RevokedAt, "reason", r.RevokedReason, "locked", r.Locked, "id", r.ID)).Error
}

func (r *repair) same(g *AwardGrant) bool {
	return held(g) == held(&r.AwardGrant) && g.FoundAt.Equal(r.FoundAt) && g.GrantedAt.Equal(r.GrantedAt) && g.Locked == r.Locked &&
		g.GivenBy == r.GivenBy && g.AwardVersion == r.AwardVersion
}

// redateMember dates the levels of a member by the items, so that a badge whose date is right is not made again.
func redateMember(ctx context.Context, tx *gorm.DB, member int64, now time.Time) error {
	c := &CheckResult{StartedAt: now, LastMember: member}
	k, err := c.checker(ctx, tx, member-1)
	if err != nil {
		return err
	}
	k.waiting = nil // They are evaluated afterwards, by the same items.
	if err := k.recount(ctx, tx); err != nil {
		return err
	}
	k.compareRest()
	var ids []int64
	var ats []time.Time
	for id, at := range k.dates {
		ids, ats = append(ids, id), append(ats, at)
	}
	return writeDates(ctx, tx, ids, ats)
}
