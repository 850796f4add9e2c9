package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// logged reads the part of the log.
func (k *checker) logged(tx *gorm.DB) (*rebuilding, error) {
	r := &rebuilding{checker: k, byID: map[int64]*rebuilt{}, scopes: map[string]map[int64]*scopeRows{}}
	rows, err := tx.Raw(`
		SELECT id, coalesce(same_as, id), page_id, CAST(extract(epoch FROM at) * 1000000 AS bigint), hash, facts, altered
		FROM archive_retrievals WHERE outcome = 'ok' AND withdrawn_at IS NULL AND id > @since AND `+k.slice("coalesce(same_as, id)"),
		pg.Named("since", k.Since)).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var l look
		var base, page int64
		if err := rows.Scan(&l.id, &base, &page, &l.at, &l.hash, &l.facts, &l.altered); err != nil {
			return nil, err
		}
		b := r.byID[base]
		if b == nil {
			b = &rebuilt{page: page}
			r.byID[base], r.ids = b, append(r.ids, base)
		}
		b.looks = append(b.looks, l)
	}
	return r, rows.Err()
}

// ours is the condition that a response is of the part.
func (r *rebuilding) ours(id string) string {
	if r.Since > 0 {
		return id + " = ANY(CAST(@ids AS bigint[]))"
	}
	return r.slice(id)
}

// query runs a statement about the responses of the part, and hands over its rows.
func (r *rebuilding) query(tx *gorm.DB, statement string, each func(scan func(...any) error) error) error {
	var rows interface {
		Next() bool
		Scan(...any) error
		Close() error
		Err() error
	}
	var err error
	if r.Since > 0 {
		rows, err = tx.Raw(statement, pg.Named("ids", &r.ids)).Rows()
	} else {
		rows, err = tx.Raw(statement).Rows()
	}
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// touched finds out which shards the responses can have shown something of.
func (r *rebuilding) touched(tx *gorm.DB) (err error) {
	is := func(*Shard) bool { return true }
	if r.Since > 0 {
		if is, err = r.checker.touched(tx, r.Since); err != nil {
			return err
		}
	}
	r.of = make([]bool, len(r.shards))
	for i, s := range r.shards {
		r.of[i] = is(s)
	}
	return nil
}

// touched says of which shards what was stored behind a response can have shown something: those that it locked. Older
// responses do not say what they locked.
func (k *checker) touched(tx *gorm.DB, since int64) (func(*Shard) bool, error) {
	locked, known := map[int64]bool{}, true
	rows, err := tx.Raw(`
		SELECT k, bool_or(locks IS NULL AND facts > 0) FROM (
			SELECT locks, facts FROM archive_retrievals
			WHERE outcome = 'ok' AND id IN (SELECT coalesce(same_as, id) FROM archive_retrievals WHERE id > @since)) l
		LEFT JOIN LATERAL unnest(locks) k ON true GROUP BY k`, pg.Named("since", since)).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var lock *int64
		var without bool
		if err := rows.Scan(&lock, &without); err != nil {
			return nil, err
		}
		if known = known && !without; lock != nil {
			locked[*lock] = true
		}
	}
	return func(s *Shard) bool {
		return !known || slices.ContainsFunc(s.stripes(), func(k int64) bool { return locked[k] })
	}, rows.Err()
}

// listed reads the rows that name the responses, of so many shards in one statement.
func (r *rebuilding) listed(tx *gorm.DB) error {
	var places []int
	for i, touched := range r.of {
		if touched {
			places = append(places, i)
		}
	}
	for some := range slices.Chunk(places, perStatement) {
		parts := make([]string, len(some))
		for n, i := range some {
			parts[n] = r.listings(i, r.shards[i].statements())
		}
		err := r.query(tx, strings.Join(parts, " UNION ALL "), func(scan func(...any) error) error {
			var i int
			var text []byte
			if err := scan(&i, &text); err != nil {
				return err
			}
			return r.row(i, text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// listings are the rows of a shard that name responses of the part, and which.
func (r *rebuilding) listings(i int, st *statements) string {
	all := upTo(0, len(st.Fields))
	fields := st.columns("", all)
	return fmt.Sprintf(`
		SELECT %[1]d, json_build_array(t._from, t._until, json_build_array(%[2]s), l._all)
		FROM (SELECT %[3]s, _from, CAST(NULL AS timestamptz) AS _until, _seen, _aside FROM %[4]s
			UNION ALL SELECT %[3]s, _from, _until, _seen, _aside FROM %[5]s) t,
		LATERAL (SELECT json_agg(_b) AS _all FROM (
			SELECT _b FROM unnest(t._seen) u(_b) WHERE %[6]s
			UNION ALL SELECT _b FROM archive_seen c, unnest(c.seen) u(_b) WHERE c.aside = t._aside AND %[6]s) b) l
		WHERE l._all IS NOT NULL`, i, st.columns("t.", all), fields, st.table, st.past, r.ours("_b"))
}

// row adds a row to the responses that it names.
func (r *rebuilding) row(i int, text []byte) error {
	s := r.shards[i]
	var from time.Time
	var until *time.Time
	var values json.RawMessage
	var ids []int64
	if err := json.Unmarshal(text, &[]any{&from, &until, &values, &ids}); err != nil {
		return err
	}
	f, err := decodeFact(s.statements(), values)
	if err != nil {
		r.found(s.Name, KindContent, "the row of %s from %s holds what no response can show: %v", values, from.UTC(), err)
		return nil
	}
	st := s.statements()
	one := shown{from: from.UnixMicro(), until: open, shard: i}
	if r.scopes[s.Stored()] != nil {
		one.scope = number(s.Stored(), f.Scope)
	}
	if until != nil {
		one.until = until.UnixMicro()
	}
	one.sum, _ = shards.SumOfFact(nil, s.Stored(), f.ID)
	for _, id := range ids {
		b := r.byID[id]
		switch {
		case b == nil:
			r.found(s.Name, KindEvidence, "the row of %s from %s names response %d, which is not in the log", values, from.UTC(), id)
			continue
		case r.Since == 0 && !b.seenIn(one.from, one.until):
			r.found(s.Name, KindEvidence, "the row of %s from %s names response %d, which was not seen in its period", values,
				from.UTC(), id)
		}
		if field := b.missing(st, &f, one); field != "" {
			r.found(s.Name, KindContent, "the row of %s from %s lacks %s, which response %d was asked for", values, from.UTC(), field, id)
		}
		b.shown = append(b.shown, one)
	}
	return nil
}

// missing is a field that the declaration had when the response was seen and a row of it has not; "" if there is none.
func (b *rebuilt) missing(st *statements, f *shards.Fact, row shown) string {
	for _, l := range b.looks {
		if l.at >= row.from && l.at < row.until {
			if field := st.Missing(f, time.UnixMicro(l.at)); field != "" {
				return field
			}
		}
	}
	return ""
}

// gaveWay reads the facts that gave way to another response of their instant.
func (r *rebuilding) gaveWay(tx *gorm.DB) error {
	byName := map[string]*Shard{}
	for _, s := range r.shards {
		byName[s.Stored()] = s
	}
	return r.query(tx, `SELECT shard, at, retrieval_id, fact FROM archive_yielded WHERE NOT withdrawn AND `+r.ours("retrieval_id"),
		func(scan func(...any) error) error {
			var shard string
			var at time.Time
			var id int64
			var fact []byte
			if err := scan(&shard, &at, &id, &fact); err != nil {
				return err
			}
			s, b := byName[shard], r.byID[id]
			if s == nil || b == nil {
				return nil // Said by other parts of the check.
			}
			f, err := decodeFact(s.statements(), fact)
			if err != nil {
				r.found(shard, KindContent, "a fact that gave way at %s is none: %v", at.UTC(), err)
				return nil
			}
			one := shown{from: at.UnixMicro()}
			one.sum, _ = shards.SumOfFact(nil, shard, f.ID)
			b.yielded = append(b.yielded, one)
			return nil
		})
}

// endings reads the complete scopes.
func (r *rebuilding) endings(tx *gorm.DB) error {
	return r.query(tx, `SELECT retrieval_id, shard, scope, reason FROM archive_endings WHERE `+r.ours("retrieval_id"),
		func(scan func(...any) error) error {
			var id, scope int64
			var shard, reason string
			if err := scan(&id, &shard, &scope, &reason); err != nil {
				return err
			}
			if b := r.byID[id]; b != nil {
				b.ends.Add(shards.SumOfScope(shard, scope, reason))
				b.complete = append(b.complete, completed{shard, scope})
				if r.scopes[shard] == nil {
					r.scopes[shard] = map[int64]*scopeRows{}
				}
				if r.scopes[shard][scope] == nil {
					r.scopes[shard][scope] = &scopeRows{}
				}
			}
			return nil
		})
}

// pages compares what is remembered of pages with the responses that they rely on.
func (r *rebuilding) pages(tx *gorm.DB) error {
	return r.query(tx, `
		SELECT id, source, address, base, hash, array_to_json(scopes) FROM archive_pages WHERE base IS NOT NULL AND `+r.ours("base"),
		func(scan func(...any) error) error {
			var page, base int64
			var source, address string
			var hash, list []byte
			if err := scan(&page, &source, &address, &base, &hash, &list); err != nil {
				return err
			}
			var scopes []int64
			if err := json.Unmarshal(list, &scopes); err != nil {
				return err
			}
			b, why := r.byID[base], ""
			i := -1
			if b != nil {
				i = slices.IndexFunc(b.looks, func(l look) bool { return l.id == base })
			}
			slices.Sort(scopes)
			switch {
			case i < 0 && r.Since > 0:
				return nil // An older one.
			case i < 0:
				why = "which is not in the log"
			case b.page != page:
				why = "which is of another page"
			case b.looks[i].altered:
				why = "of which something was erased"
			case !bytes.Equal(hash, b.looks[i].hash):
				why = "which showed something else"
			case !bytes.Equal(hash, b.now()):
				why = "of which not all rows hold"
			case !slices.Equal(scopes, b.numbers()):
				why = "which was complete for other scopes"
			default:
				return nil
			}
			r.found("", KindPage, "page %s %s relies on response %d, %s", source, address, base, why)
			return nil
		})
}
