package shards

import (
	"fmt"
	"slices"
	"time"
)

// A Layout is what facts are made and compared by: a declaration's fields, and where the key, the unique keys and
// the scope are among them.
type Layout struct {
	Shard   string
	Fields  []Field
	Keys    int // The first so many fields are the key.
	Uniques [][]int
	Scope   []int
	Group   []int // Fields that contradicting facts always share: what is locked.
	InScope bool  // A scope says which group is meant.
	Wide    bool  // All groups are locked.
	Asked   int   // The field that says which added fields a fact has; -1 where none was added.
	indexed []bool
	bits    []int // Of each field its bit in Asked, or -1.
	since   []time.Time
}

// asked is the name of the field Asked, which no declared field can have: its bits are the added fields, in their order.
const asked = "_asked"

// Layout is the layout of the shard's facts.
func (d *Declaration) Layout() *Layout {
	l := &Layout{Shard: d.Name, Fields: d.Fields(), Keys: len(d.Key), Scope: d.Positions(d.Scope), Wide: d.Wide, Asked: -1}
	l.bits, l.since = make([]int, len(l.Fields)), make([]time.Time, len(l.Fields))
	added := 0
	for i, f := range l.Fields {
		l.bits[i] = -1
		if at, ok := d.Since[f.Name]; ok {
			l.bits[i], l.since[i] = added, at
			added++
		}
	}
	if added > 0 {
		l.Asked = len(l.Fields)
		l.Fields, l.bits = append(l.Fields, Field{asked, Integer}), append(l.bits, -1)
	}
	l.indexed = make([]bool, len(l.Fields))
	for i := range l.Fields {
		l.indexed[i] = i < l.Keys
	}
	for _, u := range d.Unique {
		l.Uniques = append(l.Uniques, d.Positions(u))
	}
	for _, list := range append(slices.Clone(l.Uniques), l.Scope) {
		for _, i := range list {
			l.indexed[i] = true
		}
	}
	uniques := slices.Clone(l.Uniques)
	for _, u := range d.Dropped { // Responses from then are found by what they locked.
		uniques = append(uniques, d.Positions(u))
	}
	for i := range l.Keys {
		if !slices.ContainsFunc(uniques, func(u []int) bool { return !slices.Contains(u, i) }) {
			l.Group = append(l.Group, i)
		}
	}
	l.InScope = !slices.ContainsFunc(l.Group, func(i int) bool { return !slices.Contains(l.Scope, i) })
	return l
}

// Has says whether a response showed a field of a fact, empty or not: an added one was not asked for before.
func (l *Layout) Has(f *Fact, i int) bool {
	if l.bits[i] < 0 {
		return true
	}
	mask, _ := f.Values[l.Asked].(int64)
	return mask>>l.bits[i]&1 == 1
}

// Missing is a field that a fact which was seen at an instant does not have and must have; "" if there is none.
func (l *Layout) Missing(f *Fact, at time.Time) string {
	for i := range l.since {
		if !l.Has(f, i) && !at.Before(l.since[i]) {
			return l.Fields[i].Name
		}
	}
	return ""
}

// Added is the condition that rows of a table have an added field; "true" where the field was always there.
func (l *Layout) Added(table string, i int) string {
	if l.bits[i] < 0 {
		return "true"
	}
	return fmt.Sprintf(`%s."%s" >> %d & 1 = 1`, table, asked, l.bits[i])
}
