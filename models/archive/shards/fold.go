package shards

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Reasons why a row ended.
const (
	Changed    = "changed"
	Removed    = "removed"
	SourceGone = "source gone"
	Displaced  = "displaced"
)

// reasonOrder is by how much a reason says: of several at one instant the first counts.
var reasonOrder = []string{Changed, Removed, SourceGone, Displaced}

// An Observation is one fact seen at one instant.
type Observation struct {
	At   time.Time
	Fact Fact
	// Order decides between contradicting responses of one instant: the lower
	// one is believed.
	Order string

	Retrieval int64 // The response that listed the fact, or the one it repeats.
	Line      int64 // The response that listed it.
}

// An Ending ends what was not seen at its instant: all rows of a scope.
type Ending struct {
	At     time.Time
	Scope  string // As Fact has it.
	Reason string
}

// A Span is a row of a shard: a fact and when it was valid.
type Span struct {
	Fact   Fact
	From   time.Time
	Until  time.Time // Zero while open.
	Reason string
	Seen   []time.Time // Never empty; the first is From.

	Retrievals []int64
}

// Fold is the definition of a shard's rows: what these observations and endings,
// in any order, say together. Observations that gave way to another response of
// their instant come back as the second value.
func Fold(seen []Observation, endings []Ending) ([]Span, []Observation) {
	return Refold(seen, endings, nil)
}

// A KnownEnd is an end that was found before, of a row that is folded once more
// without all that surrounds it.
type KnownEnd struct {
	At     time.Time
	Fact   string
	Reason string
}

// moment is all that happens at one instant.
type moment struct {
	seen    []Observation
	endings []Ending
	known   []KnownEnd
}

// Refold is Fold for rows that are folded once more.
func Refold(seen []Observation, endings []Ending, known []KnownEnd) ([]Span, []Observation) {
	moments := map[int64]*moment{}
	at := func(t time.Time) *moment {
		m := moments[t.UnixMicro()]
		if m == nil {
			m = &moment{}
			moments[t.UnixMicro()] = m
		}
		return m
	}
	for _, o := range seen {
		m := at(o.At)
		m.seen = append(m.seen, o)
	}
	for _, e := range endings {
		m := at(e.At)
		m.endings = append(m.endings, e)
	}
	for _, k := range known {
		m := at(k.At)
		m.known = append(m.known, k)
	}
	s := state{open: map[string]*Span{}, holders: map[holder]*Span{}}
	var yielded []Observation
	for _, t := range slices.Sorted(maps.Keys(moments)) {
		m := moments[t]
		believed, others := believe(m.seen)
		yielded = append(yielded, others...)
		s.step(time.UnixMicro(t).UTC(), believed, m)
	}
	spans := make([]Span, len(s.all))
	for i, p := range s.all {
		spans[i] = *p
	}
	return spans, yielded
}

// believe parts the observations of one instant: those that hold, and those that
// a lower response contradicts, whether or not that one is contradicted itself.
// So each verdict depends on the two facts alone, and never on the order in
// which responses arrived.
func believe(seen []Observation) (believed, yielded []Observation) {
	order := map[string]string{} // A fact counts with its lowest response.
	for _, o := range seen {
		if low, ok := order[o.Fact.ID]; !ok || o.Order < low {
			order[o.Fact.ID] = o.Order
		}
	}
	rivals := map[string][]*Fact{} // Distinct facts by all that they could share.
	done := map[string]bool{}
	for i := range seen {
		if f := &seen[i].Fact; !done[f.ID] {
			done[f.ID] = true
			for _, k := range f.claims() {
				rivals[k] = append(rivals[k], f)
			}
		}
	}
	loses := map[string]bool{}
	for _, fs := range rivals {
		for _, f := range fs {
			for _, g := range fs {
				if f.ID != g.ID && f.Contradicts(g) && cmp.Or(cmp.Compare(order[g.ID], order[f.ID]), cmp.Compare(g.ID, f.ID)) < 0 {
					loses[f.ID] = true
				}
			}
		}
	}
	for _, o := range seen {
		if loses[o.Fact.ID] {
			yielded = append(yielded, o)
		} else {
			believed = append(believed, o)
		}
	}
	return believed, yielded
}

// claims are the values that only one fact may hold at a time.
func (f *Fact) claims() []string {
	out := []string{"k" + f.Key}
	for i, u := range f.Uniques {
		if u != "" {
			out = append(out, string(rune('A'+i))+u)
		}
	}
	return out
}

// holder names a value of the further unique key i.
type holder struct {
	i     int
	value string
}

// state is what is open while the instants pass.
type state struct {
	all     []*Span
	open    map[string]*Span // By key.
	holders map[holder]*Span
}

// step takes all that holds at one instant: first rows end, then rows open, for
// two facts may swap a unique value.
func (s *state) step(t time.Time, believed []Observation, m *moment) {
	shown := map[string]bool{}
	for _, o := range believed {
		shown[o.Fact.ID] = true
	}
	reasons := map[*Span]string{}
	end := func(p *Span, reason string) {
		if p != nil && !shown[p.Fact.ID] && isStronger(reason, reasons[p]) {
			reasons[p] = reason
		}
	}
	for _, o := range believed {
		end(s.open[o.Fact.Key], Changed)
		for _, p := range s.displaced(&o.Fact) {
			end(p, Displaced)
		}
	}
	for _, p := range s.open {
		for _, e := range m.endings {
			if p.Fact.Scope == e.Scope && e.Scope != "" {
				end(p, e.Reason)
			}
		}
		for _, k := range m.known {
			if p.Fact.ID == k.Fact {
				end(p, k.Reason)
			}
		}
	}
	for p, reason := range reasons {
		s.end(t, p, reason)
	}
	for _, o := range believed {
		s.see(t, o)
	}
}

// isStronger reports whether a reason comes before another one, which may be "".
func isStronger(reason, than string) bool {
	return than == "" || slices.Index(reasonOrder, reason) < slices.Index(reasonOrder, than)
}

// displaced returns the open rows of other keys that have a unique value of a fact.
func (s *state) displaced(f *Fact) (rows []*Span) {
	for i, u := range f.Uniques {
		if p := s.holders[holder{i, u}]; p != nil && p.Fact.Key != f.Key {
			rows = append(rows, p)
		}
	}
	return rows
}

// end ends an open row, which holds nothing from then on.
func (s *state) end(t time.Time, p *Span, reason string) {
	p.Until, p.Reason = t, reason
	delete(s.open, p.Fact.Key)
	for i, u := range p.Fact.Uniques {
		if h := (holder{i, u}); s.holders[h] == p {
			delete(s.holders, h)
		}
	}
}

// see adds an observation to the open row of its fact, or opens one.
func (s *state) see(t time.Time, o Observation) {
	p := s.open[o.Fact.Key]
	if p == nil {
		p = &Span{Fact: o.Fact, From: t}
		s.all = append(s.all, p)
		s.open[o.Fact.Key] = p
		for i, u := range o.Fact.Uniques {
			if u != "" {
				s.holders[holder{i, u}] = p
			}
		}
	}
	if n := len(p.Seen); n == 0 || p.Seen[n-1].Before(t) {
		p.Seen = append(p.Seen, t)
	}
	if o.Retrieval != 0 && !slices.Contains(p.Retrievals, o.Retrieval) {
		p.Retrievals = append(p.Retrievals, o.Retrieval)
	}
}
