package awards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// A Difference is a counter or an award that is not what it should be.
type Difference struct {
	Member int64  `json:"member"`
	What   string `json:"what"`
	Is     string `json:"is"`
	Should string `json:"should"`
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
	should, err := c.recount(ctx, tx, &s)
	if err != nil {
		return err
	}
	if err := c.compareCounters(ctx, tx, &s, should); err != nil {
		return err
	}
	return c.compareProgress(ctx, tx, &s, should)
}

// recount counts the items of the slice as they are described by their events.
// An item that was counted before its time was up stays counted: that it came in
// time only the ledger knows.
func (c *CheckResult) recount(ctx context.Context, tx *gorm.DB, s *Ruleset) (map[counterKey]int64, error) {
	rows, err := tx.WithContext(ctx).Raw(`
		SELECT i.member_id, i.source, i.zone, i.arrived_at, i.body, i.contributions FROM items i
		WHERE i.member_id % @slices = @slice ORDER BY i.member_id`, pg.Named("slices", AwardSlices, "slice", c.Slice)).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	should := map[counterKey]int64{}
	cells, last := map[cellKey]int64{}, int64(0)
	for rows.Next() {
		var i ledgerItem
		if err := rows.Scan(&i.MemberID, &i.Source, &i.Zone, &i.ArrivedAt, &i.Body, &i.Contributions); err != nil {
			return nil, err
		}
		if i.MemberID != last {
			s.addUp(cells, should)
			clear(cells)
			last = i.MemberID
			c.Members++
		}
		c.Items++
		if err := s.countItem(&i, cells); err != nil {
			return nil, err
		}
	}
	s.addUp(cells, should)
	return should, rows.Err()
}

func (s *Ruleset) countItem(i *ledgerItem, cells map[cellKey]int64) error {
	kept, err := readCounted(i.Contributions)
	if err != nil {
		return err
	}
	e, mistakes := rules.ParseEvent([]byte(i.Body))
	if len(mistakes) > 0 {
		return nil
	}
	e.Zone = zoneOf(i.Zone)
	for _, o := range s.of(i.Source) {
		contribution, late := o.contribution(&e, i.ArrivedAt)
		if late {
			contribution = contributedBefore(o.id, kept)
		}
		if contribution.Amount != 0 {
			cells[cellKey{counterKey{o.id, i.MemberID, contribution.Period, contribution.Status}, contribution.Cell}] += contribution.Amount
		}
	}
	return nil
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
