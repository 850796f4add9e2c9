package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A part is what a response says about one shard.
type part struct {
	shard  *Shard
	facts  []shards.Fact // Each once.
	given  int           // Rows, the same ones counted again.
	scopes []shards.Fact // Complete ones; only the scope's values are set.
	reason string        // Why what they no longer show ends.
}

// parsed is a response that was checked.
type parsed struct {
	Response
	parts         []*part // By name: two responses then take things in one order.
	hash          []byte
	locks         []int64
	facts         int
	contradiction string
	lists         []shards.List
}

// parse checks a response. A contradiction is not an error here: it is kept.
// found are those of before for other responses of the same call.
func parse(ctx context.Context, db *gorm.DB, r Response, now time.Time, found map[string]*Shard) (*parsed, error) {
	r.At = shards.Instant(r.At)
	if err := checkResponse(&r, now); err != nil {
		return nil, err
	}
	p := &parsed{Response: r}
	p.Shards, p.Complete = map[string][]shards.Row{}, map[string][]shards.Row{}
	names := slices.AppendSeq(slices.Collect(maps.Keys(r.Shards)), maps.Keys(r.Complete))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if found[name] == nil {
			s, err := Lookup(ctx, db, name)
			if err != nil {
				return nil, err
			}
			found[name] = s
		}
		s := found[name]
		if _, twice := p.Shards[s.Name]; twice {
			return nil, &shards.InputError{Shard: s.Name, Row: -1, Message: fmt.Sprintf("is also given as %q, a name that it had", name)}
		}
		p.Shards[s.Name], p.Complete[s.Name] = r.Shards[name], r.Complete[name]
		if err := p.add(s); err != nil {
			return nil, err
		}
	}
	p.sum()
	p.lock()
	return p, nil
}

// maxAddress keeps source, address and viewer together within an entry of an index.
const maxAddress = 800

func checkResponse(r *Response, now time.Time) error {
	for _, f := range []struct{ name, value string }{{"source", r.Source}, {"address", r.Address}, {"viewer", r.Viewer}} {
		if err := shards.CheckText(f.value); err != nil {
			return &shards.InputError{Row: -1, Field: f.name, Message: err.Error()}
		}
		if len(f.value) > maxAddress {
			return &shards.InputError{Row: -1, Field: f.name, Message: fmt.Sprintf("is longer than %d bytes", maxAddress)}
		}
	}
	if r.Source == "" {
		return &shards.InputError{Row: -1, Field: "source", Message: "is missing: who answered?"}
	}
	if r.At.Year() < 1970 {
		return &shards.InputError{Row: -1, Field: "retrieved_at", Message: "is missing or before 1970"}
	}
	if r.At.After(now.Add(time.Minute)) {
		return &shards.InputError{Row: -1, Field: "retrieved_at", Message: fmt.Sprintf("%s is in the future", r.At.Format(time.RFC3339))}
	}
	return nil
}

// add checks the rows of one shard, and finds the first two that contradict each other.
func (p *parsed) add(s *Shard) error {
	if s.Retired != nil {
		return &pg.Error{Code: pg.CodeGone, Message: fmt.Sprintf("shard %s was retired at %s: it takes no more responses. "+
			"An admin can take that back.", s.Name, s.Retired.Format(time.RFC3339))}
	}
	rows := p.Shards[s.Name]
	q := &part{shard: s, given: len(rows), reason: shards.Removed}
	if p.Gone {
		q.reason = shards.SourceGone
	}
	st := s.statements()
	if err := p.takeLists(s, rows); err != nil {
		return err
	}
	facts := st.Room(len(rows))
	for n, row := range rows {
		if err := st.Fill(row, n, &facts[n]); err != nil {
			return err
		}
		if field := st.Missing(&facts[n], p.At); field != "" {
			return &shards.InputError{Shard: s.Name, Row: n, Field: field, Message: fmt.Sprintf("is missing: it is asked since %s; "+
				"send null where the page shows it empty", s.Since[field].Format(time.RFC3339Nano))}
		}
	}
	st.Name(facts)
	q.facts = p.distinct(s, facts)
	named := map[string]bool{}
	for n, values := range p.Complete[s.Name] {
		f, err := s.scopeOf(values, n)
		if err != nil {
			return err
		}
		if !named[f.Scope] {
			named[f.Scope] = true
			q.scopes = append(q.scopes, f)
		}
	}
	p.facts += len(q.facts)
	p.parts = append(p.parts, q)
	return nil
}

// distinct leaves each fact once, and notes the first two that contradict each other.
func (p *parsed) distinct(s *Shard, facts []shards.Fact) []shards.Fact {
	uniques := s.statements().Uniques
	held := make([]claims, 1+len(uniques)) // By key and unique key.
	for i := range held {
		held[i] = newClaims(len(facts))
	}
	out := facts[:0]
	for n := range facts {
		f := &facts[n]
		if first := held[0].claim(f.Key, n); first != n {
			if facts[first].ID != f.ID {
				p.contradict(s, first, n, "the same key with different data")
			}
			continue
		}
		for u, value := range f.Uniques {
			if value == "" {
				continue
			}
			if first := held[1+u].claim(value, n); first != n {
				p.contradict(s, first, n, fmt.Sprintf("the same %s with different keys", strings.Join(s.Unique[u], ", ")))
			}
		}
		if len(out) == n {
			out = facts[: n+1 : n+1] // Mostly all: nothing is copied.
		} else {
			out = append(out, *f)
		}
	}
	return out
}

func (p *parsed) contradict(s *Shard, a, b int, what string) {
	if p.contradiction == "" {
		p.contradiction = fmt.Sprintf("shard %s: rows %d and %d say %s at one instant", s.Name, a, b, what)
	}
}

// scopeOf checks the values of a scope and puts them where the fact has them.
func (s *Shard) scopeOf(values shards.Row, n int) (shards.Fact, error) {
	st := s.statements()
	f := st.Room(1)[0]
	for _, i := range st.Scope {
		field := st.Fields[i]
		v, err := shards.Clean(field.Type, values[field.Name])
		if err == nil && v == nil {
			err = fmt.Errorf("is missing: the scope of this shard is %s", strings.Join(s.Scope, ", "))
		}
		if err != nil {
			return f, &shards.InputError{Shard: s.Name, Row: -1, Field: field.Name, Message: fmt.Sprintf("complete scope %d: %v", n, err)}
		}
		f.Values[i] = v
	}
	if len(values) > len(st.Scope) {
		return f, &shards.InputError{Shard: s.Name, Row: -1, Message: fmt.Sprintf("complete scope %d: has fields besides %q", n, s.Scope)}
	}
	f.Scope = string(f.Pick(nil, st.Scope))
	return f, nil
}

// sum is the hash of what was read, not of the page: order does not count.
func (p *parsed) sum() {
	var all, one shards.Sum
	var buf []byte
	for _, q := range p.parts {
		for i := range q.facts {
			one, buf = shards.SumOfFact(buf, q.shard.Stored(), q.facts[i].ID)
			all.Add(one)
		}
		for i := range q.scopes {
			all.Add(shards.SumOfScope(q.shard.Stored(), number(q.shard.Stored(), q.scopes[i].Scope), q.reason))
		}
	}
	p.hash = all.Bytes()
}

// stripes bounds the locks that one response takes of one shard.
const stripes = 64

// stripe is the number of the i-th of a shard's locks.
func stripe(s *Shard, i int) int64 { return number(s.Stored(), string(rune(i))) }

// lock finds the numbers of the groups that the response may touch. Facts that
// can contradict each other are in one group.
func (p *parsed) lock() {
	set := map[int64]bool{}
	var group []byte
	sum := fnv.New64a()
	for _, q := range p.parts {
		st := q.shard.statements()
		var hit [stripes]bool
		for _, list := range [][]shards.Fact{q.facts, q.scopes} {
			for i := range list {
				if len(st.Group) == 0 {
					hit[0] = true // The shard as a whole.
					break
				}
				group = list[i].Pick(group[:0], st.Group)
				sum.Reset()
				_, _ = sum.Write(group)
				hit[sum.Sum64()%stripes] = true
			}
		}
		for i := range hit {
			if hit[i] || len(q.scopes) > 0 && !st.InScope || st.Wide && len(q.facts)+len(q.scopes) > 0 {
				set[stripe(q.shard, i)] = true
			}
		}
	}
	p.locks = slices.Sorted(maps.Keys(set))
}

// page is the number of a page's own lock: with it, what is stored later is later.
func (p *parsed) page() int64 {
	return number("", p.Source+"\x00"+p.Address+"\x00"+p.Viewer)
}

// number makes a number of a name within a shard.
func number(shard, name string) int64 {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, "archive "+shard+"\x00"+name)
	return int64(sum.Sum64())
}

// refused is what is kept of a response that contradicts itself.
func (p *parsed) refused() (string, error) {
	text, err := json.Marshal(map[string]any{"shards": p.Shards, "complete": p.Complete})
	return string(text), err
}
