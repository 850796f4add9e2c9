package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/migrations"
	"laurel/models/archive"
	"laurel/models/modelstest"
)

// Databases in the field had open and past rows of a shard in one table. The
// migration that takes them apart loses none of them, whoever declared the shard.
func TestMigrationTakesPastRowsApart(t *testing.T) {
	db := modelstest.DB(t)
	ladder, err := archive.Lookup(t.Context(), db, "ladder")
	if err != nil {
		t.Fatal(err)
	}
	odd := declareShard(t, db, &archive.Shard{Name: "odd_past", Key: fields("from text, k integer"), Data: fields("select json, at timestamp, rank integer"),
		Unique: [][]string{{"from", "rank"}}, Scope: []string{"from", "rank"}})
	fill := func(from, to int) {
		for n := from; n < to; n++ {
			at(t, db, ladder, "page", n, row{"ladder": "l", "player": fmt.Sprint(n % 3), "rank": 1 + n%2, "score": n % 7}, row{"ladder": "l", "player": "x", "rank": 9, "score": n % 5})
			at(t, db, odd, "page", n, row{"from": "f", "k": n % 3, "select": row{"n": n % 4}, "at": minute(n), "rank": n % 2}, row{"from": "f", "k": 7, "select": nil, "at": nil, "rank": nil})
		}
	}
	fill(0, 20)
	fill(40, 60)
	told := func() string {
		return strings.Join(append(lines(t, db, ladder, archive.Query{}), lines(t, db, odd, archive.Query{})...), "\n")
	}
	shards, err := archive.Shards(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	want, shapes := told(), map[string]string{}
	for _, s := range shards {
		if s.Name == "post_metrics" { // It came after the migration.
			continue
		}
		shapes[s.Table()], shapes[s.PastTable()] = shape(t, db, s.Table()), shape(t, db, s.PastTable())
		inOneTable(t, db, s)
	}
	text, err := migrations.FS.ReadFile("00005_archive_past.sql")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(string(text)).Error; err != nil {
		t.Fatal(err)
	}
	for table, want := range shapes {
		if got := shape(t, db, table); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", table, got, want)
		}
	}
	if got := told(); got != want {
		t.Errorf("rows are\n%s\nwant\n%s", got, want)
	}
	sound(t, db)
	fill(60, 70)
	fill(20, 40) // Late, between rows from before.
	sound(t, db)
	got := told()
	db = modelstest.DB(t)
	declareShard(t, db, odd)
	fill(0, 70)
	if want := told(); got != want {
		t.Errorf("with what came after, rows are\n%s\nwant\n%s", got, want)
	}
}

// inOneTable brings a shard's tables back to what they were before.
func inOneTable(t *testing.T, db *gorm.DB, s *archive.Shard) {
	t.Helper()
	var names []string
	for _, f := range append(append([]archive.Field{}, s.Key...), s.Data...) {
		names = append(names, `"`+f.Name+`"`)
	}
	cols := strings.Join(names, ", ")
	run := func(format string, args ...any) {
		if err := db.Exec(fmt.Sprintf(format, args...)).Error; err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TABLE one (LIKE %s)`, s.PastTable())
	run(`ALTER TABLE one DROP _goes_on, ALTER _until DROP NOT NULL, ALTER _reason DROP NOT NULL`)
	run(`INSERT INTO one (%[1]s, _from, _until, _reason, _seen, _aside) SELECT %[1]s, _from, _until, _reason, _seen, _aside FROM %[2]s x`, cols, s.Rows())
	run(`DROP TABLE %s, %s`, s.Table(), s.PastTable())
	run(`ALTER TABLE one RENAME TO %s`, s.Table())
	for _, ddl := range s.DDL() {
		name, on, found := strings.Cut(strings.TrimPrefix(ddl, "CREATE UNIQUE INDEX "), " ON "+s.Table()+" ")
		switch {
		case strings.HasPrefix(ddl, "CREATE UNIQUE") && found:
			run(`CREATE UNIQUE INDEX %s ON %s %s WHERE _until IS NULL`, name, s.Table(), on)
			run(`CREATE UNIQUE INDEX %s_past ON %s %s, _from) WHERE _until IS NOT NULL`, strings.TrimSuffix(name, "_open"), s.Table(), strings.TrimSuffix(on, ")"))
		case strings.HasPrefix(ddl, "CREATE INDEX "+s.Table()+"_scope"):
			run(`%s`, ddl)
		}
	}
}
