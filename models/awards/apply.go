package awards

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
)

// A queued event is one on the bus.
type queued struct {
	Txid, ID, MemberID int64
	EventID, Zone      string
	StoredAt           time.Time
	Body               string
}

// errFull means that what a batch adds to a counter does not fit into it.
var errFull = errors.New("the sum is too large to be counted")

// Apply handles at most limit events of one part of one source that has
// some, in one transaction with all their effects, and returns how many it was;
// 0 means that nothing waits that nobody else is at.
func Apply(ctx context.Context, db *gorm.DB, s *Ruleset, limit int, now time.Time) (int, error) {
	for range 5 {
		n, at, err := applyBatch(ctx, db, s, limit, position{}, now)
		if pg.IsRetry(err) {
			continue
		}
		if badData(err) {
			return applyOneByOne(ctx, db, s, limit, at, now)
		}
		return n, err
	}
	return 0, fmt.Errorf("apply events: %w, five times", pg.ErrRetry)
}

// badData reports whether an event cannot be counted: a sum that is too large,
// or below 0.
func badData(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	// data_exception, check_violation
	return errors.Is(err, errFull) || errors.Is(err, errBelow) || ok && (strings.HasPrefix(pg.Code, "22") || pg.Code == "23514")
}

// applyOneByOne finds the event of a batch that cannot be handled, and puts it
// aside with the reason; the others have their effects.
func applyOneByOne(ctx context.Context, db *gorm.DB, s *Ruleset, limit int, at position, now time.Time) (done int, err error) {
	for range limit {
		n, _, err := applyBatch(ctx, db, s, 1, at, now)
		if badData(err) {
			n, err = putFirstAside(ctx, db, at, err, now)
		}
		if err != nil && !pg.IsRetry(err) {
			return done, err
		}
		if n == 0 {
			break
		}
		done += n
	}
	return done, nil
}

// applyBatch handles events at a position, or at any that has some.
func applyBatch(ctx context.Context, db *gorm.DB, s *Ruleset, limit int, only position, now time.Time) (n int, at position, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		ruleset, err := s.current(ctx, tx)
		if err != nil {
			return err
		}
		safe, err := pg.Horizon(ctx, tx)
		if err != nil {
			return err
		}
		var ok bool
		if at, ok, err = takePosition(ctx, tx, only, safe); err != nil || !ok {
			return err
		}
		list, err := readEvents(ctx, tx, at, safe, limit)
		if err != nil || len(list) == 0 {
			return err
		}
		t := newBatch(ruleset, now)
		apply := applyAll
		if events.Own(at.Source) {
			apply = applyOwn
		}
		items, dead, err := apply(ctx, tx, t, at.Source, list)
		if err != nil {
			return err
		}
		if err := t.write(ctx, tx, items); err != nil {
			return err
		}
		if err := putAside(ctx, tx, at.Source, dead, now); err != nil {
			return err
		}
		n = len(list)
		return movePosition(ctx, tx, at, &list[n-1], n, now)
	})
	if err != nil {
		return 0, at, fmt.Errorf("apply events: %w", err)
	}
	return n, at, nil
}

// applyAll works out what events change. Those that cannot be read are dead;
// those about somebody who is gone have no effect.
func applyAll(ctx context.Context, tx *gorm.DB, t *batch, source string, events []queued) (map[string]*ledgerItem, []deadEvent, error) {
	var dead []deadEvent
	parsed := make([]rules.Event, len(events))
	keys := make([]string, 0, len(events))
	good := make([]bool, len(events))
	for i := range events {
		q := &events[i]
		e, mistakes := rules.ParseEvent([]byte(q.Body))
		if len(mistakes) > 0 {
			dead = append(dead, deadEvent{q, q.Body, mistakes.Error()})
			continue
		}
		e.Zone = zoneOf(q.Zone)
		parsed[i], good[i] = e, true
		keys = append(keys, e.Key())
	}
	items, err := readItems(ctx, tx, source, keys)
	if err != nil {
		return nil, nil, err
	}
	here, err := stillHere(ctx, tx, events)
	if err != nil {
		return nil, nil, err
	}
	for i := range events {
		if !good[i] || !here[events[i].MemberID] {
			continue
		}
		key := parsed[i].Key()
		item := items[key]
		if item == nil {
			item = &ledgerItem{Source: source, Key: key}
			items[key] = item
		}
		t.apply(&events[i], &parsed[i], item)
	}
	return items, dead, nil
}

// stillHere returns the members that exist. They stay until the transaction ends:
// who deletes a member changes what is counted, and waits for us.
func stillHere(ctx context.Context, tx *gorm.DB, events []queued) (map[int64]bool, error) {
	here := map[int64]bool{}
	var ids []int64
	for i := range events {
		if id := events[i].MemberID; !here[id] {
			here[id], ids = true, append(ids, id)
		}
	}
	var found []int64
	if err := tx.WithContext(ctx).Raw(`SELECT id FROM members WHERE id = ANY(CAST(@ids AS bigint[])) AND NOT custom`,
		pg.Named("ids", &ids)).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("members of events: %w", err)
	}
	clear(here)
	for _, id := range found {
		here[id] = true
	}
	return here, nil
}
