package archive

import (
	"maps"
	"slices"
	"time"

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
	st := q.shard.statements()
	m := &mending{writer: w, part: q, st: st, rows: map[place]*stored{}, probed: map[string]bool{}}
	aside, err := m.aside()
	if err != nil {
		return err
	}
	rest := q.facts
	if len(aside) == 0 { // Else what is open may give way to a fact that gave way itself.
		rest, err = w.again(st, st.confirm, rest) // Right at whatever instant they were open.
		if err != nil || len(rest) == 0 && len(q.scopes) == 0 {
			return err
		}
	}
	if len(q.scopes) > 0 {
		if err := m.load(st.inScopes, arguments(st, q.scopes, st.scope, "at", w.At)); err != nil {
			return err
		}
	}
	for _, f := range rest {
		m.probe(f)
	}
	for _, o := range aside {
		m.probe(o.Fact)
	}
	if err := m.surround(); err != nil {
		return err
	}
	endings, err := m.endings()
	if err != nil {
		return err
	}
	seen, known := m.unfold()
	seen = append(seen, aside...)
	for _, f := range rest {
		seen = append(seen, Observation{At: w.At, Fact: f, Order: string(w.hash), retrieval: w.id})
	}
	spans, yielded := fold(seen, endings, known)
	m.countFacts(rest, spans, yielded)
	return m.save(spans, yielded)
}

// A mending is one part that is folded once more with what is around it.
type mending struct {
	*writer
	*part
	st     *statements
	rows   map[place]*stored
	probed map[string]bool
	todo   []Fact
}

func (m *mending) probe(f Fact) {
	if !m.probed[f.id] {
		m.probed[f.id] = true
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
		if err := m.load(m.st.near, arguments(m.st, facts, upTo(0, len(m.st.fields)), "at", m.At)); err != nil {
			return err
		}
	}
}

// aside are the facts that gave way at this instant: they are weighed again.
func (m *mending) aside() ([]Observation, error) {
	var rows []struct {
		RetrievalID int64
		Hash        []byte
		Fact        string
	}
	err := m.tx.Raw(`SELECT y.retrieval_id, r.hash, y.fact FROM archive_yielded y JOIN archive_retrievals r ON r.id = y.retrieval_id
		WHERE y.shard = @shard AND y.at = @at`, pg.Named("shard", m.shard.Name, "at", m.At)).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	var out []Observation
	for _, r := range rows {
		f, err := decodeFact(m.st, []byte(r.Fact))
		if err != nil {
			return nil, err
		}
		out = append(out, Observation{At: m.At, Fact: f, Order: string(r.Hash), retrieval: r.RetrievalID})
	}
	return out, nil
}

// endings are what ends rows at the instant and next after it, in every scope
// that was probed or that the response shows completely. Repeats count.
func (m *mending) endings() ([]Ending, error) {
	scopes := map[int64]string{}
	for _, list := range [][]Fact{m.facts, m.scopes} {
		for i := range list {
			scopes[number(m.shard.Name, list[i].scope)] = list[i].scope
		}
	}
	for _, r := range m.rows {
		scopes[number(m.shard.Name, r.Fact.scope)] = r.Fact.scope
	}
	numbers := slices.Collect(maps.Keys(scopes))
	var rows []struct {
		Scope  int64
		At     time.Time
		Reason string
	}
	err := m.tx.Raw(queries.Must("endings"),
		pg.Named("scopes", &numbers, "shard", m.shard.Name, "at", m.At)).Scan(&rows).Error
	var out []Ending
	for _, r := range rows {
		out = append(out, Ending{At: r.At.UTC(), Scope: scopes[r.Scope], Reason: r.Reason})
	}
	return out, err
}

// unfold turns the loaded rows back into observations and the ends that are known.
func (m *mending) unfold() (seen []Observation, known []knownEnd) {
	for _, r := range m.rows {
		for _, s := range r.sightings {
			seen = append(seen, Observation{At: s.at, Fact: r.Fact, Order: s.order, retrieval: s.base})
		}
		if !r.Until.IsZero() && !r.Until.Equal(m.At) {
			known = append(known, knownEnd{r.Until, r.Fact.id, r.Reason})
		}
	}
	return seen, known
}
