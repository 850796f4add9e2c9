package archive_test

import (
	"errors"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// A built-in shard is declared in Go and created by migrations. This keeps the
// two equal, so a new shard needs no test of its own.
func TestEveryShardMatchesItsTable(t *testing.T) {
	db := modelstest.Tx(t)
	for _, s := range archive.BuiltIn() {
		d := shards.Declaration{Name: "twin_of_it", Title: s.Title, Key: s.Key, Data: s.Data, Unique: s.Unique, Scope: s.Scope}
		err := db.Transaction(func(tx *gorm.DB) error {
			twin, err := archive.Declare(t.Context(), tx, d, modelstest.Noon)
			if err != nil {
				return err
			}
			for table, of := range map[string]string{s.Table(): twin.Table(), s.PastTable(): twin.PastTable()} {
				if got, want := shape(t, tx, table), shape(t, tx, of); got != want {
					t.Errorf("%s is\n%s\nwant\n%s", table, got, want)
				}
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
	}
}

// shape tells a table's columns and indexes.
func shape(t *testing.T, db *gorm.DB, table string) string {
	t.Helper()
	var out []string
	err := db.Raw(`
		SELECT replace(replace(line, ?, 'TABLE'), ?, 'tx_NAME') FROM (
			SELECT attnum AS n, attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || CAST(attidentity AS text) AS line FROM pg_attribute
			WHERE attrelid = CAST(? AS regclass) AND attnum > 0
			UNION ALL SELECT 100, indexdef FROM pg_indexes WHERE tablename = ?
			UNION ALL SELECT 200, coalesce(CAST(reloptions AS text), 'no options') FROM pg_class WHERE oid = CAST(? AS regclass)
			UNION ALL SELECT 300, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = CAST(? AS regclass)) l ORDER BY n, line`,
		table, "tx_"+strings.TrimPrefix(table, "shard_"), table, table, table, table).Scan(&out).Error
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

func TestDeclarationsAreChecked(t *testing.T) {
	k := fields("k integer")
	for want, s := range map[string]shards.Declaration{
		"name":   {Name: "Bad", Key: k},
		"key":    {Name: "s"},
		"x":      {Name: "s", Key: k, Data: fields("x money")},
		"k":      {Name: "s", Key: k, Data: fields("k text")},
		"ctid":   {Name: "s", Key: k, Data: fields("ctid text")},
		"at":     {Name: "s", Key: fields("at timestamp")},
		"z":      {Name: "s", Key: k, Unique: [][]string{{"z"}}},
		"unique": {Name: "s", Key: k, Unique: [][]string{{"k"}}},
		"doc":    {Name: "s", Key: k, Data: fields("doc json"), Unique: [][]string{{"doc"}}},
		`drop";`: {Name: "s", Key: k, Data: []shards.Field{{Name: `drop";`, Type: shards.Text}}},
	} {
		_, err := archive.Declare(t.Context(), modelstest.Tx(t), s, modelstest.Noon)
		e, ok := errors.AsType[*shards.InputError](err)
		if !ok || e.Field != want {
			t.Errorf("%+v: %v, want an error about %s", s, e, want)
		}
	}
}

func TestDeclaringTwice(t *testing.T) {
	db := modelstest.Tx(t)
	declare(t, db, "s", "k integer", "v integer")
	declare(t, db, "s", "k integer", "v integer")
	_, err := archive.Declare(t.Context(), db, shards.Declaration{Name: "s", Key: fields("k text")}, modelstest.Noon)
	if !errors.Is(err, archive.ErrDeclared) {
		t.Errorf("another shard of the name: %v", err)
	}
	if _, err := archive.Lookup(t.Context(), db, "none"); !errors.Is(err, archive.ErrNoShard) {
		t.Errorf("no shard: %v", err)
	}
}
