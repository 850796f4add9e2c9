package archive

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"laurel/models/archive/shards"
	pg "laurel/models/db"
)

// tables compares the catalog with the declarations of all shards or some, in one statement. A
// shard whose columns are not there as declared is read no further.
func (k *checker) tables(tx *gorm.DB, list []*Shard, all bool) error {
	var rows []struct{ Name, Line string }
	var names []string
	for _, s := range list {
		names = append(names, s.Table(), s.PastTable())
	}
	if err := tx.Raw(queries.Must("tables"), pg.Named("all", all, "names", &names)).Scan(&rows).Error; err != nil {
		return err
	}
	is := map[string][]string{}
	for _, r := range rows {
		is[r.Name] = append(is[r.Name], r.Line)
	}
	for _, s := range list {
		for i, table := range []string{s.Table(), s.PastTable()} {
			k.table(s, table, is[table], s.shape(i == 1))
			delete(is, table)
		}
	}
	for _, table := range slices.Sorted(maps.Keys(is)) {
		if strings.HasPrefix(table, "shard_") {
			k.found("", KindTable, "table %s is of no shard", table)
			continue
		}
		for _, line := range is[table] {
			if strings.HasPrefix(line, "trigger ") {
				k.found("", KindTable, "table %s has %s, which Laurel did not make", table, line)
			}
		}
	}
	if err := k.views(tx, list, all); err != nil {
		return err
	}
	return k.ownIndexes(tx)
}

// views compares the views of archive_views with the declarations, and with what they were
// when they were made.
func (k *checker) views(tx *gorm.DB, list []*Shard, all bool) error {
	var rows []struct {
		Name, Columns string
		Changed       bool
	}
	var names []string
	for _, s := range list {
		names = append(append(names, s.Name), s.Formerly...)
	}
	if err := tx.Raw(queries.Must("views"), pg.Named("all", all, "names", &names)).Scan(&rows).Error; err != nil {
		return err
	}
	const remake = "laurel archive sql-role makes all views anew"
	columns := map[string]string{}
	for _, r := range rows {
		columns[r.Name] = r.Columns
		if r.Changed {
			k.found("", KindTable, "view archive_views.%s is not as it was made; %s", r.Name, remake)
		}
	}
	for _, s := range list {
		should := s.viewColumns()
		if is, ok := columns[s.Name]; !ok {
			k.found(s.Name, KindTable, "view archive_views.%s is not there; %s", s.Name, remake)
		} else if is != should {
			k.found(s.Name, KindTable, "view archive_views.%s has the columns %s, not %s; %s", s.Name, is, should, remake)
		}
	}
	return nil
}

// viewColumns tells the columns of the shard's view as sql/views.sql tells them.
func (s *Shard) viewColumns() string {
	out := []string{"period tstzrange", "retrieved_at " + typeNames[shards.Timestamp] + "[]"}
	for _, f := range s.Fields() {
		name := f.Name
		if name == "period" || name == "end_reason" {
			name += "_"
		}
		out = append(out, name+" "+typeNames[f.Type])
	}
	if len(s.Since) > 0 {
		out = append(out, "not_asked text[]")
	}
	return strings.Join(append(out, "end_reason text"), ", ")
}

// table compares one table of a shard.
func (k *checker) table(s *Shard, table string, is, should []string) {
	if len(is) == 0 {
		k.broken[s.Name] = true
		k.found(s.Name, KindTable, "table %s is not there", table)
		return
	}
	for _, line := range should {
		if !slices.Contains(is, line) {
			k.broken[s.Name] = k.broken[s.Name] || strings.HasPrefix(line, "column ")
			k.found(s.Name, KindTable, "table %s lacks %s", table, line)
		}
	}
	for _, line := range is {
		if !slices.Contains(should, line) {
			k.found(s.Name, KindTable, "table %s has %s, which is not declared", table, line)
		}
	}
}

// ownKeys are what the log and the pages cannot do without.
var ownKeys = []string{"archive_retrievals_pkey", "archive_retrievals_page", "archive_retrievals_at", "archive_retrievals_same",
	"archive_pages_pkey", "archive_pages_source_address_viewer_key", "archive_endings_pkey", "archive_seen_aside", "archive_yielded_at",
	"archive_lists_pkey", "archive_shards_pkey", "archive_heads_pkey"}

func (k *checker) ownIndexes(tx *gorm.DB) error {
	var there []string
	err := tx.Raw(`
		SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indisvalid AND c.relnamespace = CAST(current_schema() AS regnamespace) AND c.relname = ANY(CAST(@names AS text[]))`,
		pg.Named("names", &ownKeys)).Scan(&there).Error
	for _, name := range ownKeys {
		if err == nil && !slices.Contains(there, name) {
			k.found("", KindTable, "index %s is not there", name)
		}
	}
	return err
}

// shape tells a shard's table as sql/tables.sql tells it.
func (s *Shard) shape(past bool) []string {
	var out []string
	for i, f := range s.Fields() {
		null := ""
		if i < len(s.Key) {
			null = " not null"
		}
		out = append(out, fmt.Sprintf("column %s %s%s", f.Name, typeNames[f.Type], null))
	}
	if len(s.Since) > 0 {
		out = append(out, "column _asked bigint not null")
	}
	time := typeNames[shards.Timestamp]
	out = append(out, "column _from "+time+" not null", "column _seen bigint[] not null", "column _aside bigint",
		"column _tx xid8 not null")
	if past {
		out = append(out, "column _until "+time+" not null", "column _reason text not null", "column _goes_on boolean not null",
			"constraint CHECK ((_from < _until))")
	} else {
		out = append(out, "options {fillfactor=50}")
	}
	for _, x := range s.indexes() {
		out = append(out, x.shape(past))
	}
	return out
}

// typeNames are the types of columns as the catalog has them.
var typeNames = map[string]string{shards.Text: "text", shards.Integer: "bigint", shards.Number: "double precision",
	shards.Boolean:   "boolean",
	shards.Timestamp: "timestamp with time zone", shards.JSON: "jsonb", shards.ListType: "text"}
