package archive

import (
	"bytes"
	"maps"
	"slices"

	"gorm.io/gorm"

	pg "laurel/models/db"
)

// marks say of pages whether their next retrieval may rely on the one before: those
// that were retrieved, and none of those whose rows ended or whose complete
// scope has a row more. They are kept while responses are stored and written at
// the end, for all pages in one order, so that two writers never wait for each
// other.
type marks struct {
	dead  map[int64]bool // Responses whose rows are not as they left them.
	grown map[int64]bool // Scopes that have a row more.
	own   map[int64]*mark
}

// A mark is what a page shows now.
type mark struct {
	base   *int64 // The response that showed it first; nil is "compare every row".
	hash   []byte
	scopes []int64 // Numbers of those that it shows completely.
}

func newMarks() *marks {
	return &marks{dead: map[int64]bool{}, grown: map[int64]bool{}, own: map[int64]*mark{}}
}

// overlay brings what the database says of a response's page up to what was
// stored before it in this transaction.
func (m *marks) overlay(w *writer) {
	if own := m.own[w.Page]; own != nil {
		w.Base, w.Same, w.scopes = 0, bytes.Equal(own.hash, w.hash), own.scopes
		if own.base != nil {
			w.Base = *own.base
		}
	} else if m.stale(w.Base, w.scopes) {
		w.Base = 0
	}
}

func (m *marks) stale(base int64, scopes []int64) bool {
	return m.dead[base] || slices.ContainsFunc(scopes, func(s int64) bool { return m.grown[s] })
}

// none says that what the database says of pages is all there is.
func (m *marks) none() bool { return len(m.own)+len(m.dead)+len(m.grown) == 0 }

// add takes over what a response changed.
func (m *marks) add(w *writer) {
	grown := map[int64]bool{}
	own := &mark{hash: w.hash, scopes: []int64{}}
	for _, q := range w.parts {
		last := "none yet"
		for i := range q.facts {
			if scope := q.facts[i].Scope; w.res.Inserted > 0 && scope != last {
				last = scope
				grown[number(q.shard.Stored(), scope)] = true
			}
		}
		for i := range q.scopes {
			own.scopes = append(own.scopes, number(q.shard.Stored(), q.scopes[i].Scope))
		}
	}
	if !w.Late || w.holds && len(own.scopes) == 0 && (w.Newest == nil || !w.Newest.After(w.At)) {
		own.base = &w.id
	}
	m.lose(w.dead, grown)
	m.own[w.Page] = own
}

// lose takes over which responses are not as they were, and which scopes have a row more.
func (m *marks) lose(dead, grown map[int64]bool) {
	now := &marks{dead: dead, grown: grown}
	for _, other := range m.own {
		if other.base != nil && now.stale(*other.base, other.scopes) {
			other.base = nil
		}
	}
	maps.Copy(m.dead, dead)
	maps.Copy(m.grown, grown)
}

// save writes the marks.
func (m *marks) save(tx *gorm.DB) error {
	if m.none() {
		return nil
	}
	ids := slices.Sorted(maps.Keys(m.own))
	bases, hashes, scopes := make([]*int64, len(ids)), make([][]byte, len(ids)), make([]string, len(ids))
	for i, id := range ids {
		own := m.own[id]
		bases[i], hashes[i], scopes[i] = own.base, own.hash, braces(own.scopes)
	}
	if len(ids) == 1 && len(m.dead)+len(m.grown) == 0 {
		return tx.Exec(`UPDATE archive_pages SET base = @base, hash = @hash, scopes = CAST(@scopes AS bigint[]) WHERE id = @id`,
			pg.Named("id", ids[0], "base", bases[0], "hash", hashes[0], "scopes", scopes[0])).Error
	}
	dead, grown := slices.Sorted(maps.Keys(m.dead)), slices.Sorted(maps.Keys(m.grown))
	return tx.Exec(queries.Must("save_marks"),
		pg.Named("ids", &ids, "bases", &bases, "hashes", &hashes, "scopes", &scopes, "dead", &dead, "grown", &grown)).Error
}
