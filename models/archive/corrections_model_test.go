package archive_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"laurel/models/archive"
	"laurel/models/modelstest"
)

// The bitemporal model: a list of what was said and taken back, and rules that look at all of it for each
// single question, with the fields and unique keys of today. It shares nothing with the archive but the content
// hash by which of two pages that contradict each other at one instant one is believed, which it reads from the log.

// modelFact is a row of the shard p: a word for each field, first g and k, which are the key. "" was not asked.
type modelFact [8]string

const null = "null"

// modelField is a field as it is called today, and from which minute it is asked.
type modelField struct {
	name, kind string
	since      int
}

func (f modelFact) key() string { return f[0] + " " + f[1] }

// data are the values behind the key, as far as any of them was asked.
func (f modelFact) data() string { return strings.TrimRight(strings.Join(f[2:], " "), " ") }

func (m *model) sharesUnique(f, o modelFact) bool {
	return slices.ContainsFunc(m.uniques, func(u []int) bool { return shares(f, o, u) })
}

// shares says whether two facts have one value of some fields.
func shares(f, o modelFact, u []int) bool {
	return !slices.ContainsFunc(u, func(i int) bool { return f[i] == "" || f[i] == null || f[i] != o[i] })
}

func (m *model) against(f, o modelFact) bool {
	return f != o && (f.key() == o.key() || m.sharesUnique(f, o))
}

// before says which of two facts that one response showed counts, since a unique key made them contradict each other:
// that whose first other value comes first. Not asked at the end, numbers, null, texts by length, not asked in between.
func (m *model) before(f, o modelFact) bool {
	rank := func(f modelFact, i int) string {
		switch v := f[i]; {
		case v == "" && strings.Join(f[i:], "") == "":
			return "0"
		case v == "":
			return "4"
		case v == null:
			return "2"
		case m.fields[i].kind == "integer":
			return "1" + v
		default:
			return fmt.Sprintf("3%03d%s", len(v), v)
		}
	}
	for i := range m.fields {
		if c := cmp.Compare(rank(f, i), rank(o, i)); c != 0 {
			return c < 0
		}
	}
	return false
}

// said is a response that was stored.
type said struct {
	id            int64
	page          string
	minute        int
	facts         []modelFact
	complete      string // A scope, or "".
	gone          bool
	hash          string
	stored, taken int // Ticks; taken 0 is believed.
	supersededBy  int64
	text          string // Its content.
}

func contentOf(facts []modelFact, complete string, gone bool) string {
	list := slices.Clone(facts)
	slices.SortFunc(list, func(a, b modelFact) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	if complete != "" {
		return fmt.Sprint(list, complete, gone)
	}
	return fmt.Sprint(list)
}

type model struct {
	all     []*said
	fields  []modelField
	uniques [][]int // By the places of their fields.
}

// newModel is that of the shard p as it is declared.
func newModel() model {
	return model{fields: []modelField{{name: "g", kind: "text"}, {name: "k", kind: "integer"}, {name: "u", kind: "integer"},
		{name: "d", kind: "text"}}, uniques: [][]int{{0, 2}, {3}}}
}

// at are the responses of an instant that were believed at a tick.
func (m *model) at(minute, tick int) (out []*said) {
	for _, r := range m.all {
		if r.minute == minute && r.stored <= tick && (r.taken == 0 || r.taken > tick) {
			out = append(out, r)
		}
	}
	return out
}

// holds says whether a fact was believed to hold at an instant because it was seen then.
func (m *model) holds(f modelFact, minute, tick int) bool {
	list := m.at(minute, tick)
	lowest := func(f modelFact) (hash string) {
		for _, r := range list {
			if slices.Contains(r.facts, f) && (hash == "" || r.hash < hash) {
				hash = r.hash
			}
		}
		return hash
	}
	mine := lowest(f)
	if mine == "" {
		return false
	}
	for _, r := range list {
		for _, o := range r.facts {
			if m.against(f, o) && (lowest(o) < mine || lowest(o) == mine && m.before(o, f)) {
				return false
			}
		}
	}
	return true
}

// seenAt are the facts that are believed of an instant.
func (m *model) seenAt(minute, tick int) (out []modelFact) {
	for _, r := range m.at(minute, tick) {
		for _, f := range r.facts {
			if m.holds(f, minute, tick) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// ends is why a fact that held ends at an instant; "" if it does not.
func (m *model) ends(f modelFact, minute, tick int) string {
	seen := m.seenAt(minute, tick)
	if slices.Contains(seen, f) {
		return ""
	}
	found := map[string]bool{}
	for _, o := range seen {
		found["changed"] = found["changed"] || o.key() == f.key()
		found["displaced"] = found["displaced"] || o.key() != f.key() && m.sharesUnique(o, f)
	}
	for _, r := range m.at(minute, tick) {
		found["removed"] = found["removed"] || r.complete == f[0] && !r.gone
		found["source gone"] = found["source gone"] || r.complete == f[0] && r.gone
	}
	for _, why := range []string{"changed", "removed", "source gone", "displaced"} {
		if found[why] {
			return why
		}
	}
	return ""
}

const lastMinute = 12

// history are all rows as they were known at a tick, in words.
func (m *model) history(tick int) (out []string) {
	var facts []modelFact
	for _, r := range m.all {
		for _, f := range r.facts {
			if !slices.Contains(facts, f) {
				facts = append(facts, f)
			}
		}
	}
	for _, f := range facts {
		out = append(out, m.rowsOf(f, tick)...)
	}
	slices.Sort(out)
	return out
}

func (m *model) rowsOf(f modelFact, tick int) (out []string) {
	var seen []int
	begin := func(until int, why string) {
		if len(seen) > 0 {
			out = append(out, rowWords(f, seen, until, why))
		}
		seen = nil
	}
	for minute := range lastMinute + 1 {
		if m.holds(f, minute, tick) {
			seen = append(seen, minute)
		} else if why := m.ends(f, minute, tick); why != "" {
			begin(minute, why)
		}
	}
	begin(-1, "")
	return out
}

func rowWords(f modelFact, seen []int, until int, why string) string {
	return fmt.Sprintf("%s: %s from %d until %d %s seen %v", f.key(), f.data(), seen[0], until, why, seen)
}

// validAt are those of some rows that held at an instant.
func validAt(rows []string, minute int) (out []string) {
	for _, r := range rows {
		var from, until int
		_, words, _ := strings.Cut(r, "from ")
		if _, err := fmt.Sscanf(words, "%d until %d", &from, &until); err != nil {
			panic(err)
		}
		if from <= minute && (until < 0 || minute < until) {
			out = append(out, r)
		}
	}
	return out
}

// diff are the keys whose rows at two instants differ, as known at a tick.
func (m *model) diff(from, until, tick int) (out []string) {
	rows := m.history(tick)
	valid := [2]map[string]string{{}, {}}
	for i, minute := range []int{from, until} {
		for _, r := range validAt(rows, minute) {
			key, rest, _ := strings.Cut(r, ": ")
			valid[i][key], _, _ = strings.Cut(rest, " from ")
		}
	}
	for _, g := range []string{"x", "y"} {
		for k := range 3 {
			key := fmt.Sprint(g, " ", k)
			if a, b := valid[0][key], valid[1][key]; a != b {
				out = append(out, fmt.Sprintf("%s: %s to %s", key, a, b))
			}
		}
	}
	slices.Sort(out)
	return out
}

// fact is a row of the archive.
func (m *model) fact(key, data map[string]any) (f modelFact) {
	for i, field := range m.fields {
		v, ok := data[field.name]
		if i < 2 {
			v, ok = key[field.name]
		}
		switch {
		case v != nil:
			f[i] = fmt.Sprint(v)
		case ok:
			f[i] = null
		}
	}
	return f
}

// words are rows of the archive in the words of the model.
func (m *model) words(list []archive.Snapshot) (out []string) {
	for _, s := range list {
		var seen []int
		for _, t := range s.Retrieved {
			seen = append(seen, int(t.Sub(modelstest.Noon).Minutes()))
		}
		until := -1
		if s.ValidUntil != nil {
			until = int(s.ValidUntil.Sub(modelstest.Noon).Minutes())
		}
		out = append(out, rowWords(m.fact(s.Key, s.Data), seen, until, s.EndReason))
	}
	slices.Sort(out)
	return out
}

// contradicted are the believed responses of a page and instant that contradict some facts.
func (m *model) contradicted(page string, minute int, facts []modelFact, but int64) (ids []int64) {
	for _, r := range m.at(minute, 1<<30) {
		for _, o := range r.facts {
			for _, f := range facts {
				if r.page == page && r.id != but && m.against(f, o) {
					ids = append(ids, r.id)
				}
			}
		}
	}
	return ids
}

func (m *model) find(id int64) *said {
	return m.all[slices.IndexFunc(m.all, func(r *said) bool { return r.id == id })]
}

// lacks says whether a response lacks a field that was asked at its instant.
func (m *model) lacks(r *said) bool {
	return slices.ContainsFunc(r.facts, func(f modelFact) bool {
		for i, field := range m.fields {
			if f[i] == "" && r.minute >= field.since {
				return true
			}
		}
		return false
	})
}

func (m *model) keyRow(f modelFact) row {
	return m.row(modelFact{f[0], f[1]})
}
