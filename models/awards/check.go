package awards

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
)

// A CheckResult is what a slice of the members came to when all that is counted
// for them was recounted from the events in the ledger.
type CheckResult struct {
	ID          int64
	StartedAt   time.Time
	Took        float64 // Seconds.
	Slice       int
	Members     int
	Items       int64
	Differences []Difference `gorm:"serializer:json"`
}

// A Difference is something counted, granted or dated that is not what it should be.
type Difference struct {
	Member int64  `json:"member"`
	What   string `json:"what"`
	Is     string `json:"is"`
	Should string `json:"should"`
	// Takes says that mending it takes a grant away.
	Takes bool `json:"takes,omitempty"`
}

// AwardSlices is in how many nights all members are checked.
const AwardSlices = 7

// TableName is where they are stored.
func (CheckResult) TableName() string { return "award_checks" }

// Check recounts, from the events in the ledger, what one slice of the
// members has, and stores what differs. It writes nothing else: a difference is
// a defect, and hiding it would not mend it.
func Check(ctx context.Context, db *gorm.DB, slice int, now time.Time) (CheckResult, error) {
	c := CheckResult{StartedAt: now, Slice: slice, Differences: []Difference{}}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var began, ended time.Time
		if err := tx.Raw(`SELECT clock_timestamp()`).Row().Scan(&began); err != nil {
			return err
		}
		if err := c.compare(ctx, tx); err != nil {
			return err
		}
		if err := tx.Raw(`SELECT clock_timestamp()`).Row().Scan(&ended); err != nil {
			return err
		}
		c.Took = ended.Sub(began).Seconds()
		return nil
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return c, fmt.Errorf("check awards: %w", err)
	}
	if err := gorm.G[CheckResult](db).Create(ctx, &c); err != nil {
		return c, fmt.Errorf("store the check of awards: %w", err)
	}
	return c, nil
}

// compare works in one view of the database.
func (c *CheckResult) compare(ctx context.Context, tx *gorm.DB) error {
	var s Ruleset
	if err := s.load(ctx, tx); err != nil {
		return err
	}
	s.bySource = map[string][]*runningObjective{}
	for id, a := range s.awards {
		if a.Recounting { // Half of it is counted.
			delete(s.awards, id)
			for _, o := range a.objectives {
				delete(s.objectives, o.id)
			}
		}
	}
	k := &checker{CheckResult: c, s: &s, now: c.StartedAt}
	if err := k.load(ctx, tx); err != nil {
		return err
	}
	if err := k.recount(ctx, tx); err != nil {
		return err
	}
	k.compareRest()
	return nil
}

// recount counts the items of the slice as they are described by their events, member by member.
// An item that was counted before its time was up stays counted: that it came in time only the
// ledger knows.
func (k *checker) recount(ctx context.Context, tx *gorm.DB) error {
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT i.member_id, i.source, i.key, coalesce(i.first_at, i.at), i.zone, i.arrived_at, i.body, i.contributions FROM items i
		WHERE i.member_id % @slices = @slice ORDER BY i.member_id`, pg.Named("slices", AwardSlices, "slice", k.Slice)).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var m *recounted
	for rows.Next() {
		var i ledgerItem
		err := rows.Scan(&i.MemberID, &i.Source, &i.Key, &i.FirstAt, &i.Zone, &i.ArrivedAt, &i.Body, &i.Contributions)
		if err != nil {
			return err
		}
		if m == nil || m.member != i.MemberID {
			k.compareMember(m)
			m = &recounted{member: i.MemberID, cells: map[cellKey]int64{}, dated: map[pendingKey][]rules.Counted{}}
			k.Members++
		}
		k.Items++
		if err := k.countItem(&i, m); err != nil {
			return err
		}
	}
	k.compareMember(m)
	return rows.Err()
}

// contributed is what an item contributes by its event, to the objectives that are counted.
func (s *Ruleset) contributed(i *ledgerItem) (should, is []counted, err error) {
	kept, err := readCounted(i.Contributions)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range kept {
		if s.objectives[c.Objective] != nil {
			is = append(is, c)
		}
	}
	e, mistakes := rules.ParseEvent([]byte(i.Body))
	if len(mistakes) > 0 {
		return is, is, nil // Nobody can read it any more: it stays as it is.
	}
	e.Zone = zoneOf(i.Zone)
	for _, o := range s.of(i.Source) {
		c, late := o.contribution(&e, i.ArrivedAt)
		if late {
			c = contributedBefore(o.id, kept)
		}
		if c.Amount != 0 {
			should = append(should, c)
		}
	}
	byObjective := func(a, b counted) int { return cmp.Compare(a.Objective, b.Objective) }
	slices.SortFunc(should, byObjective)
	slices.SortFunc(is, byObjective)
	return should, is, nil
}

// addUp adds the counters that cells come to.
func (s *Ruleset) addUp(cells map[cellKey]int64, counters map[counterKey]int64) {
	all := map[counterKey]map[string]rules.Amount{}
	for k, n := range cells {
		if all[k.counterKey] == nil {
			all[k.counterKey] = map[string]rules.Amount{}
		}
		all[k.counterKey][k.Cell] = rules.Amount(n)
	}
	for k, cells := range all {
		if n := s.objectives[k.Objective].objective.Rule.Config.Value(cells); n != 0 {
			counters[k] = int64(n)
		}
	}
}

// Nightly checks the slice of the night, once in 24 hours for all processes
// together; nil where it was done already.
func Nightly(ctx context.Context, db *gorm.DB, now time.Time) (*CheckResult, error) {
	var due bool
	err := db.WithContext(ctx).Raw(`
		INSERT INTO settings (key, value) VALUES ('awards checked', CAST(@today AS text))
		ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value WHERE settings.value <> EXCLUDED.value RETURNING true`,
		pg.Named("today", now.UTC().Format(time.DateOnly))).Scan(&due).Error
	if err != nil || !due {
		return nil, err
	}
	c, err := Check(ctx, db, int(now.Unix()/(24*60*60))%AwardSlices, now)
	return &c, err
}

// LastCheck returns the newest check; its ID is 0 before the first.
func LastCheck(ctx context.Context, db *gorm.DB) (c CheckResult, err error) {
	c, err = gorm.G[CheckResult](db).Order("id DESC").Limit(1).Take(ctx)
	if err != nil && !errors.Is(err, pg.ErrNotFound) {
		return c, fmt.Errorf("last check of awards: %w", err)
	}
	return c, nil
}

// MemberNames are the names of the members of whom something differs.
func MemberNames(ctx context.Context, db *gorm.DB, differences []Difference) (map[int64]string, error) {
	names, ids := map[int64]string{}, make([]int64, len(differences))
	for i, d := range differences {
		ids[i] = d.Member
	}
	var rows []struct {
		ID   int64
		Name string
	}
	if err := db.WithContext(ctx).Raw(`SELECT id, name FROM members WHERE id = ANY(CAST(@ids AS bigint[]))`,
		pg.Named("ids", &ids)).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("names of members: %w", err)
	}
	for _, r := range rows {
		names[r.ID] = r.Name
	}
	return names, nil
}
