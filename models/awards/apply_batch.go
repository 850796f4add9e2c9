package awards

import (
	"time"

	"laurel/models/awards/rules"
)

// A batch is all that a batch changes, before any of it is written.
type batch struct {
	ruleset *Ruleset
	now     time.Time
	cells   map[cellKey]int64        // By how much.
	pending map[pendingKey]time.Time // When the oldest of the items happened that changed.
	log     []logRow
	full    bool // A sum is too large to be counted.
}

// A counterKey names a counter, a cellKey a cell of it.
type counterKey struct {
	Objective, Member int64
	Period, Status    string
}

type cellKey struct {
	counterKey
	Cell string
}

type pendingKey struct {
	Award, Member int64
	Period        string
}

// A logRow is how one event changed the objectives of one award. Award 0 is all
// of them: an event that came too late for its item.
type logRow struct {
	logKey
	changes []loggedChange
}

type logKey struct {
	Member, Award                int64
	Source, Key, EventID, Reason string
}

type loggedChange struct {
	objective   int64
	was, became counted
}

func newBatch(s *Ruleset, now time.Time) *batch {
	return &batch{ruleset: s, now: now, cells: map[cellKey]int64{}, pending: map[pendingKey]time.Time{}}
}

// A ledgerItem is a row of items.
type ledgerItem struct {
	Source, Key   string
	MemberID      int64
	Seq           int64
	At            time.Time
	FirstAt       time.Time // When it happened: the earliest At of its events.
	Status        string
	EventID, Zone string
	ArrivedAt     time.Time
	Body          string
	Contributions string
	Rev           int

	counted []counted
	changed bool
	broken  bool   // What it contributed cannot be read.
	misread string // What the ledger said of its state, if that is not what its event says.

	// Of own rows: for whom and as of when the ledger keeps it, and whether it keeps a row that is gone.
	keptFor int64
	keptAt  time.Time
	gone    bool
}

func (i *ledgerItem) order() rules.Order {
	return rules.Order{Seq: i.Seq, At: i.At, Status: i.Status, ID: i.EventID}
}

// apply lets an event take the place of what its item was. It reports whether
// it did: what is older than that, or the same, changes nothing.
func (t *batch) apply(q *queued, e *rules.Event, item *ledgerItem) {
	fresh := item.Rev == 0 && !item.changed
	if !fresh && (e.Status == "" || !e.Order().After(item.order())) {
		if e.ID != item.EventID {
			t.note(logKey{q.MemberID, 0, e.Source, item.Key, e.ID, "stale"})
		}
		return
	}
	was, from := item.counted, item.MemberID
	earlier := fresh || e.At.Before(item.FirstAt)
	if earlier {
		item.FirstAt = e.At
	}
	item.counted = nil
	for _, o := range t.ruleset.of(e.Source) {
		c, late := o.contribution(e, q.StoredAt)
		if late {
			t.note(logKey{q.MemberID, o.award.ID, e.Source, item.Key, e.ID, "late"}, loggedChange{objective: o.id})
			c = contributedBefore(o.id, was)
		}
		if c.Amount != 0 {
			item.counted = append(item.counted, c)
		}
	}
	item.MemberID, item.Seq, item.At, item.Status, item.EventID, item.Zone = q.MemberID, e.Seq, e.At, e.Standing(), e.ID, q.Zone
	item.ArrivedAt, item.Body, item.changed = q.StoredAt, q.Body, true
	t.move(item, from, was, "event")
	for _, c := range item.counted { // What counts as before may have happened earlier.
		if o := t.ruleset.objectives[c.Objective]; o != nil && earlier {
			t.mark(item, o, item.MemberID, c)
		}
	}
}

// contributedBefore is what an item contributed before an event that came too late.
func contributedBefore(objective int64, was []counted) counted {
	for _, c := range was {
		if c.Objective == objective {
			return c
		}
	}
	return counted{}
}

// move takes back what an item contributed to its member before, and adds what
// it contributes now. What belonged to objectives that are no longer counted is
// forgotten.
func (t *batch) move(item *ledgerItem, from int64, was []counted, reason string) {
	if from != 0 && from != item.MemberID {
		for _, c := range was {
			t.change(item, from, c, counted{}, "moved")
		}
		was = nil
	}
	for _, c := range item.counted {
		t.change(item, item.MemberID, takeOut(&was, c.Objective), c, reason)
	}
	for _, c := range was {
		t.change(item, item.MemberID, c, counted{}, reason)
	}
}

// takeOut removes the contribution to an objective from a list and returns it.
func takeOut(list *[]counted, objective int64) counted {
	for i, c := range *list {
		if c.Objective == objective {
			*list = append(append([]counted{}, (*list)[:i]...), (*list)[i+1:]...)
			return c
		}
	}
	return counted{}
}

func (t *batch) change(item *ledgerItem, member int64, was, became counted, reason string) {
	id := max(was.Objective, became.Objective)
	o := t.ruleset.objectives[id]
	if o == nil || was == became {
		return
	}
	t.add(member, was, -was.Amount)
	t.add(member, became, became.Amount)
	for _, c := range []counted{was, became} {
		t.mark(item, o, member, c)
	}
	t.note(logKey{member, o.award.ID, item.Source, item.Key, item.EventID, reason}, loggedChange{id, was, became})
}

// mark queues the award to which an item contributes, with the time from which on its dates may be
// others now.
func (t *batch) mark(item *ledgerItem, o *runningObjective, member int64, c counted) {
	if c.Amount == 0 || t.pending == nil { // A recount marks all at its end.
		return
	}
	key := pendingKey{o.award.ID, member, c.Period}
	if was, ok := t.pending[key]; !ok || item.FirstAt.Before(was) {
		t.pending[key] = item.FirstAt
	}
}

// note logs changes. Those that an event brings to one award follow each other, and
// are one row.
func (t *batch) note(k logKey, changes ...loggedChange) {
	if n := len(t.log); n > 0 && t.log[n-1].logKey == k {
		t.log[n-1].changes = append(t.log[n-1].changes, changes...)
		return
	}
	t.log = append(t.log, logRow{k, changes})
}

func (t *batch) add(member int64, c counted, by int64) {
	if by == 0 {
		return
	}
	key := cellKey{counterKey{c.Objective, member, c.Period, c.Status}, c.Cell}
	sum := t.cells[key] + by
	if t.full = t.full || (sum > t.cells[key]) != (by > 0); sum == 0 {
		delete(t.cells, key)
	} else {
		t.cells[key] = sum
	}
}
