package rules

import (
	"strconv"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// A ledger is the smallest one that could be: what the database does at scale.
type ledger struct {
	t     testing.TB
	award Award
	items map[string]held
	cells map[string]map[string]Cells // By member and objective.
}

type held struct {
	turn         Order
	member       string
	contribution map[string]Contribution
}

func newLedger(t testing.TB, a Award) *ledger {
	return &ledger{t, a, map[string]held{}, map[string]map[string]Cells{}}
}

func (l *ledger) apply(events ...Event) {
	l.t.Helper()
	for _, e := range events {
		key := e.Source + " " + e.Key()
		old, ok := l.items[key]
		if ok && (e.Status == "" || !e.Order().After(old.turn)) {
			continue
		}
		now := held{e.Order(), e.Member, map[string]Contribution{}}
		for i := range l.award.Objectives {
			o := &l.award.Objectives[i]
			now.contribution[o.ID] = o.Contribution(&e)
			if ok && old.member != e.Member {
				l.move(old.member, o.ID, old.contribution[o.ID], Contribution{})
				l.move(e.Member, o.ID, Contribution{}, now.contribution[o.ID])
			} else {
				l.move(e.Member, o.ID, old.contribution[o.ID], now.contribution[o.ID])
			}
		}
		l.items[key] = now
	}
}

func (l *ledger) move(member, objective string, old, now Contribution) {
	l.t.Helper()
	if l.cells[member] == nil {
		l.cells[member] = map[string]Cells{}
	}
	if l.cells[member][objective] == nil {
		l.cells[member][objective] = Cells{}
	}
	if err := l.cells[member][objective].Move(old, now); err != nil {
		l.t.Fatal(err)
	}
}

func (l *ledger) counters(member, objective string) map[string]Amount {
	for i := range l.award.Objectives {
		if o := &l.award.Objectives[i]; o.ID == objective {
			return o.Counters(l.cells[member][objective])
		}
	}
	return nil
}

func (l *ledger) progress(member string) Progress {
	active := map[string]Amount{}
	for _, o := range l.award.Objectives {
		active[o.ID] = l.counters(member, o.ID)[Active]
	}
	return l.award.Progress(active)
}

// one is an award with a single objective, done.
func one(t testing.TB, rule, goal string) Award {
	t.Helper()
	return mustParse(t, []byte(`{"slug":"one","title":"One","objectives":[{"id":"done","rule":`+rule+`}],"strategy":{"objective_id":"done","goal":`+goal+`}}`))
}

// photo is an event about an item of ada's.
func photo(item string, seq int64, status, object string) Event {
	return Event{Source: "photo", ID: item + "-" + strconv.FormatInt(seq, 10), Item: item, Seq: seq, Member: "ada", Type: "photo",
		Object: object, Status: status, At: noon}
}
