package archive_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"laurel/models/archive"
	"laurel/models/archive/shards"
)

// The same while the declaration changes: names, fields, unique keys, retired and back.
func TestChangingDeclarationsAreTheModel(t *testing.T) {
	compareHistories(t, 30, true)
}

// evolve changes the declaration at random.
func (w *correcting) evolve() {
	next := model{all: w.m.all, fields: slices.Clone(w.m.fields), uniques: w.m.uniques}
	c := shards.Change{Declaration: shards.Declaration{Name: w.s.Name}, Renames: map[string]string{}}
	at := w.rnd.IntN(lastMinute)
	if w.rnd.IntN(3) == 0 {
		w.rename(&next, c.Renames)
	}
	if w.rnd.IntN(2) == 0 && len(next.fields) < len(modelFact{}) {
		since := at
		if w.newest >= at {
			since = w.newest + 1
		}
		next.fields = append(next.fields, modelField{fmt.Sprint("added", len(next.fields)), []string{"integer", "text"}[w.rnd.IntN(2)], since})
	}
	if w.rnd.IntN(2) == 0 {
		w.draws(&next)
	}
	if w.rnd.IntN(4) == 0 {
		c.Name = []string{"p", "q", "r"}[w.rnd.IntN(3)]
	}
	retired := w.s.Retired != nil
	if !retired && w.rnd.IntN(8) == 0 || retired && w.rnd.IntN(2) == 0 {
		other := !retired
		c.Retire = &other
	}
	next.declare(&c)
	w.rnd.Shuffle(len(c.Data), func(i, j int) { c.Data[i], c.Data[j] = c.Data[j], c.Data[i] })
	w.tries(&next, c, at)
}

// rename gives fields other names; some swap theirs.
func (w *correcting) rename(next *model, renames map[string]string) {
	i, j := w.rnd.IntN(len(next.fields)), w.rnd.IntN(len(next.fields))
	a, b := next.fields[i].name, next.fields[j].name
	if w.rnd.IntN(2) == 0 {
		next.fields[i].name, next.fields[j].name = b, a
		renames[a], renames[b] = b, a
		return
	}
	next.fields[i].name = fmt.Sprint("named", w.tick)
	renames[a] = next.fields[i].name
}

// draws draws unique keys. Those that stay come first.
func (w *correcting) draws(next *model) {
	last := len(next.fields) - 1
	pool := [][]int{{0, 2}, {3}, {2}, {1, 3}, {0, 2, 3}}
	if last > 3 {
		pool = append(pool, []int{last}, []int{2, last}, []int{4})
	}
	var want, list [][]int
	for range w.rnd.IntN(4) {
		if u := pool[w.rnd.IntN(len(pool))]; !in(want, u) {
			want = append(want, u)
		}
	}
	for _, u := range w.m.uniques {
		if in(want, u) {
			list = append(list, u)
		}
	}
	for _, u := range want {
		if !in(list, u) {
			list = append(list, u)
		}
	}
	next.uniques = list
}

func in(list [][]int, u []int) bool {
	return slices.ContainsFunc(list, func(v []int) bool { return slices.Equal(u, v) })
}

// declare says in a change what the model says.
func (m *model) declare(c *shards.Change) {
	for i, f := range m.fields {
		field := shards.Field{Name: f.name, Type: f.kind}
		if i < 2 {
			c.Key = append(c.Key, field)
		} else {
			c.Data = append(c.Data, field)
		}
	}
	for _, u := range m.uniques {
		var names []string
		for _, i := range u {
			names = append(names, m.fields[i].name)
		}
		c.Unique = append(c.Unique, names)
	}
	c.Scope = []string{m.fields[0].name}
}

// tries changes the declaration, and compares what becomes of it.
func (w *correcting) tries(next *model, c shards.Change, at int) {
	want := "changed"
	moved := maps.Clone(c.Renames)
	maps.DeleteFunc(moved, func(a, b string) bool { return a == b })
	if len(moved) == 0 && len(next.fields) == len(w.m.fields) && slices.EqualFunc(next.uniques, w.m.uniques, slices.Equal) &&
		c.Name == w.s.Name && c.Retire == nil {
		want = "unchanged"
	}
	if w.violates(next) {
		want = "violated"
	}
	w.note(want, "at %d: %+v", at, c)
	s, err := archive.Evolve(w.Context(), w.db, w.names[w.rnd.IntN(len(w.names))], archive.Evolution{Change: c}, minute(at))
	if input, ok := errors.AsType[*shards.InputError](err); want == "violated" && ok && input.Field == "unique" {
		return
	}
	if err != nil || want == "violated" {
		w.Fatalf("%v: %v\n%v", want, err, w.log)
	}
	w.s, w.m = s, *next
	if !slices.Contains(w.names, s.Name) {
		w.names = append(w.names, s.Name)
	}
	if want == "changed" {
		w.versions++
	}
}

// violates says whether facts of two keys share a value of a new unique key at a time, as they are without the former ones:
// two that hold, or one that holds and one that gave way.
func (w *correcting) violates(next *model) bool {
	m := model{all: next.all, fields: next.fields}
	var added [][]int
	for _, u := range next.uniques {
		if in(w.m.uniques, u) {
			m.uniques = append(m.uniques, u)
		} else {
			added = append(added, u)
		}
	}
	for n := range lastMinute + 1 {
		valid := m.valid(n, w.tick)
		other := slices.Clone(valid)
		for _, r := range m.at(n, w.tick) {
			for _, f := range r.facts {
				if !m.holds(f, n, w.tick) {
					other = append(other, f)
				}
			}
		}
		for _, u := range added {
			for _, f := range valid {
				if slices.ContainsFunc(other, func(o modelFact) bool { return f.key() != o.key() && shares(f, o, u) }) {
					return true
				}
			}
		}
	}
	return false
}

// valid are the facts that hold at an instant, as known at a tick.
func (m *model) valid(minute, tick int) (out []modelFact) {
	for _, r := range m.all {
		for _, f := range r.facts {
			if !slices.Contains(out, f) && len(validAt(m.rowsOf(f, tick), minute)) > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// compareNames sees that the shard is found by all its names, also in SQL, and that its versions were kept.
func (w *correcting) compareNames() {
	want := len(w.m.history(w.tick))
	for _, name := range w.names {
		var n int
		found, err := archive.Lookup(w.Context(), w.db, name)
		if err == nil {
			err = w.db.Raw("SELECT count(*) FROM archive_views." + name).Scan(&n).Error
		}
		if err != nil || found.Name != w.s.Name || n != want {
			w.Errorf("%s is %v with %d rows in SQL, want %s with %d: %v", name, found, n, w.s.Name, want, err)
		}
	}
	if list, err := archive.Versions(w.Context(), w.db, w.s); err != nil || len(list) != w.versions {
		w.Errorf("%d versions, want %d: %v", len(list), w.versions, err)
	}
}
