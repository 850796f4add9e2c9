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
// single question. It shares nothing with the archive but the content hash by which of two pages that
// contradict each other at one instant one is believed, which it reads from the log.

// modelFact is a row of the shard p.
type modelFact struct {
	g, d string // d "" is null.
	k, u int    // u 0 is null.
}

func (f modelFact) key() string { return fmt.Sprint(f.g, f.k) }

func (f modelFact) sharesUnique(o modelFact) bool {
	return f.u != 0 && f.g == o.g && f.u == o.u || f.d != "" && f.d == o.d
}

func (f modelFact) against(o modelFact) bool {
	return f != o && (f.key() == o.key() || f.sharesUnique(o))
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

type model struct{ all []*said }

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
			if f.against(o) && lowest(o) < mine {
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
		found["displaced"] = found["displaced"] || o.key() != f.key() && o.sharesUnique(f)
	}
	for _, r := range m.at(minute, tick) {
		found["removed"] = found["removed"] || r.complete == f.g && !r.gone
		found["source gone"] = found["source gone"] || r.complete == f.g && r.gone
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
	}
	slices.Sort(out)
	return out
}

func rowWords(f modelFact, seen []int, until int, why string) string {
	return fmt.Sprintf("%s %d %d %q from %d until %d %s seen %v", f.g, f.k, f.u, f.d, seen[0], until, why, seen)
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
			var g, k, u, d string
			if _, err := fmt.Sscan(r, &g, &k, &u, &d); err != nil {
				panic(err)
			}
			valid[i][g+" "+k] = u + " " + d
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

// dataWords are the data of a row in the same words; "" of none.
func dataWords(s *archive.Snapshot) string {
	if s == nil {
		return ""
	}
	u, _ := s.Data["u"].(int64)
	d, _ := s.Data["d"].(string)
	return fmt.Sprintf("%d %q", u, d)
}

// snapshotWords are rows of the archive in the same words.
func snapshotWords(list []archive.Snapshot) (out []string) {
	for _, s := range list {
		f := modelFact{g: s.Key["g"].(string), k: int(s.Key["k"].(int64))}
		if u, ok := s.Data["u"].(int64); ok {
			f.u = int(u)
		}
		f.d, _ = s.Data["d"].(string)
		var seen []int
		for _, t := range s.Retrieved {
			seen = append(seen, int(t.Sub(modelstest.Noon).Minutes()))
		}
		until := -1
		if s.ValidUntil != nil {
			until = int(s.ValidUntil.Sub(modelstest.Noon).Minutes())
		}
		out = append(out, rowWords(f, seen, until, s.EndReason))
	}
	slices.Sort(out)
	return out
}

// against are the believed responses of a page and instant that contradict some facts.
func (m *model) against(page string, minute int, facts []modelFact, but int64) (ids []int64) {
	for _, r := range m.at(minute, 1<<30) {
		for _, o := range r.facts {
			for _, f := range facts {
				if r.page == page && r.id != but && f.against(o) {
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
