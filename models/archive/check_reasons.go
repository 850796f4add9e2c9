package archive

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// An ended row is one that did not simply change, and what else could have ended it.
type ended struct {
	row                string
	from, until        time.Time
	reason             string
	changed, displaced bool
	scope              int64
	shown              []string // Reasons for which complete pages ended what they no longer showed.
}

// should is the reason for which the row ended, "" if nothing that is stored ended it.
func (e *ended) should() string {
	switch {
	case e.changed:
		return shards.Changed
	case slices.Contains(e.shown, shards.Removed):
		return shards.Removed
	case slices.Contains(e.shown, shards.SourceGone):
		return shards.SourceGone
	case e.displaced:
		return shards.Displaced
	}
	return ""
}

// reasons compares why rows ended with what is stored of that instant.
func (k *checker) reasons(tx *gorm.DB, s *Shard) error {
	rows, err := k.ended(tx, s)
	if err != nil || len(rows) == 0 {
		return err
	}
	scopes, at := make([]int64, len(rows)), make([]time.Time, len(rows))
	for i, e := range rows {
		scopes[i], at[i] = e.scope, e.until
	}
	var found []struct {
		N      int
		Reason string
	}
	err = tx.Raw(queries.Must("endings_at"), pg.Named("shard", s.Stored(), "scopes", &scopes, "at", &at)).Scan(&found).Error
	if err != nil {
		return err
	}
	for _, f := range found {
		rows[f.N-1].shown = append(rows[f.N-1].shown, f.Reason)
	}
	for _, e := range rows {
		switch should := e.should(); {
		case should == "":
			k.found(s.Name, KindReason, "the row of %s from %s ended at %s as %s, and nothing that is stored ended it",
				e.row, e.from, e.until, e.reason)
		case should != e.reason:
			k.found(s.Name, KindReason, "the row of %s from %s ended at %s as %s, and it was %s", e.row, e.from, e.until, e.reason, should)
		}
	}
	return nil
}

// ended reads the rows that ended otherwise than by the next row of their key.
func (k *checker) ended(tx *gorm.DB, s *Shard) ([]*ended, error) {
	st := s.statements()
	key := upTo(0, st.Keys)
	next := func(table string) string {
		return fmt.Sprintf(`EXISTS (SELECT FROM %s n WHERE %s AND n._from = t._until)`, table, st.match("n", "t", key, "="))
	}
	displaced := "SELECT CAST(NULL AS tid) AS _tid WHERE false"
	for _, u := range st.Uniques {
		for _, table := range []string{st.table, st.past} {
			displaced += fmt.Sprintf(` UNION SELECT t._tid FROM candidates t JOIN %s n ON %s AND n._from = t._until`, table,
				st.match("n", "t", u, "="))
		}
	}
	fields := st.columns("t.", upTo(0, len(st.Fields)))
	list, err := tx.Raw(fmt.Sprintf(`
		WITH candidates AS MATERIALIZED (
			SELECT _tid, %[1]s, _from, _until, _reason, _changed FROM (
				SELECT t.ctid AS _tid, %[2]s, _from, _until, _reason, %[3]s OR %[4]s AS _changed FROM %[5]s t WHERE %[6]s) t
			WHERE NOT (_changed AND _reason = '%[7]s')),
		displaced AS (%[8]s)
		SELECT CAST(ROW(%[9]s) AS text), _from, _until, _reason, _changed, d._tid IS NOT NULL, json_build_array(%[2]s)
		FROM candidates t LEFT JOIN displaced d ON d._tid = t._tid`,
		st.columns("", upTo(0, len(st.Fields))), fields, next(st.table), next(st.past), st.past, k.sliceOf(st.columns("t.", key)),
		shards.Changed,
		displaced, st.columns("t.", key))).Rows()
	if err != nil {
		return nil, err
	}
	defer func() { _ = list.Close() }()
	var out []*ended
	for list.Next() {
		e := &ended{}
		var values json.RawMessage
		if err := list.Scan(&e.row, &e.from, &e.until, &e.reason, &e.changed, &e.displaced, &values); err != nil {
			return nil, err
		}
		f, err := decodeFact(st, values)
		if err != nil {
			return nil, err
		}
		e.from, e.until, e.scope = e.from.UTC(), e.until.UTC(), number(s.Stored(), f.Scope)
		out = append(out, e)
	}
	return out, list.Err()
}
