package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A SetAside fact was shown by a response, and no row says it.
type SetAside struct {
	Response     int64
	Shard        string
	Key, Data    map[string]any
	At           time.Time
	Why          string     // Overruled, Superseded or Retracted.
	SupersededBy int64      // 0: by none.
	Since        *time.Time // When it was withdrawn; nil for what was overruled.
	Note         string
	name         asideName // Of what is overruled.
}

// Why a fact was set aside.
const (
	Overruled  = "overruled" // Another response of its instant is believed.
	Superseded = "superseded"
	Retracted  = "retracted"
)

// setAside keeps facts of a shard that no row says.
func setAside(tx *gorm.DB, s *Shard, list []asideFact) error {
	if len(list) == 0 {
		return nil
	}
	st, n := s.statements(), len(list)
	at, responses, facts, keys := make([]time.Time, n), make([]int64, n), make([]string, n), make([]string, n)
	withdrawn, still := make([]bool, n), make([]bool, n)
	for i := range list {
		f := &list[i]
		at[i], responses[i], facts[i], keys[i] = f.At, f.Retrieval, encodeFact(st, f.Fact), encodeKey(st, f.Fact)
		withdrawn[i], still[i] = f.withdrawn, f.stillSaid
	}
	return tx.Exec(queries.Must("set_aside"), pg.Named("shard", s.Stored(), "at", &at, "responses", &responses, "facts", &facts,
		"keys", &keys, "withdrawn", &withdrawn, "still", &still)).Error
}

// encodeKey writes the values of the key as a JSON list.
func encodeKey(st *statements, f shards.Fact) string {
	text, err := json.Marshal(f.Values[:st.Keys])
	if err != nil {
		panic(err) // Clean values are JSON.
	}
	return string(text)
}

// An asideName is a fact of a response.
type asideName struct {
	response int64
	shard    string
	fact     string
}

// noteAside adds to the result what gave way at the instant and did not before, and what came back.
func (m *mending) noteAside(yielded []shards.Observation) {
	among := func(list []shards.Observation, o *shards.Observation) bool {
		return slices.ContainsFunc(list, func(a shards.Observation) bool { return a.Line == o.Line && a.Fact.ID == o.Fact.ID })
	}
	for i := range yielded {
		if o := &yielded[i]; !among(m.aside, o) {
			a := m.shard.setAside(&o.Fact, o.Line, o.At, Overruled)
			a.name = asideName{o.Line, m.shard.Stored(), o.Fact.ID}
			m.res.SetAside = append(m.res.SetAside, a)
		}
	}
	for i := range m.aside {
		if o := &m.aside[i]; !among(yielded, o) {
			m.res.back = append(m.res.back, asideName{o.Line, m.shard.Stored(), o.Fact.ID})
		}
	}
}

// settle leaves out what gave way in one step and came back in another, in either order: before and
// after both it is the same.
func (r *Result) settle() {
	r.SetAside = slices.DeleteFunc(r.SetAside, func(a SetAside) bool {
		i := slices.Index(r.back, a.name)
		if i < 0 {
			return false
		}
		r.back = slices.Delete(r.back, i, i+1)
		return true
	})
}

func (s *Shard) setAside(f *shards.Fact, response int64, at time.Time, why string) SetAside {
	a := SetAside{Response: response, Shard: s.Name, At: at, Why: why}
	a.Key, a.Data = s.values(f)
	return a
}

func asideData(a *SetAside) map[string]any { return a.Data }

// An asideFact is a fact that was set aside, as it is stored.
type asideFact struct {
	shards.Observation      // Its retrieval is the response itself where that was withdrawn.
	withdrawn          bool // Else another response of the instant is believed.
	stillSaid          bool // The response that supersedes it says the same.
	stored             time.Time
	since              *time.Time // When it was withdrawn,
	superseded         int64      // by which response,
	by                 int64      // and by whom.
	note               string
}

// SetAsideOf returns what was set aside of a shard, the newest instants first.
func SetAsideOf(ctx context.Context, db *gorm.DB, s *Shard, q Query) ([]SetAside, error) {
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	facts, err := s.asideFacts(db.WithContext(ctx), where+" AND NOT x._still_said", args)
	if err != nil {
		return nil, fmt.Errorf("what was set aside of shard %s: %w", s.Name, err)
	}
	out := make([]SetAside, len(facts))
	for i := range facts {
		f := &facts[i]
		why := Overruled
		switch {
		case f.by != 0:
			why = Retracted
		case f.withdrawn:
			why = Superseded
		}
		out[i] = s.setAside(&f.Fact, f.Line, f.At, why)
		out[i].SupersededBy, out[i].Since, out[i].Note = f.superseded, f.since, f.note
	}
	return out, withListsIn(db.WithContext(ctx), out, asideData)
}

// asideFacts reads what was set aside of a shard and meets a condition on x, of which the key fields are known.
func (s *Shard) asideFacts(db *gorm.DB, where string, args map[string]any) ([]asideFact, error) {
	st := s.statements()
	keys := make([]string, st.Keys)
	for i := range keys {
		keys[i] = fmt.Sprintf(", CAST(y.key ->> %d AS %s) AS %s", i, st.Fields[i].SQLType(), quote(st.Fields[i].Name))
	}
	rows, err := db.Raw(fmt.Sprintf(`
		SELECT x._fact, x._at, x._base, x._withdrawn, r.id, r.hash, r.stored_at, r.withdrawn_at,
			coalesce(r.superseded_by, 0), coalesce(r.withdrawn_by, 0), coalesce(r.note, '')
		FROM (SELECT y.fact AS _fact, y.at AS _at, y.retrieval_id AS _base, y.withdrawn AS _withdrawn,
				y.still_said AS _still_said%s
			FROM archive_yielded y WHERE y.shard = '%s') x,
		LATERAL (
			SELECT id, hash, stored_at, withdrawn_at, superseded_by, withdrawn_by, note FROM archive_retrievals
				WHERE id = x._base AND (x._withdrawn OR at = x._at AND withdrawn_at IS NULL)
			UNION ALL SELECT id, hash, stored_at, withdrawn_at, superseded_by, withdrawn_by, note FROM archive_retrievals
				WHERE same_as = x._base AND NOT x._withdrawn AND at = x._at AND withdrawn_at IS NULL) r
		WHERE %s ORDER BY x._at DESC, r.id DESC LIMIT @limit`, strings.Join(keys, ""), s.Stored(), where), args).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []asideFact
	for rows.Next() {
		var f asideFact
		var fact, hash []byte
		err := rows.Scan(&fact, &f.At, &f.Retrieval, &f.withdrawn, &f.Line, &hash, &f.stored, &f.since, &f.superseded, &f.by, &f.note)
		if err == nil {
			f.Fact, err = decodeFact(st, fact)
		}
		if err != nil {
			return nil, err
		}
		f.At, f.Order = f.At.UTC(), string(hash)
		out = append(out, f)
	}
	return out, rows.Err()
}
