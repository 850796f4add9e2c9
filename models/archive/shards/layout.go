package shards

import "slices"

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
	indexed []bool
}

// Layout is the layout of the shard's facts.
func (d *Declaration) Layout() *Layout {
	l := &Layout{Shard: d.Name, Fields: d.Fields(), Keys: len(d.Key), Scope: d.Positions(d.Scope)}
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
	for i := range l.Keys {
		if !slices.ContainsFunc(l.Uniques, func(u []int) bool { return !slices.Contains(u, i) }) {
			l.Group = append(l.Group, i)
		}
	}
	l.InScope = !slices.ContainsFunc(l.Group, func(i int) bool { return !slices.Contains(l.Scope, i) })
	return l
}
