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
	"laurel/models/members"
)

// A Tried is what one event would do for one member by a document that need not
// be saved. Nothing is written.
type Tried struct {
	Event      rules.Event
	Period     string // In which it would count.
	Outside    string // Why it would count for no objective whatever it is; "" if it may.
	Objectives []TriedObjective
	Before     rules.Progress
	After      rules.Progress
	Items      int // Of the member, that the counters are made of.
}

// A TriedObjective is what the event means to one objective.
type TriedObjective struct {
	ID            string
	Verdicts      []rules.Verdict
	Was, Now      rules.Contribution // Of the item.
	Before, After map[string]rules.Amount
}

// maxTried is how many items of a member are read: the newest.
const maxTried = 50_000

// A trial is a document with the cells of one member by it.
type trial struct {
	award *runningAward
	items map[string]*ledgerItem // Of the member, by source and key.
	cells []map[string]rules.Cells
	n     int
}

// Try computes what an event would change. The counters are those that the
// member's items amount to by this document, whose filters may be other than
// those that count now.
func Try(ctx context.Context, db *gorm.DB, doc *rules.Award, m *members.Member, e rules.Event, now time.Time) (Tried, error) {
	activated := now
	if a, err := Named(ctx, db, doc.Slug); err == nil && a.ActivatedAt != nil {
		activated = *a.ActivatedAt
	} else if err != nil && !errors.Is(err, pg.ErrNotFound) {
		return Tried{}, err
	}
	t := &trial{award: &runningAward{Award: *doc}, items: map[string]*ledgerItem{}}
	for i := range doc.Objectives {
		o := &runningObjective{int64(i), t.award, &t.award.Award.Objectives[i], activated}
		t.award.objectives = append(t.award.objectives, o)
		t.cells = append(t.cells, map[string]rules.Cells{})
	}
	if err := t.read(ctx, db, m); err != nil {
		return Tried{}, fmt.Errorf("try an event for %s: %w", m.Name, err)
	}
	e.Member, e.Zone = m.Name, m.Location()
	return t.try(&e, now)
}

// read counts all that the member has in the ledger.
func (t *trial) read(ctx context.Context, db *gorm.DB, m *members.Member) error {
	s := span{after: m.ID - 1, last: m.ID}
	items, err := s.read(ctx, db)
	if err != nil {
		return err
	}
	slices.SortFunc(items, func(a, b ledgerItem) int { return b.At.Compare(a.At) })
	items = items[:min(len(items), maxTried)]
	for i := range items {
		item := &items[i]
		item.counted = nil
		t.items[item.Source+" "+item.Key] = item
		e, wrong := rules.ParseEvent([]byte(item.Body))
		if len(wrong) > 0 {
			continue
		}
		e.Zone = zoneOf(item.Zone)
		for i, o := range t.award.objectives {
			c, _ := o.contribution(&e, item.ArrivedAt)
			if err := t.move(i, c.Period, rules.Contribution{}, c.plain()); err != nil {
				return err
			}
			if c.Amount != 0 {
				item.counted = append(item.counted, c)
			}
		}
	}
	t.n = len(items)
	return nil
}

// plain is the contribution as cells move it.
func (c counted) plain() rules.Contribution {
	return rules.Contribution{Status: c.Status, Key: c.Cell, Amount: rules.Amount(c.Amount)}
}

func (t *trial) move(objective int, period string, was, now rules.Contribution) error {
	cells := t.cells[objective]
	if cells[period] == nil {
		cells[period] = rules.Cells{}
	}
	if err := cells[period].Move(was, now); err != nil {
		return &pg.InputError{Field: "event", Message: err.Error()}
	}
	return nil
}

// counters of an objective in a period, by status.
func (t *trial) counters(objective int, period string) map[string]rules.Amount {
	return t.award.objectives[objective].objective.Counters(t.cells[objective][period])
}

func (t *trial) progress(period string) rules.Progress {
	active := map[string]rules.Amount{}
	for i, o := range t.award.objectives {
		active[o.objective.ID] = t.counters(i, period)[rules.Active]
	}
	return t.award.Award.Progress(active)
}

// try lets the event take the place of what its item was.
func (t *trial) try(e *rules.Event, now time.Time) (Tried, error) {
	out := Tried{Event: *e, Items: t.n}
	period, in := t.award.Award.Window.Period(e)
	item := t.items[e.Source+" "+e.Key()]
	switch {
	case !in:
		out.Outside = "its day is outside the window"
	case period.Late(now):
		out.Outside = "it is too late for its period, which closed " + period.Closes.Format(time.RFC3339)
	case !t.award.Award.Backfill.Counts(e.At, t.award.objectives[0].activated):
		out.Outside = "it happened before the award counts"
	case item != nil && (e.Status == "" || !e.Order().After(item.order())):
		out.Outside = "the ledger has a newer event of this item, or this very event"
	}
	out.Period, out.Before = period.Start, t.progress(period.Start)
	for i, o := range t.award.objectives {
		tried := TriedObjective{ID: o.objective.ID, Verdicts: o.objective.Verdicts(e), Before: t.counters(i, period.Start)}
		if item != nil {
			for _, c := range item.counted {
				if c.Objective == o.id && c.Period == period.Start {
					tried.Was = c.plain()
				}
			}
		}
		tried.Now = tried.Was
		if out.Outside == "" {
			tried.Now = o.objective.Contribution(e)
		}
		if err := t.move(i, period.Start, tried.Was, tried.Now); err != nil {
			return out, err
		}
		tried.After = t.counters(i, period.Start)
		out.Objectives = append(out.Objectives, tried)
	}
	out.After = t.progress(period.Start)
	return out, nil
}

// A LedgerEvent is an event that came, to try an award with.
type LedgerEvent struct {
	ID                   int64 // On the bus.
	Source, EventID      string
	At                   time.Time
	Type, Status, Member string
	Body                 string
}

// LastEvents are the newest events of the bus, of all members and sources. Of own rows, it is what they are now.
func LastEvents(ctx context.Context, db *gorm.DB, limit int) (list []LedgerEvent, err error) {
	err = db.WithContext(ctx).Raw(queries.Must("last_events"), pg.Named("limit", limit)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("last events: %w", err)
	}
	items := make([]ledgerItem, len(list))
	for i, e := range list {
		items[i] = ledgerItem{Source: e.Source, Key: "item:" + events.Item(e.EventID), Body: e.Body}
	}
	if err := describe(ctx, db, items); err != nil {
		return nil, err
	}
	seen := map[[2]string]bool{}
	kept := list[:0]
	for i := range list {
		key := [2]string{list[i].Source, items[i].Key}
		if list[i].Body = items[i].Body; list[i].Body == "" || items[i].own() && seen[key] {
			continue // It is gone, or there already.
		}
		seen[key] = true
		e, _ := rules.ParseEvent([]byte(list[i].Body)) // What was read of it.
		list[i].At, list[i].Type, list[i].Status = e.At, e.Type, e.Status
		kept = append(kept, list[i])
	}
	return kept, nil
}
