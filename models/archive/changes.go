package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// A Place is where a feed of changes goes on: behind a row that a transaction wrote. The zero
// place is the beginning.
type Place struct {
	Tx   string     `json:"tx,omitempty"`
	Gone bool       `json:"gone,omitempty"`
	From time.Time  `json:"from"`
	Key  shards.Row `json:"key,omitempty"`
}

// A Change is a row that opened, ended, or was found to have been valid at another time. Gone is
// one that is there no more, which has a key and a beginning only: a late response showed it to
// have been otherwise.
type Change struct {
	Snapshot
	Gone  bool
	Place Place
}

// ErrPlace is wrapped where a feed cannot go on where it is told to.
var ErrPlace = &pg.Error{Code: pg.CodeGone, Field: "cursor",
	Message: "this cursor is of another database, perhaps from before a restore; begin without one"}

// Changes returns what was written of some keys behind a place, in the order of the transactions,
// and as it is now. A transaction is told of when all that began before it have ended, so who goes
// on from the last change misses nothing. Who keeps rows by key and beginning, and removes what is
// gone, has the archive.
func Changes(ctx context.Context, db *gorm.DB, s *Shard, q Query, behind Place) ([]Change, error) {
	q.Data = nil
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	if behind.Tx == "" {
		behind.Tx = "0"
	}
	args["tx"], args["rows"] = behind.Tx, !behind.Gone
	safe, err := pg.Horizon(ctx, db) // Before the rows are read: all before it are there then.
	if err != nil {
		return nil, err
	}
	tx, err := strconv.ParseInt(behind.Tx, 10, 64)
	if err != nil {
		return nil, pg.ErrCursor
	}
	if tx > safe { // A reader comes no further than the horizon, which never goes back.
		return nil, fmt.Errorf("changes of shard %s: %w", s.Name, ErrPlace)
	}
	args["safe"] = strconv.FormatInt(safe, 10)
	if behind.Key != nil {
		rest, err := s.behind(Query{After: behind.Key, From: behind.From}, s.keyOrder(), args, true)
		if err != nil {
			return nil, err
		}
		where += " AND (x._tx > CAST(@tx AS xid8) OR _kept > @rows OR _kept = @rows AND " + rest + ")"
	}
	where += " AND x._tx >= CAST(@tx AS xid8)"
	return s.changes(ctx, db, where, "_tx, _kept, _from, "+quote(strings.Join(s.keyOrder(), `", "`)), args)
}

// NewestChanges returns the newest changes, the newest first.
func NewestChanges(ctx context.Context, db *gorm.DB, s *Shard, q Query) ([]Change, error) {
	where, args, err := s.where(ctx, q)
	if err != nil {
		return nil, err
	}
	safe, err := pg.Horizon(ctx, db)
	if err != nil {
		return nil, err
	}
	args["safe"] = strconv.FormatInt(safe, 10)
	return s.changes(ctx, db, where+" AND _kept", "_tx DESC, _from DESC, "+quote(strings.Join(s.keyOrder(), `", "`)), args)
}

func (s *Shard) changes(ctx context.Context, db *gorm.DB, where, order string, args map[string]any) ([]Change, error) {
	db = db.WithContext(ctx)
	st := s.statements()
	all := upTo(0, len(st.Fields))
	own := "_from, _until, _reason, _seen, _aside, _tx"
	where += " AND x._tx < CAST(@safe AS xid8)"
	branch := func(columns, from, kept string) string {
		return fmt.Sprintf("SELECT %s, %s AS _kept FROM %s x WHERE %s", columns, kept, from, strings.ReplaceAll(where, "_kept", kept))
	}
	var text string
	err := one(db, fmt.Sprintf(`SELECT coalesce(json_agg(json_build_array(CAST(t._tx AS text), t._kept, %s)), '[]')
		FROM (%s UNION ALL %s UNION ALL %s ORDER BY %s LIMIT @limit) t`, st.rowOf("t"),
		branch("x.ctid, "+st.columns("x.", all)+", x._from, CAST(NULL AS timestamptz) AS _until, CAST(NULL AS text) AS _reason, "+
			prefixed("x.", "_seen, _aside, _tx"), st.table, "true"),
		branch("x.ctid, "+st.columns("x.", all)+", "+prefixed("x.", own), st.past, "true"),
		branch("x.ctid, "+st.columns("x.", all)+", "+prefixed("x.", own), st.dropped(), "false"), order), args, &text)
	if err != nil {
		return nil, fmt.Errorf("changes of shard %s: %w", s.Name, err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, err
	}
	rows, out := make([]*stored, len(raw)), make([]Change, len(raw))
	for i, r := range raw {
		var row json.RawMessage
		var kept bool
		if err := json.Unmarshal(r, &[]any{&out[i].Place.Tx, &kept, &row}); err != nil {
			return nil, err
		}
		out[i].Gone, out[i].Place.Gone = !kept, !kept
		if rows[i], err = decodeRow(st, row); err != nil {
			return nil, fmt.Errorf("row of %s: %w", s.Table(), err)
		}
	}
	if err := addAside(db, rows); err != nil {
		return nil, err
	}
	if err := addEvidence(db, rows); err != nil {
		return nil, err
	}
	for i, r := range rows {
		out[i].Snapshot = s.Snapshot(r.Span)
		out[i].Place.From, out[i].Place.Key = r.From, out[i].Key
	}
	return out, withListsIn(db, out, func(c *Change) map[string]any { return c.Data })
}

// dropped are the rows that are gone, with the columns of those that ended and no data.
func (st *statements) dropped() string {
	columns := make([]string, len(st.Fields))
	for i, f := range st.Fields {
		value := "NULL"
		if i < st.Keys {
			value = fmt.Sprintf("row_key ->> %d", i)
		}
		columns[i] = fmt.Sprintf("CAST(%s AS %s) AS %s", value, f.SQLType(), quote(f.Name))
	}
	return fmt.Sprintf(`(SELECT ctid, %s, row_from AS _from, CAST(NULL AS timestamptz) AS _until, CAST(NULL AS text) AS _reason,
		CAST('{}' AS bigint[]) AS _seen, CAST(NULL AS bigint) AS _aside, tx AS _tx FROM archive_dropped WHERE shard = '%s')`,
		strings.Join(columns, ", "), st.stored)
}
