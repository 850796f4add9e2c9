package archive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// stored is a row as it was read, with its evidence.
type stored struct {
	shards.Span
	place     place
	aside     *int64 // Where the older responses that listed it are.
	sightings []sighting
	unchanged bool
}

// A place is where a row is: in which of the tables, and its ctid.
type place struct {
	open bool
	tid  string
}

// A sighting is one instant at which a response listed a row.
type sighting struct {
	at, stored time.Time
	base       int64 // The response that the row names.
	line, page int64 // The one that was seen at the instant, and its page.
	order      string
}

// same says whether a row is already as a span says.
func (r *stored) same(p *shards.Span) bool {
	return !r.unchanged && r.From.Equal(p.From) && r.Until.Equal(p.Until) && r.Reason == p.Reason &&
		slices.Equal(r.Retrievals, p.Retrievals)
}

// readRows runs a statement that gives rows as one JSON list, and adds the
// evidence: all in three statements at most.
func readRows(db *gorm.DB, s *Shard, sql string, args map[string]any) ([]*stored, error) {
	rows, err := rowsOf(db, s, sql, args)
	if err != nil {
		return nil, err
	}
	if err := addAside(db, rows); err != nil {
		return nil, err
	}
	return rows, addEvidence(db, rows)
}

// rowsOf is readRows without the evidence.
func rowsOf(db *gorm.DB, s *Shard, sql string, args map[string]any) ([]*stored, error) {
	var text string
	if err := one(db, sql, args, &text); err != nil {
		return nil, err
	}
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, err
	}
	rows := make([]*stored, len(raw))
	for i, r := range raw {
		var err error
		if rows[i], err = decodeRow(s.statements(), r); err != nil {
			return nil, fmt.Errorf("row of %s: %w", s.Table(), err)
		}
	}
	return rows, nil
}

// decodeRow reads what statements.rows writes.
func decodeRow(st *statements, text []byte) (*stored, error) {
	r := &stored{}
	var until *time.Time
	var reason *string
	var values json.RawMessage
	err := json.Unmarshal(text, &[]any{&r.place.tid, &r.From, &until, &reason, &r.Retrievals, &r.aside, &values})
	if err != nil {
		return nil, err
	}
	r.From, r.place.open = r.From.UTC(), until == nil
	if until != nil {
		r.Until, r.Reason = until.UTC(), *reason
	}
	r.Fact, err = decodeFact(st, values)
	return r, err
}

// encodeFact writes values as a JSON list, for decodeFact.
func encodeFact(st *statements, f shards.Fact) string {
	values := slices.Clone(f.Values)
	for i := range values {
		if text, ok := values[i].(string); ok && st.Fields[i].Type == shards.JSON {
			values[i] = json.RawMessage(text)
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // Clean values are JSON.
	}
	return string(text)
}

func decodeFact(st *statements, text []byte) (shards.Fact, error) {
	facts := st.Room(1)
	f := &facts[0]
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&f.Values); err != nil {
		return shards.Fact{}, err
	}
	for i, field := range st.Fields {
		v, err := shards.Clean(field.Type, f.Values[i])
		if err != nil {
			return shards.Fact{}, fmt.Errorf("field %s: %w", field.Name, err)
		}
		f.Values[i] = v
	}
	st.Name(facts)
	return facts[0], nil
}

// addAside brings back the responses that were put aside.
func addAside(db *gorm.DB, rows []*stored) error {
	byID := map[int64]*stored{}
	var ids []int64
	for _, r := range rows {
		if r.aside != nil {
			byID[*r.aside] = r
			ids = append(ids, *r.aside)
		}
	}
	if len(ids) > 0 {
		var parts []struct {
			Aside int64
			Seen  string
		}
		err := db.Raw(`SELECT aside, array_to_json(seen) AS seen FROM archive_seen WHERE aside = ANY(CAST(@ids AS bigint[]))`,
			pg.Named("ids", &ids)).Scan(&parts).Error
		if err != nil {
			return err
		}
		for _, p := range parts {
			seen, err := ints(&p.Seen)
			if err != nil {
				return err
			}
			byID[p.Aside].Retrievals = append(byID[p.Aside].Retrievals, seen...)
		}
	}
	for _, r := range rows {
		slices.Sort(r.Retrievals)
	}
	return nil
}

// addEvidence finds the instants of rows: those at which a response that lists
// the row was seen, within the row's period. A response that was split between
// two rows of the same fact counts for each in its own time. Withdrawn ones do not count.
func addEvidence(db *gorm.DB, rows []*stored) error {
	var ids []int64
	for _, r := range rows {
		ids = append(ids, r.Retrievals...)
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	var retrievals []struct {
		ID, Base, PageID int64
		At, StoredAt     time.Time
		Hash             []byte
	}
	err := db.Raw(`
		SELECT id, id AS base, page_id, at, stored_at, hash FROM archive_retrievals
			WHERE id = ANY(CAST(@ids AS bigint[])) AND withdrawn_at IS NULL
		UNION ALL SELECT id, same_as, page_id, at, stored_at, hash FROM archive_retrievals
			WHERE same_as = ANY(CAST(@ids AS bigint[])) AND withdrawn_at IS NULL
		ORDER BY at`, pg.Named("ids", &ids)).Scan(&retrievals).Error
	if err != nil {
		return err
	}
	byBase := map[int64][]sighting{}
	for _, l := range retrievals {
		byBase[l.Base] = append(byBase[l.Base], sighting{l.At.UTC(), l.StoredAt, l.Base, l.ID, l.PageID, string(l.Hash)})
	}
	for _, r := range rows {
		for _, id := range r.Retrievals {
			for _, s := range byBase[id] {
				if !s.at.Before(r.From) && (r.Until.IsZero() || s.at.Before(r.Until)) {
					r.sightings = append(r.sightings, s)
					r.Seen = append(r.Seen, s.at)
				}
			}
		}
		slices.SortFunc(r.Seen, time.Time.Compare)
		r.Seen = slices.CompactFunc(r.Seen, time.Time.Equal)
	}
	return nil
}
