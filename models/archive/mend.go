package archive

import (
	"maps"
	"slices"
	"time"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// mend stores a part that came late, or together with others of its instant.
//
// What it finds as open and unchanged is confirmed like anything else. The rest
// is folded once more together with the rows around its instant: those of its
// keys and of its unique values whose periods reach the instant, and the first
// ones after it. All others cannot change. An end of such a row stays as it is
// known, because what caused it is not folded with it; only the ends at the
// instant itself are found again, and for them everything around is there.
func (w *writer) mend(q *part) error {
	m, err := w.mending(q)
	if err != nil {
		return err
	}
	rest := q.facts
	if len(m.aside) == 0 { // Else what is open may give way to a fact that gave way itself.
		rest, err = w.again(m.st, m.st.confirm, rest) // Right at whatever instant they were open.
		if err != nil || len(rest) == 0 && len(q.scopes) == 0 {
			return err
		}
	}
	if len(q.scopes) > 0 {
		if err := m.load(m.st.inScopes, arguments(m.st, q.scopes, m.st.Scope, "at", w.At)); err != nil {
			return err
		}
	}
	added := make([]shards.Observation, len(rest))
	for i, f := range rest {
		added[i] = shards.Observation{At: w.At, Fact: f, Order: string(w.hash), Retrieval: w.id, Line: w.id}
	}
	return m.fold(added)
}

// A mending is one part that is folded once more with what is around it.
type mending struct {
	*writer
	*part
	st       *statements
	rows     map[place]*stored
	aside    []shards.Observation // What gave way at the instant.
	seenOn   map[int64]int64      // The pages of responses that gave way.
	probed   map[string]bool
	scopesOf map[int64]string // Of all that may change, by number.
	todo     []shards.Fact
}

func (w *writer) mending(q *part) (*mending, error) {
	m := &mending{writer: w, part: q, st: q.shard.statements(), rows: map[place]*stored{}, seenOn: map[int64]int64{},
		probed: map[string]bool{}, scopesOf: map[int64]string{}}
	return m, m.readAside()
}

// fold folds the rows around the instant, with what is added to it.
func (m *mending) fold(added []shards.Observation) error {
	for _, list := range [][]shards.Observation{added, m.aside} {
		for _, o := range list {
			m.probe(o.Fact)
		}
	}
	if err := m.surround(); err != nil {
		return err
	}
	if err := m.contradicted(added); err != nil {
		return err
	}
	endings, err := m.endings()
	if err != nil {
		return err
	}
	seen, known := m.unfold()
	spans, yielded := shards.Refold(slices.Concat(seen, m.aside, added), endings, known)
	m.countFacts(added, spans, yielded)
	m.noteAside(yielded)
	return m.save(spans, yielded)
}

func (m *mending) probe(f shards.Fact) {
	if !m.probed[f.ID] {
		m.probed[f.ID] = true
		m.scopesOf[number(m.shard.Stored(), f.Scope)] = f.Scope
		m.todo = append(m.todo, f)
	}
}

func (m *mending) load(sql string, args map[string]any) error {
	rows, err := readRows(m.tx, m.shard, sql, args)
	for _, r := range rows {
		if m.rows[r.place] == nil {
			m.rows[r.place] = r
		}
	}
	return err
}

// surround loads the rows around all probes. A row that ended at the instant, or
// was seen at it, becomes a probe itself: its verdict may change.
func (m *mending) surround() error {
	for {
		for _, r := range m.rows {
			if r.Until.Equal(m.At) || slices.ContainsFunc(r.Seen, m.At.Equal) {
				m.probe(r.Fact)
			}
		}
		if len(m.todo) == 0 {
			return nil
		}
		facts := m.todo
		m.todo = nil
		if err := m.load(m.st.near, arguments(m.st, facts, upTo(0, len(m.st.Fields)), "at", m.At)); err != nil {
			return err
		}
	}
}

// readAside reads the facts that gave way at this instant: they are weighed again.
func (m *mending) readAside() error {
	var rows []struct {
		RetrievalID, ID, PageID int64
		Hash                    []byte
		Fact                    string
	}
	err := m.tx.Raw(queries.Must("gave_way"), pg.Named("shard", m.shard.Stored(), "at", m.At)).Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		f, err := decodeFact(m.st, []byte(r.Fact))
		if err != nil {
			return err
		}
		m.aside = append(m.aside, shards.Observation{At: m.At, Fact: f, Order: string(r.Hash), Retrieval: r.RetrievalID, Line: r.ID})
		m.seenOn[r.ID] = r.PageID
	}
	return nil
}

// contradicted refuses what contradicts another response of the same page and instant.
func (m *mending) contradicted(added []shards.Observation) error {
	said := slices.Clone(m.aside)
	for _, r := range m.rows {
		for _, s := range r.sightings {
			if s.at.Equal(m.At) {
				said = append(said, shards.Observation{Fact: r.Fact, Line: s.line})
				m.seenOn[s.line] = s.page
			}
		}
	}
	for i := range added {
		for j := range said {
			if m.seenOn[said[j].Line] == m.Page && said[j].Line != m.id && added[i].Fact.Contradicts(&said[j].Fact) {
				return conflict(m.shard, &added[i], &said[j])
			}
		}
	}
	return nil
}

// endings are what ends rows at the instant and next after it, in every scope
// that was probed or that the response shows completely. Repeats count.
func (m *mending) endings() ([]shards.Ending, error) {
	for _, f := range m.scopes {
		m.scopesOf[number(m.shard.Stored(), f.Scope)] = f.Scope
	}
	for _, r := range m.rows {
		m.scopesOf[number(m.shard.Stored(), r.Fact.Scope)] = r.Fact.Scope
	}
	numbers := slices.Collect(maps.Keys(m.scopesOf))
	var rows []struct {
		Scope  int64
		At     time.Time
		Reason string
	}
	err := m.tx.Raw(queries.Must("endings"),
		pg.Named("scopes", &numbers, "shard", m.shard.Stored(), "at", m.At)).Scan(&rows).Error
	var out []shards.Ending
	for _, r := range rows {
		out = append(out, shards.Ending{At: r.At.UTC(), Scope: m.scopesOf[r.Scope], Reason: r.Reason})
	}
	return out, err
}

// unfold turns the loaded rows back into observations and the ends that are known.
func (m *mending) unfold() (seen []shards.Observation, known []shards.KnownEnd) {
	for _, r := range m.rows {
		for _, s := range r.sightings {
			seen = append(seen, shards.Observation{At: s.at, Fact: r.Fact, Order: s.order, Retrieval: s.base, Line: s.line})
		}
		if !r.Until.IsZero() && !r.Until.Equal(m.At) {
			known = append(known, shards.KnownEnd{At: r.Until, Fact: r.Fact.ID, Reason: r.Reason})
		}
	}
	return seen, known
}
