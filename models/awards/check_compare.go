package awards

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

func (c *CheckResult) compareCounters(ctx context.Context, tx *gorm.DB, s *Ruleset, should map[counterKey]int64) error {
	var rows []cell
	err := tx.WithContext(ctx).Raw(`SELECT objective_id, member_id, period, status, amount FROM objective_counters
		WHERE member_id % @slices = @slice AND amount <> 0`,
		pg.Named("slices", AwardSlices, "slice", c.Slice)).Scan(&rows).Error
	if err != nil {
		return err
	}
	is := map[counterKey]int64{}
	for i := range rows {
		if k := rows[i].counter(); s.objectives[k.Objective] != nil {
			is[k] = rows[i].Amount
			if should[k] != rows[i].Amount {
				c.differ(k.Member, s.nameOf(k), rows[i].Amount, should[k])
			}
		}
	}
	for k, n := range should {
		if _, ok := is[k]; !ok {
			c.differ(k.Member, s.nameOf(k), 0, n)
		}
	}
	return nil
}

func (c *CheckResult) differ(member int64, what string, is, should int64) {
	c.Differences = append(c.Differences, Difference{member, what, rules.Amount(is).String(), rules.Amount(should).String()})
}

// nameOf says which counter a key is, for people.
func (s *Ruleset) nameOf(k counterKey) string {
	o := s.objectives[k.Objective]
	return fmt.Sprintf("counter %s of objective %s of award %s%s", k.Status, o.objective.ID, o.award.Award.Slug, spaced(k.Period))
}

// compareProgress compares awards of which no change waits.
func (c *CheckResult) compareProgress(ctx context.Context, tx *gorm.DB, s *Ruleset, should map[counterKey]int64) error {
	var rows []struct {
		AwardID, MemberID int64
		Period, Progress  string
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT award_id, member_id, period, CAST(progress AS text) AS progress FROM user_awards u
			WHERE member_id % @slices = @slice AND NOT EXISTS (
			SELECT FROM award_pending d WHERE d.member_id = u.member_id AND d.award_id = u.award_id)`,
		pg.Named("slices", AwardSlices, "slice", c.Slice)).Scan(&rows).Error
	if err != nil {
		return err
	}
	is := map[pendingKey]string{}
	for _, r := range rows {
		is[pendingKey{r.AwardID, r.MemberID, r.Period}] = r.Progress
	}
	waiting, err := waitingPairs(ctx, tx, c.Slice)
	if err != nil {
		return err
	}
	for key, counters := range s.byAward(should) {
		a := s.awards[key.Award]
		p := a.Award.Progress(counters)
		if have, ok := is[key]; !waiting[pendingKey{key.Award, key.Member, ""}] && (ok || p.Started) && have != p.Value.String() {
			c.Differences = append(c.Differences, Difference{key.Member, "progress of award " + a.Award.Slug + spaced(key.Period), have,
				p.Value.String()})
		}
		delete(is, key)
	}
	for key, have := range is { // Of what nothing is counted any more.
		if a := s.awards[key.Award]; a != nil && have != "0" {
			c.Differences = append(c.Differences, Difference{key.Member, "progress of award " + a.Award.Slug + spaced(key.Period), have,
				"0"})
		}
	}
	return nil
}

// byAward are the active counters of each member's award and period, by objective.
func (s *Ruleset) byAward(counters map[counterKey]int64) map[pendingKey]map[string]rules.Amount {
	all := map[pendingKey]map[string]rules.Amount{}
	for k, n := range counters {
		o := s.objectives[k.Objective]
		key := pendingKey{o.award.ID, k.Member, k.Period}
		if all[key] == nil {
			all[key] = map[string]rules.Amount{}
		}
		if k.Status == rules.Active {
			all[key][o.objective.ID] = rules.Amount(n)
		}
	}
	return all
}

// waitingPairs are the members and awards of a slice that are in the queue.
func waitingPairs(ctx context.Context, tx *gorm.DB, slice int) (map[pendingKey]bool, error) {
	var rows []struct{ AwardID, MemberID int64 }
	err := tx.WithContext(ctx).Raw(`SELECT DISTINCT award_id, member_id FROM award_pending WHERE member_id % @slices = @slice`,
		pg.Named("slices", AwardSlices, "slice", slice)).Scan(&rows).Error
	waiting := make(map[pendingKey]bool, len(rows))
	for _, r := range rows {
		waiting[pendingKey{r.AwardID, r.MemberID, ""}] = true
	}
	return waiting, err
}

func spaced(period string) string {
	if period == "" {
		return ""
	}
	return " from " + period
}
