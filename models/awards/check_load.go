package awards

import (
	"context"
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
	cells    map[cellKey]int64
	counters map[counterKey]int64
	progress map[pendingKey]reachedRow
	grants   map[pendingKey]map[int]*AwardGrant
	logged   map[int64]bool // Grants of which the log says that they were won or given.
	waiting  map[pendingKey]bool
	barred   map[int64]bool
	busy     map[int64]bool // Events about own rows of theirs wait.
}

func (k *checker) slice() map[string]any { return pg.Named("after", k.after, "last", k.LastMember) }

// A reachedRow is how far a member is.
type reachedRow struct {
	Progress string
	Level    int
}

// load reads what is stored of the slice.
func (k *checker) load(ctx context.Context, tx *gorm.DB) error {
	if err := k.loadBusy(ctx, tx); err != nil {
		return err
	}
	k.cells, k.counters = map[cellKey]int64{}, map[counterKey]int64{}
	var rows []cell
	err := tx.WithContext(ctx).Raw(`
		SELECT objective_id, member_id, period, status, '' AS cell, amount FROM objective_counters
		WHERE member_id > @after AND member_id <= @last AND amount <> 0
		UNION ALL SELECT objective_id, member_id, period, status, cell, amount FROM objective_cells
		WHERE member_id > @after AND member_id <= @last AND amount <> 0 AND cell <> ''`,
		k.slice()).Scan(&rows).Error
	if err != nil {
		return err
	}
	for i := range rows {
		switch r := &rows[i]; {
		case k.s.objectives[r.ObjectiveID] == nil || k.busy[r.MemberID]:
		case r.Cell == "":
			k.counters[r.counter()] = r.Amount
		default:
			k.cells[cellKey{r.counter(), r.Cell}] = r.Amount
		}
	}
	if err := k.loadProgress(ctx, tx); err != nil {
		return err
	}
	if err := k.loadGrants(ctx, tx); err != nil {
		return err
	}
	if k.waiting, err = waitingPairs(ctx, tx, k.slice()); err != nil {
		return err
	}
	var barred []int64
	err = tx.WithContext(ctx).Raw(`SELECT id FROM members WHERE banned_at IS NOT NULL AND id > @after AND id <= @last`,
		k.slice()).Scan(&barred).Error
	k.barred = map[int64]bool{}
	for _, id := range barred {
		k.barred[id] = true
	}
	return err
}

func (k *checker) loadProgress(ctx context.Context, tx *gorm.DB) error {
	var rows []struct {
		AwardID, MemberID int64
		Period, Progress  string
		Level             int
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT award_id, member_id, period, CAST(progress AS text) AS progress, level FROM user_awards
		WHERE member_id > @after AND member_id <= @last`,
		k.slice()).Scan(&rows).Error
	k.progress = map[pendingKey]reachedRow{}
	for _, r := range rows {
		if k.s.awards[r.AwardID] != nil && !k.busy[r.MemberID] {
			k.progress[pendingKey{r.AwardID, r.MemberID, r.Period}] = reachedRow{r.Progress, r.Level}
		}
	}
	return err
}

func (k *checker) loadGrants(ctx context.Context, tx *gorm.DB) error {
	var rows []struct {
		AwardGrant
		Logged bool
	}
	err := tx.WithContext(ctx).Raw(`
		SELECT `+pg.Columns[AwardGrant]("g")+`, EXISTS (
			SELECT FROM award_grant_log l WHERE l.grant_id = g.id AND l.what IN ('granted', 'granted again')) AS logged
		FROM award_grants g WHERE member_id > @after AND member_id <= @last`,
		k.slice()).Scan(&rows).Error
	k.grants, k.logged = map[pendingKey]map[int]*AwardGrant{}, map[int64]bool{}
	for i := range rows {
		g := &rows[i].AwardGrant
		key := pendingKey{g.AwardID, g.MemberID, g.Period}
		if k.s.awards[g.AwardID] == nil || k.busy[g.MemberID] {
			continue
		}
		if k.grants[key] == nil {
			k.grants[key] = map[int]*AwardGrant{}
		}
		k.grants[key][g.Level], k.logged[g.ID] = g, rows[i].Logged
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
