package rules

import (
	"slices"
	"strconv"
)

// A Clash is a place that both edits changed, each in its own way. A side is nil
// where it has nothing there.
type Clash struct {
	Path               string
	Base, Mine, Theirs *Sheet
}

// Merge brings two edits of a document together: whatever only one of them
// changed is as it has it. Where both changed the same place it is a clash, and
// takeMine says whose counts.
//
// Objectives are distinguished by their names, so that one may be added on each
// side. Other lists are merged place by place, and as a whole where one of the
// sides is longer or shorter.
func Merge(base, mine, theirs *Sheet, takeMine func(path string) bool) (*Sheet, []Clash) {
	m := merger{takeMine: takeMine}
	return m.merge("", base, mine, theirs), m.clashes
}

type merger struct {
	takeMine func(string) bool
	clashes  []Clash
}

func (m *merger) merge(path string, base, mine, theirs *Sheet) *Sheet {
	switch {
	case mine.same(theirs), mine.same(base):
		return theirs
	case theirs.same(base):
		return mine
	}
	if all := []*Sheet{base, mine, theirs}; ofKind(all, '{') {
		return m.keyed(base, mine, theirs, unite(theirs.keys, mine.keys), (*Sheet).Key, func(key string) string { return join(path, key) })
	} else if ofKind(all, '[') {
		order, named := idOrder(base, mine, theirs)
		if order != nil {
			return m.keyed(base, mine, theirs, order, (*Sheet).withID,
				func(id string) string { return path + "[" + strconv.Quote(id) + "]" })
		}
		if !named && len(base.items) == len(mine.items) && len(base.items) == len(theirs.items) {
			merged := &Sheet{kind: '['}
			for i := range base.items {
				merged.items = append(merged.items, m.merge(element(path, i), base.items[i], mine.items[i], theirs.items[i]))
			}
			return merged
		}
	}
	m.clashes = append(m.clashes, Clash{path, base, mine, theirs})
	if m.takeMine(path) {
		return mine
	}
	return theirs
}

// keyed merges what is under each name, in an object or a list.
func (m *merger) keyed(base, mine, theirs *Sheet, names []string, at func(*Sheet, string) *Sheet, path func(string) string) *Sheet {
	merged := &Sheet{kind: theirs.kind}
	for _, name := range names {
		if v := m.merge(path(name), at(base, name), at(mine, name), at(theirs, name)); v != nil {
			if merged.items = append(merged.items, v); merged.kind == '{' {
				merged.keys = append(merged.keys, name)
			}
		}
	}
	return merged
}

// same reports whether two values say the same, in whatever order of keys.
func (s *Sheet) same(other *Sheet) bool {
	if s == nil || other == nil {
		return s == other
	}
	if s.kind != other.kind || s.text != other.text || len(s.items) != len(other.items) {
		return false
	}
	for i, item := range s.items {
		if s.kind == '{' && !item.same(other.Key(s.keys[i])) || s.kind != '{' && !item.same(other.items[i]) {
			return false
		}
	}
	return true
}

func ofKind(all []*Sheet, kind byte) bool {
	return !slices.ContainsFunc(all, func(s *Sheet) bool { return s == nil || byte(s.kind) != kind })
}

// idOrder is the order of the elements of three lists that are named by an id,
// once each; nil where both sides moved them about.
func idOrder(base, mine, theirs *Sheet) (order []string, named bool) {
	var ids [3][]string
	for i, list := range []*Sheet{base, mine, theirs} {
		for _, item := range list.items {
			id := item.Key("id").Text()
			if id == "" || slices.Contains(ids[i], id) {
				return nil, false
			}
			ids[i] = append(ids[i], id)
		}
	}
	b, m, t := ids[0], ids[1], ids[2]
	switch {
	case slices.Equal(common(m, b), common(b, m)): // Mine has them as they were.
		return unite(t, m), true
	case slices.Equal(common(t, b), common(b, t)):
		return unite(m, t), true
	}
	return nil, true
}

func (s *Sheet) withID(id string) *Sheet {
	if i := slices.IndexFunc(s.items, func(item *Sheet) bool { return item.Key("id").Text() == id }); i >= 0 {
		return s.items[i]
	}
	return nil
}

// common are those of a that are in b, too.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// unite are those of a, and those of b that are not in a.
func unite(a, b []string) []string {
	return append(slices.Clone(a), slices.DeleteFunc(slices.Clone(b), func(s string) bool { return slices.Contains(a, s) })...)
}
