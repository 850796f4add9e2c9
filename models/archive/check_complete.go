package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
)

// scopeRows are a scope that responses of the part showed completely, and when its rows held.
type scopeRows struct {
	fact        shards.Fact // Only the scope's values are set.
	from, until []int64
}

// valid is how many rows of the scope held at an instant.
func (s *scopeRows) valid(at int64) int {
	begun, _ := slices.BinarySearch(s.from, at+1)
	over, _ := slices.BinarySearch(s.until, at+1)
	return begun - over
}

// complete looks for rows that held while a page was complete for their scope and did not
// show them. Mostly the numbers of rows that held and that it showed are the same.
func (r *rebuilding) complete(tx *gorm.DB) error {
	for i, s := range r.shards {
		if len(r.scopes[s.Stored()]) == 0 {
			continue
		}
		if err := r.periodsOf(tx, s); err != nil {
			return err
		}
		var facts []shards.Fact
		var at []time.Time
		for _, b := range r.byID {
			for _, e := range b.complete {
				if e.shard != s.Stored() {
					continue
				}
				sc := r.scopes[s.Stored()][e.scope]
				for _, l := range b.looks {
					if sc.valid(l.at) > b.shows(i, e.scope, l.at) {
						facts, at = append(facts, sc.fact), append(at, time.UnixMicro(l.at))
					}
				}
			}
		}
		if len(facts) > 0 {
			if err := r.outlived(tx, s, facts, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// shows is how many rows of a scope the response shows at an instant.
func (b *rebuilt) shows(shard int, scope, at int64) (n int) {
	for _, s := range b.shown {
		if s.shard == shard && s.scope == scope && s.from <= at && at < s.until {
			n++
		}
	}
	return n
}

// periodsOf reads when the rows of the scopes of a shard held.
func (r *rebuilding) periodsOf(tx *gorm.DB, s *Shard) error {
	st := s.statements()
	list, err := tx.Raw(fmt.Sprintf(`SELECT json_build_array(%s), _from, _until FROM %s x`, st.columns("x.", st.Scope), s.Rows())).Rows()
	if err != nil {
		return err
	}
	defer func() { _ = list.Close() }()
	for list.Next() {
		var text []byte
		var from time.Time
		var until *time.Time
		if err := list.Scan(&text, &from, &until); err != nil {
			return err
		}
		fact, err := decodeScope(st, text)
		if err != nil {
			return err
		}
		if sc := r.scopes[s.Stored()][number(s.Stored(), fact.Scope)]; sc != nil {
			sc.fact, sc.from = fact, append(sc.from, from.UnixMicro())
			if until != nil {
				sc.until = append(sc.until, until.UnixMicro())
			}
		}
	}
	for _, sc := range r.scopes[s.Stored()] {
		slices.Sort(sc.from)
		slices.Sort(sc.until)
	}
	return list.Err()
}

// decodeScope reads the values of a scope.
func decodeScope(st *statements, text []byte) (shards.Fact, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return shards.Fact{}, err
	}
	f := st.Room(1)[0]
	for n, i := range st.Scope {
		var v any
		d := json.NewDecoder(bytes.NewReader(raw[n]))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return shards.Fact{}, err
		}
		var err error
		if f.Values[i], err = shards.Clean(st.Fields[i].Type, v); err != nil {
			return shards.Fact{}, err
		}
	}
	f.Scope = string(f.Pick(nil, st.Scope))
	return f, nil
}

// outlived finds the rows of scopes that held at instants and were not seen then by any response.
func (r *rebuilding) outlived(tx *gorm.DB, s *Shard, facts []shards.Fact, at []time.Time) error {
	st := s.statements()
	given := fmt.Sprintf("SELECT _at, _n FROM unnest(CAST(@c%d AS timestamptz[])) WITH ORDINALITY AS g(_at, _n)", len(st.Scope))
	if len(st.Scope) > 0 {
		given = st.unnest(st.Scope, "_at", fmt.Sprintf("CAST(@c%d AS timestamptz[])", len(st.Scope)))
	}
	args := arguments(st, facts, st.Scope, "max", maxFindings)
	args[fmt.Sprint("c", len(st.Scope))] = &at
	return r.foundWith(tx, s.Name, fmt.Sprintf(`
		SELECT 'complete' AS _kind, 'the row of ' || CAST(ROW(%[1]s) AS text) || ' from ' || x._from || ' held at ' || g._at
			|| ', when a page was complete without it' AS _message
		FROM (%[2]s) g JOIN %[3]s x ON %[4]s AND x._from < g._at AND (x._until > g._at OR x._until IS NULL)
		WHERE NOT EXISTS (SELECT FROM archive_retrievals r WHERE r.at = g._at AND r.withdrawn_at IS NULL
			AND (coalesce(r.same_as, r.id) = ANY(x._seen)
			OR EXISTS (SELECT FROM archive_seen s WHERE s.aside = x._aside AND coalesce(r.same_as, r.id) = ANY(s.seen))))`,
		st.columns("x.", upTo(0, st.Keys)), given, st.checked(), st.match("x", "g", st.Scope, "=")), args)
}
