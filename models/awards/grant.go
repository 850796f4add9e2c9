package awards

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/badges"
	pg "laurel/models/db"
)

// mayBeRedated are the held levels whose dates an item may have moved: one that happened before, or by which a level
// that was kept is reached again.
func (r *evaluation) mayBeRedated() (list []*grantChange) {
	for _, p := range r.pairs {
		for level, g := range p.grants {
			if g.RevokedAt == nil && p.dates(g) && level <= p.progress.Level &&
				(p.changedAt == nil || level > p.was || !p.changedAt.After(g.GrantedAt)) {
				list = append(list, &grantChange{p, level, "dated", "", g.GrantedAt})
			}
		}
	}
	return list
}

// date finds when each level was reached: at the item that reached it, in the order in which they
// happened, which may be long ago. What was lost keeps its date.
func (r *evaluation) date(ctx context.Context, tx *gorm.DB, changes []*grantChange) error {
	items := map[*pair][]rules.Counted{}
	of, members := map[int64][]*pair{}, []int64{}
	for _, c := range changes {
		if _, known := items[c.pair]; c.what != "revoked" && !known {
			items[c.pair], of[c.Member], members = []rules.Counted{}, append(of[c.Member], c.pair), append(members, c.Member)
		}
	}
	if len(members) == 0 {
		return nil
	}
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT member_id, coalesce(first_at, at), contributions FROM items
		WHERE member_id = ANY(CAST(@members AS bigint[])) AND contributions <> '[]' ORDER BY member_id`,
		pg.Named("members", &members)).Rows()
	if err != nil {
		return fmt.Errorf("items of who is granted: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var i ledgerItem
		if err := rows.Scan(&i.MemberID, &i.At, &i.Contributions); err != nil {
			return err
		}
		list, err := readCounted(i.Contributions)
		if err != nil {
			return err
		}
		for _, p := range of[i.MemberID] {
			items[p] = append(items[p], p.counts(i.At, list)...)
		}
	}
	slices.SortStableFunc(changes, func(a, b *grantChange) int { return a.level - b.level })
	for _, c := range changes {
		if g := c.grants[c.level]; c.what != "revoked" && (g == nil || c.dates(g)) {
			c.at = r.reached(c, items[c.pair])
			c.reached[c.level] = c.at
		}
	}
	return rows.Err()
}

// dates says whether the date of a grant follows the items: not by hand, and not that of what was won
// by an earlier version of the award.
func (p *pair) dates(g *AwardGrant) bool { return !g.Locked && g.AwardVersion == p.award.Number }

// reached is when the items reached a level: never in the future, and not before the level below.
func (r *evaluation) reached(c *grantChange, items []rules.Counted) time.Time {
	at, ok := c.award.Award.Crossed(c.level, items)
	if !ok {
		return c.at
	}
	if now := r.now.Truncate(time.Microsecond); now.Before(at) {
		at = now
	}
	below, dated := c.pair.reached[c.level-1]
	if g := c.grants[c.level-1]; !dated && g != nil && g.RevokedAt == nil {
		below = g.GrantedAt
	}
	if at.Before(below) {
		return below
	}
	return at
}

// redate writes the dates of levels that are others than before; their badges are made anew.
func redate(ctx context.Context, tx *gorm.DB, changes []*grantChange, now time.Time) error {
	var ids []int64
	var ats []time.Time
	for _, c := range changes {
		if g := c.grants[c.level]; g != nil && c.what != "revoked" && !g.GrantedAt.Equal(c.at) {
			ids, ats = append(ids, g.ID), append(ats, c.at)
		}
	}
	if err := writeDates(ctx, tx, ids, ats); err != nil || len(ids) == 0 {
		return err
	}
	return badges.Redate(ctx, tx, ids, now)
}

func writeDates(ctx context.Context, tx *gorm.DB, ids []int64, ats []time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	err := tx.WithContext(ctx).Exec(`
		UPDATE award_grants g SET granted_at = d.at
		FROM unnest(CAST(@ids AS bigint[]), CAST(@ats AS timestamptz[])) AS d(id, at) WHERE g.id = d.id`,
		pg.Named("ids", &ids, "ats", &ats)).Error
	if err != nil {
		return fmt.Errorf("date grants: %w", err)
	}
	return nil
}

// counts are the contributions of an item that count for the pair.
func (p *pair) counts(at time.Time, contributions []counted) (list []rules.Counted) {
	for i := range contributions {
		if name, ok := p.award.nameOf(contributions[i].Objective); ok && contributions[i].Period == p.Period {
			list = append(list, rules.Counted{At: at, Objective: name, Contribution: contributions[i].plain()})
		}
	}
	return list
}

// nameOf is the name of a live objective in the document.
func (a *runningAward) nameOf(id int64) (string, bool) {
	for _, o := range a.objectives {
		if o.id == id {
			return o.objective.ID, true
		}
	}
	return "", false
}

// writeGrants stores what was granted and what was lost, each with its line in
// the log of grants.
func writeGrants(ctx context.Context, tx *gorm.DB, changes []*grantChange, now time.Time) error {
	if len(changes) == 0 {
		return nil
	}
	var ids, members, levels, versions []int64
	var periods, whats, reasons []string
	var ats []time.Time
	for _, c := range changes {
		ids, members, levels, versions = append(ids, c.Award), append(members, c.Member), append(levels, int64(c.level)), append(versions,
			int64(c.award.Number))
		periods, whats, reasons, ats = append(periods, c.Period), append(whats, c.what), append(reasons, c.reason), append(ats, c.at)
	}
	err := tx.WithContext(ctx).Exec(queries.Must("write_grants"),
		pg.Named("awards", &ids, "members", &members, "periods", &periods, "levels", &levels, "versions", &versions, "whats", &whats,
			"reasons", &reasons, "ats", &ats, "now", now)).Error
	if err != nil {
		return fmt.Errorf("write grants: %w", err)
	}
	if err := badges.Allot(ctx, tx, now); err != nil {
		return err
	}
	return noticeChanges(ctx, tx, members, now)
}
