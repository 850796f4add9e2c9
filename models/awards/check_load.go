package awards

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	pg "laurel/models/db"
	"laurel/models/events"
)

// A checker compares a slice of the members with what was recounted of them.
type checker struct {
	*CheckResult
	s     *Ruleset
	now   time.Time
	after int64 // The members behind this one.

	// What is stored, of awards that are counted; what was compared is taken out.
	// A cell without a name is none that a rule makes.
	cells    map[cellKey]int64
	counters map[counterKey]int64
	progress map[pendingKey]reachedRow
	grants   map[pendingKey]map[int]*AwardGrant
	dates    map[int64]time.Time // Of grants that have another one.
	waiting  map[pendingKey]bool
	barred   map[int64]bool
	busy     map[int64]bool // Events about own rows of theirs wait.
}

func (k *checker) slice() map[string]any { return pg.Named("after", k.after, "last", k.LastMember) }

// A reachedRow is how far a member is.
type reachedRow struct {
	Progress, Goal string
	Level          int
	Started        bool
}

func (r reachedRow) String() string {
	return fmt.Sprintf("%s of %s at level %d, started: %v", r.Progress, r.Goal, r.Level, r.Started)
}

// load reads what is stored of the slice.
func (k *checker) load(ctx context.Context, tx *gorm.DB) error {
	if err := k.loadBusy(ctx, tx); err != nil {
		return err
	}
	if err := k.loadCounted(ctx, tx); err != nil {
		return err
	}
	if err := k.loadProgress(ctx, tx); err != nil {
		return err
	}
	k.grants, k.dates = map[pendingKey]map[int]*AwardGrant{}, map[int64]time.Time{}
	if err := k.compareRecords(ctx, tx); err != nil {
		return err
	}
	var barred []int64
	err := tx.WithContext(ctx).Raw(`SELECT id FROM members WHERE banned_at IS NOT NULL AND id > @after AND id <= @last`,
		k.slice()).Scan(&barred).Error
	k.barred = map[int64]bool{}
	for _, id := range barred {
		k.barred[id] = true
	}
	if err != nil {
		return err
	}
	k.waiting, err = waitingPairs(ctx, tx, k.slice())
	return err
}

func (k *checker) loadCounted(ctx context.Context, tx *gorm.DB) error {
	k.cells, k.counters = map[cellKey]int64{}, map[counterKey]int64{}
	var rows []struct {
		Counter bool
		Cell    cell `gorm:"embedded"`
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT objective_id, member_id, period, status, '' AS cell, amount, true AS counter FROM objective_counters
		WHERE member_id > @after AND member_id <= @last AND amount <> 0
		UNION ALL SELECT objective_id, member_id, period, status, cell, amount, false FROM objective_cells
		WHERE member_id > @after AND member_id <= @last AND amount <> 0`,
		k.slice()).Scan(&rows).Error
	if err != nil {
		return err
	}
	for i := range rows {
		switch r := &rows[i].Cell; {
		case k.s.objectives[r.ObjectiveID] == nil || k.busy[r.MemberID]:
		case rows[i].Counter:
			k.counters[r.counter()] = r.Amount
		default:
			k.cells[cellKey{r.counter(), r.Cell}] = r.Amount
		}
	}
	return nil
}

func (k *checker) loadProgress(ctx context.Context, tx *gorm.DB) error {
	var rows []struct {
		AwardID, MemberID int64
		Period            string
		Reached           reachedRow `gorm:"embedded"`
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT award_id, member_id, period, CAST(progress AS text) AS progress, CAST(goal AS text) AS goal, level, started FROM user_awards
		WHERE member_id > @after AND member_id <= @last`,
		k.slice()).Scan(&rows).Error
	k.progress = map[pendingKey]reachedRow{}
	for _, r := range rows {
		if k.s.awards[r.AwardID] != nil && !k.busy[r.MemberID] {
			k.progress[pendingKey{r.AwardID, r.MemberID, r.Period}] = r.Reached
		}
	}
	return err
}

// loadBusy finds the members of whose own rows a change is not counted yet: it is in the rows, and not in the counters.
func (k *checker) loadBusy(ctx context.Context, tx *gorm.DB) error {
	var ids []int64
	err := tx.WithContext(ctx).Raw(queries.Must("busy_members"), pg.Named("own", &events.Owned, "after", k.after,
		"last", k.LastMember)).Scan(&ids).Error
	k.Busy, k.busy = len(ids), map[int64]bool{}
	for _, id := range ids {
		k.busy[id] = true
	}
	return err
}
