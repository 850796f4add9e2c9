package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/badges"
	pg "laurel/models/db"
)

// date finds when each new grant was reached: at the item that reached it, which
// may be long ago.
func (r *evaluation) date(ctx context.Context, tx *gorm.DB, changes []*grantChange) error {
	var members []int64
	fresh := map[int64][]*grantChange{}
	for _, c := range changes {
		if c.what == "granted" {
			members = append(members, c.Member)
			fresh[c.Member] = append(fresh[c.Member], c)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT member_id, at, contributions FROM items
		WHERE member_id = ANY(CAST(@members AS bigint[])) AND contributions <> '[]' ORDER BY member_id`,
		pg.Named("members", &members)).Rows()
	if err != nil {
		return fmt.Errorf("items of who is granted: %w", err)
	}
	defer func() { _ = rows.Close() }()
	items := map[*grantChange][]rules.Counted{}
	for rows.Next() {
		var i ledgerItem
		if err := rows.Scan(&i.MemberID, &i.At, &i.Contributions); err != nil {
			return err
		}
		list, err := readCounted(i.Contributions)
		if err != nil {
			return err
		}
		for _, c := range fresh[i.MemberID] {
			items[c] = append(items[c], c.counts(i.At, list)...)
		}
	}
	for c, list := range items {
		if at, ok := c.award.Award.Crossed(c.level, list); ok && at.Before(c.at) {
			c.at = at
		}
	}
	return rows.Err()
}

// counts are the contributions of an item that count for what is granted.
func (c *grantChange) counts(at time.Time, contributions []counted) (list []rules.Counted) {
	for i := range contributions {
		if name, ok := c.award.nameOf(contributions[i].Objective); ok && contributions[i].Period == c.Period {
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
	if err := badges.Allot(ctx, tx); err != nil {
		return err
	}
	return noticeChanges(ctx, tx, members, now)
}
