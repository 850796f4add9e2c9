package awards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
)

// A Recount goes through the ledger for objectives that are counted in a new
// way. Events that come meanwhile count for them, too: what an item contributes
// is replaced, so it does not matter who comes first.
type Recount struct {
	ID, AwardID int64
	MemberID    int64   // The last of whom all items were gone through.
	Objectives  []int64 `gorm:"serializer:json"`
	Items       int64   // Gone through so far.
	Failed      int     // Members whose items cannot be counted: a sum is too large.
	Behind      *int64  // It begins when the transactions below have ended; nil: not asked yet.
	AskedAt     time.Time
	FinishedAt  *time.Time
}

const recountColumns = `id, award_id, member_id, array_to_json(objectives) AS objectives, items, failed, behind, asked_at, finished_at`

func askRecount(tx *gorm.DB, awardID int64, objectives []int64, now time.Time) error {
	return tx.Exec(`INSERT INTO award_recounts (award_id, objectives, asked_at) VALUES (@id, CAST(@objectives AS bigint[]), @now)`,
		pg.Named("id", awardID, "objectives", &objectives, "now", now)).Error
}

// RecountPending goes through some limit of items of the ledger, those of whole
// members, for one recount that was asked for, and reports whether there was anything to do.
func RecountPending(ctx context.Context, db *gorm.DB, s *Ruleset, limit int, now time.Time) (worked bool, err error) {
	for range 5 {
		worked, err = recountOnce(ctx, db, s, limit, false, now)
		if badData(err) { // Of one of the members: they are taken one by one, and the one is left out.
			if worked, err = recountOnce(ctx, db, s, 1, false, now); badData(err) {
				worked, err = recountOnce(ctx, db, s, 1, true, now)
			}
		}
		if !pg.IsRetry(err) {
			break
		}
	}
	if err != nil {
		return false, fmt.Errorf("recount awards: %w", err)
	}
	return worked, nil
}

func recountOnce(ctx context.Context, db *gorm.DB, s *Ruleset, limit int, leaveOut bool, now time.Time) (worked bool, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		worked, err = recountBatch(ctx, tx, s, limit, leaveOut, now)
		return err
	})
	if errors.Is(err, errCounted) {
		err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return finishRecount(ctx, tx, s, now) })
		return true, err
	}
	return worked, err
}

// errCounted means that a recount has gone through the whole ledger.
var errCounted = errors.New("all items are counted")

func recountBatch(ctx context.Context, tx *gorm.DB, s *Ruleset, limit int, leaveOut bool, now time.Time) (bool, error) {
	ruleset, err := s.current(ctx, tx)
	if err != nil {
		return false, err
	}
	var r Recount
	err = tx.WithContext(ctx).Raw(`SELECT ` + recountColumns + ` FROM award_recounts
		WHERE finished_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`).Scan(&r).Error
	if err != nil || r.ID == 0 {
		return false, err
	}
	if ready, err := r.begin(ctx, tx); err != nil || !ready {
		return r.Behind == nil, err
	}
	live := ruleset.live(&r)
	var items []ledgerItem
	left := false
	if len(live) > 0 {
		if items, left, err = takeItems(ctx, tx, &r, sourcesOf(live), limit); err != nil {
			return false, err
		}
	}
	if !left { // All done, or nobody needs it any more.
		return false, errCounted
	}
	t := newBatch(ruleset, now)
	changed := map[string]*ledgerItem{}
	failed := 0
	if leaveOut {
		failed = 1
	}
	for i := range items {
		if !leaveOut && t.recount(&items[i], live) {
			changed[items[i].Source+" "+items[i].Key] = &items[i]
		}
	}
	t.pending = nil // All are marked at the end.
	if err := t.write(ctx, tx, changed); err != nil {
		return false, err
	}
	return true, tx.Exec(`UPDATE award_recounts SET member_id = @member, items = items + @n, failed = failed + @failed WHERE id = @id`,
		pg.Named("member", r.MemberID, "n", len(items), "failed", failed, "id", r.ID)).Error
}

// live are the objectives of a recount that are still counted.
func (s *Ruleset) live(r *Recount) (live []*runningObjective) {
	for _, id := range r.Objectives {
		if o := s.objectives[id]; o != nil {
			live = append(live, o)
		}
	}
	return live
}

// sourcesOf are the sources of which items can count for objectives; nil is any.
func sourcesOf(objectives []*runningObjective) []string {
	sources := []string{}
	for _, o := range objectives {
		reach := o.objective.Reach()
		if reach.Sources == nil {
			return nil
		}
		sources = append(sources, reach.Sources...)
	}
	return sources
}

// nextMember is the member up to whom a recount goes next, to read at least limit
// items; 0 where none is left.
func nextMember(ctx context.Context, tx *gorm.DB, r *Recount, sources []string, limit int) (last int64, err error) {
	err = tx.WithContext(ctx).Raw(queries.Must("next_member"),
		pg.Named("member", r.MemberID, "any", sources == nil, "sources", &sources, "limit", limit)).Scan(&last).Error
	return last, err
}

// takeItems takes the items of the next members, and their parts, and reports whether any were left.
func takeItems(ctx context.Context, tx *gorm.DB, r *Recount, sources []string, limit int) (
	items []ledgerItem, left bool, err error) {
	last, err := nextMember(ctx, tx, r, sources, limit)
	if err != nil || last == 0 {
		return nil, false, err
	}
	// In order, and after nothing else that others wait for: no circle can close.
	err = tx.WithContext(ctx).Exec(`
		SELECT pg_advisory_xact_lock(@class, part) FROM (
			SELECT DISTINCT CAST(event_part(id) AS integer) AS part FROM members
			WHERE id > @member AND id <= @last ORDER BY part) p`,
		pg.Named("member", r.MemberID, "last", last, "class", events.LockPart)).Error
	if err != nil {
		return nil, false, fmt.Errorf("take parts: %w", err)
	}
	s := span{after: r.MemberID, last: last, sources: sources}
	r.MemberID = last
	items, err = s.read(ctx, tx)
	return items, true, err
}

// recount replaces what an item contributes to some objectives, and reports
// whether that changes anything.
func (t *batch) recount(item *ledgerItem, objectives []*runningObjective) bool {
	if item.broken {
		return false // What to take back is not known. The check finds it.
	}
	was := item.counted
	now := make([]counted, 0, len(was)+len(objectives))
	if !item.gone {
		e, mistakes := rules.ParseEvent([]byte(item.Body))
		if len(mistakes) > 0 {
			return false // It counted for nothing before, either: nobody could read it.
		}
		e.Zone = zoneOf(item.Zone)
		for _, c := range was {
			if o := t.ruleset.objectives[c.Objective]; o != nil && !slices.Contains(objectives, o) {
				now = append(now, c)
			}
		}
		for _, o := range objectives {
			if c, _ := o.contribution(&e, item.ArrivedAt); c.Amount != 0 {
				now = append(now, c)
			}
		}
	}
	if writeCounted(was) == writeCounted(now) && !item.stale() {
		return false
	}
	item.counted, item.changed = now, true
	t.move(item, item.of(), was, "recount")
	return true
}

// stale says whether the ledger keeps an own row for somebody else than who has it, or of another time.
func (i *ledgerItem) stale() bool {
	return i.own() && i.Rev > 0 && (i.keptFor != i.MemberID || !i.keptAt.Equal(i.At))
}

// begin sets whom a recount waits for: transactions that may not have told what they changed, because no award
// counted it when they looked. It reports whether they have ended.
func (r *Recount) begin(ctx context.Context, tx *gorm.DB) (bool, error) {
	if r.Behind == nil {
		return false, tx.WithContext(ctx).Exec(`UPDATE award_recounts SET
			behind = CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint) WHERE id = @id`, pg.Named("id", r.ID)).Error
	}
	safe, err := pg.Horizon(ctx, tx)
	return safe >= *r.Behind, err
}

// finishRecount ends recounts that have nothing left to go through. It is alone
// then: a worker that still takes the award for one that is being counted would
// throw away the marks that are made here.
func finishRecount(ctx context.Context, tx *gorm.DB, s *Ruleset, now time.Time) error {
	if err := LockRuleset(tx); err != nil {
		return err
	}
	ruleset, err := s.current(ctx, tx)
	if err != nil {
		return err
	}
	var open []Recount
	if err := tx.Raw(`SELECT ` + recountColumns + ` FROM award_recounts
		WHERE finished_at IS NULL ORDER BY id FOR UPDATE SKIP LOCKED`).Scan(&open).Error; err != nil {
		return err
	}
	for i := range open {
		r := &open[i]
		if ready, err := r.begin(ctx, tx); err != nil {
			return err
		} else if !ready {
			continue
		}
		live := ruleset.live(r)
		if len(live) > 0 {
			left, err := nextMember(ctx, tx, r, sourcesOf(live), 1)
			if err != nil {
				return err
			}
			if left != 0 {
				continue
			}
		}
		err := tx.Exec(`UPDATE award_recounts SET finished_at = @now WHERE id = @id`, pg.Named("now", now, "id", r.ID)).Error
		if err != nil {
			return err
		}
		if err := markAll(tx, r.AwardID); err != nil {
			return err
		}
	}
	if err := nextRuleset(tx); err != nil {
		return err
	}
	return pg.Wake(ctx, tx, events.WakeAwards)
}
