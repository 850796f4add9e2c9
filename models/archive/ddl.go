package archive

import (
	"fmt"
	"slices"
	"strings"
)

// DDL creates the shard's tables, indexes and view. An open row is rewritten in its
// place when it is seen again, and when only its data changes: no index is touched
// then, for half of a page stays free. Past rows are only added; one after which
// its key went on with the same unique values (_goes_on) is not in their indexes.
func (s *Shard) DDL() []string {
	var fields strings.Builder
	for i, f := range s.Fields() {
		null := ""
		if i < len(s.Key) {
			null = " NOT NULL"
		}
		fmt.Fprintf(&fields, "    %s %s%s,\n", quote(f.Name), f.SQLType(), null)
	}
	if len(s.Since) > 0 {
		fmt.Fprintf(&fields, "    %s,\n", askedColumn)
	}
	open, past := s.Table(), s.PastTable()
	out := []string{
		fmt.Sprintf("CREATE TABLE %s (\n%s    _from timestamptz NOT NULL,\n    _seen bigint[] NOT NULL,\n    _aside bigint,\n    %s\n) "+
			"WITH (fillfactor = 50)", open, &fields, writtenBy),
		fmt.Sprintf("CREATE TABLE %s (\n%s    _from timestamptz NOT NULL,\n    _until timestamptz NOT NULL,\n    _reason text NOT "+
			"NULL,\n    _seen bigint[] NOT NULL,\n    _aside bigint,\n    _goes_on boolean NOT NULL,\n"+
			"    %s,\n    CHECK (_from < _until)\n)", past, &fields, writtenBy),
	}
	for _, x := range s.indexes() {
		for _, past := range []bool{false, true} {
			out = append(out, x.ddl(past))
		}
	}
	return append(out, s.makeView())
}

// askedColumn says which added fields a row has: a row from before has none.
const askedColumn = "_asked bigint NOT NULL DEFAULT 0"

// writtenBy is the column that says which transaction wrote a row, for Changes.
const writtenBy = "_tx xid8 NOT NULL DEFAULT pg_current_xact_id()"

// makeView makes the view of archive_views anew, by the columns that the tables have, under all names of the shard.
func (s *Shard) makeView() string {
	return fmt.Sprintf("SELECT archive_make_view('%s', name) FROM unnest(ARRAY['%s']) AS name", s.Stored(),
		strings.Join(append(slices.Clone(s.Formerly), s.Name), "', '"))
}

// An index is one of both tables: on the past rows with _from, and without those that went on.
type index struct {
	shard   *Shard
	name    string
	columns []string
	unique  bool
	some    bool // Of the past rows only those whose key did not go on with the same unique values.
}

// indexes are one for the key, one for each unique key, one for the scope where no other begins
// with it, and one for the feed of changes.
func (s *Shard) indexes() []index {
	key := s.keyOrder()
	out := []index{{s, "key", key, true, false}}
	for i, u := range s.Unique {
		out = append(out, index{s, fmt.Sprintf("u%d", i+1), u, true, true})
	}
	if n := len(s.Scope); n > 0 && (n > len(key) || !slices.Equal(s.Scope, key[:n])) {
		out = append(out, index{s, "scope", s.Scope, false, false})
	}
	return append(out, index{s, "tx", []string{"_tx"}, false, false})
}

// parts are the table, the index's own name, its columns and what its rows are.
func (x index) parts(past bool) (table, name string, columns []string, where string) {
	table, columns = x.shard.Table(), x.columns
	if past {
		table = x.shard.PastTable()
	}
	name = table + "_" + x.name
	switch {
	case x.name == "tx": // No shard can have a table of this name: those from before may end with any word.
		name = "shard__tx_" + strings.TrimPrefix(table, "shard_")
	case !x.unique:
	case !past:
		name += "_open"
	default:
		columns = append(slices.Clone(columns), "_from")
		if x.some {
			where = "NOT _goes_on"
		}
	}
	return table, name, columns, where
}

func (x index) ddl(past bool) string {
	table, name, columns, where := x.parts(past)
	unique := ""
	if x.unique {
		unique = "UNIQUE "
	}
	if where != "" {
		where = " WHERE " + where
	}
	return fmt.Sprintf("CREATE %sINDEX %s ON %s (%s)%s", unique, name, table, quote(strings.Join(columns, `", "`)), where)
}

// shape is the index as sql/tables.sql tells it.
func (x index) shape(past bool) string {
	_, name, columns, where := x.parts(past)
	out := fmt.Sprintf("index %s (%s)", name, strings.Join(columns, ", "))
	if x.unique {
		out = "unique " + out
	}
	if where != "" {
		out += " where (" + where + ")"
	}
	return out
}
