package awards

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	"laurel/models/badges"
	pg "laurel/models/db"
)

// A CheckResult is what members came to when all that is counted for them was recounted, from Laurel's own rows
// and from the events in the ledger: those of a slice, or all slices of a run together.
type CheckResult struct {
	ID          int64
	StartedAt   time.Time
	Took        float64 // Seconds.
	Kind        string  // all or night.
	LastMember  int64   // All members up to this one are checked.
	Members     int
	Items       int64
	Busy        int          // Members who were left out: changes of theirs wait to be counted.
	Differences []Difference `gorm:"serializer:json"`
}

func (c *CheckResult) add(slice *CheckResult) {
	c.Took, c.Members, c.Items, c.Busy = c.Took+slice.Took, c.Members+slice.Members, c.Items+slice.Items, c.Busy+slice.Busy
	c.Differences, c.LastMember = append(c.Differences, slice.Differences...), slice.LastMember
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

// itemsChecked is about how many items a slice has: enough that its fixed cost does not matter.
const itemsChecked = 5000

// end is behind all members.
const end = math.MaxInt64

// Shared stands for a member where a difference is about what all share.
const Shared = badges.Shared

// TableName is where they are stored.
func (CheckResult) TableName() string { return "award_checks" }

// Check recounts what the members behind one and up to another have, in one short transaction. It writes
// nothing: a difference is a defect, and hiding it would not mend it.
func Check(ctx context.Context, db *gorm.DB, after, last int64, now time.Time) (CheckResult, error) {
	c := CheckResult{StartedAt: now, LastMember: last, Differences: []Difference{}}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var began, ended time.Time
		if err := tx.Raw(`SELECT clock_timestamp()`).Row().Scan(&began); err != nil {
			return err
		}
		if err := c.compare(ctx, tx, after); err != nil {
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
	return c, nil
}

// CheckNext checks the next slice of all members, and stores what the run came to so far. A run that was stopped
// is gone on with within a day; done says that this was its last slice.
func CheckNext(ctx context.Context, db *gorm.DB, now time.Time) (slice CheckResult, done bool, err error) {
	run, err := gorm.G[CheckResult](db).Where("kind = 'all'").Order("id DESC").Limit(1).Take(ctx)
	if errors.Is(err, pg.ErrNotFound) || err == nil && (run.LastMember == end || run.StartedAt.Before(now.Add(-24*time.Hour))) {
		run, err = CheckResult{StartedAt: now, Kind: "all", LastMember: -1, Differences: []Difference{}}, nil
	}
	if err != nil {
		return slice, false, fmt.Errorf("check awards: %w", err)
	}
	last, err := sliceEnd(ctx, db, run.LastMember, end)
	if err != nil {
		return slice, false, err
	}
	if slice, err = Check(ctx, db, run.LastMember, last, now); err != nil {
		return slice, false, err
	}
	run.add(&slice)
	return slice, last == end, run.store(ctx, db)
}

func (c *CheckResult) store(ctx context.Context, db *gorm.DB) error {
	if err := db.WithContext(ctx).Save(c).Error; err != nil {
		return fmt.Errorf("store the check of awards: %w", err)
	}
	return nil
}

// sliceEnd is the member with whom a slice ends that begins behind another one.
func sliceEnd(ctx context.Context, db *gorm.DB, after, limit int64) (int64, error) {
	last, err := nextMember(ctx, db, &Recount{MemberID: after}, nil, itemsChecked)
	if err != nil {
		return 0, fmt.Errorf("slice of the ledger: %w", err)
	}
	more, err := nextMember(ctx, db, &Recount{MemberID: last}, nil, 1)
	if last == 0 || more == 0 || last > limit {
		last = limit
	}
	return last, err
}

// compare works in one view of the database.
func (c *CheckResult) compare(ctx context.Context, tx *gorm.DB, after int64) error {
	k, err := c.checker(ctx, tx, after)
	if err != nil {
		return err
	}
	if err := k.recount(ctx, tx); err != nil {
		return err
	}
	k.compareRest()
	if after < 0 { // What all members share comes with the first slice.
		after = Shared - 1
	}
	list, err := badges.Check(ctx, tx, after, c.LastMember)
	for _, d := range list {
		if !k.busy[d.Member] {
			c.Differences = append(c.Differences, Difference(d))
		}
	}
	slices.SortStableFunc(c.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.What, b.What))
	})
	return err
}

// checker reads what is stored of a slice.
func (c *CheckResult) checker(ctx context.Context, tx *gorm.DB, after int64) (*checker, error) {
	var s Ruleset
	if err := s.load(ctx, tx); err != nil {
		return nil, err
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
	k := &checker{CheckResult: c, s: &s, now: c.StartedAt, after: after}
	return k, k.load(ctx, tx)
}

// recount counts the items of the slice as they are described by their events, member by member.
// An item that was counted before its time was up stays counted: that it came in time only the
// ledger knows.
func (k *checker) recount(ctx context.Context, tx *gorm.DB) error {
	s := span{after: k.after, last: k.LastMember}
	items, err := s.read(ctx, tx)
	if err != nil {
		return err
	}
	var m *recounted
	for n := range items {
		i := &items[n]
		if k.busy[i.MemberID] || k.busy[i.of()] {
			continue
		}
		if m == nil || m.member != i.MemberID {
			k.compareMember(m)
			m = &recounted{member: i.MemberID, cells: map[cellKey]int64{}, dated: map[pendingKey][]rules.Counted{}}
			k.Members++
		}
		k.Items++
		k.countItem(i, m)
	}
	k.compareMember(m)
	return nil
}

// contributed is what an item contributes by its event, to the objectives that are counted. What else the ledger
// says of a foreign item is set to what the event says.
func (s *Ruleset) contributed(i *ledgerItem) (should, is []counted) {
	for _, c := range i.counted {
		if s.objectives[c.Objective] != nil {
			is = append(is, c)
		}
	}
	if i.gone {
		return nil, is
	}
	e, mistakes := rules.ParseEvent([]byte(i.Body))
	if len(mistakes) > 0 {
		return is, is // Nobody can read it any more: it stays as it is.
	}
	if !i.own() {
		i.restore(&e)
	}
	e.Zone = zoneOf(i.Zone)
	for _, o := range s.of(i.Source) {
		c, late := o.contribution(&e, i.ArrivedAt)
		if late {
			c = contributedBefore(o.id, i.counted)
		}
		if c.Amount != 0 {
			should = append(should, c)
		}
	}
	byObjective := func(a, b counted) int { return cmp.Compare(a.Objective, b.Objective) }
	slices.SortFunc(should, byObjective)
	slices.SortFunc(is, byObjective)
	return should, is
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
	names, ids := map[int64]string{Shared: "everybody"}, make([]int64, len(differences))
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
