package models

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"laurel/models/awards"
)

func (c *AwardCheck) compareCounters(ctx context.Context, tx *gorm.DB, s *Scheme, should map[counterKey]int64) error {
	var rows []cell
	err := tx.WithContext(ctx).Raw(`SELECT objective_id, member_id, period, status, amount FROM objective_counters WHERE member_id % @slices = @slice AND amount <> 0`,
		named("slices", AwardSlices, "slice", c.Slice)).Scan(&rows).Error
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

func (c *AwardCheck) differ(member int64, what string, is, should int64) {
	c.Differences = append(c.Differences, AwardDifference{member, what, awards.Amount(is).String(), awards.Amount(should).String()})
}

// nameOf says which counter a key is, for people.
func (s *Scheme) nameOf(k counterKey) string {
	o := s.objectives[k.Objective]
	return fmt.Sprintf("counter %s of objective %s of award %s%s", k.Status, o.objective.ID, o.award.Award.Slug, spaced(k.Period))
}

// compareProgress looks at awards of which no change waits.
func (c *AwardCheck) compareProgress(ctx context.Context, tx *gorm.DB, s *Scheme, should map[counterKey]int64) error {
	var rows []struct {
		AwardID, MemberID int64
		Period, Progress  string
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT award_id, member_id, period, CAST(progress AS text) AS progress FROM user_awards u WHERE member_id % @slices = @slice AND NOT EXISTS (
			SELECT FROM award_dirty d WHERE d.member_id = u.member_id AND d.award_id = u.award_id)`, named("slices", AwardSlices, "slice", c.Slice)).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		a := s.awards[r.AwardID]
		if a == nil {
			continue
		}
		counters := map[string]awards.Amount{}
		for _, o := range a.objectives {
			counters[o.objective.ID] = awards.Amount(should[counterKey{o.id, r.MemberID, r.Period, awards.Active}])
		}
		if want := a.Award.Progress(counters).Value.String(); want != r.Progress {
			c.Differences = append(c.Differences, AwardDifference{r.MemberID, "progress of award " + a.Award.Slug + spaced(r.Period), r.Progress, want})
		}
	}
	return nil
}

func spaced(period string) string {
	if period == "" {
		return ""
	}
	return " from " + period
}
