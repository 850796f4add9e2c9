package archive_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/modelstest"
)

// evolve changes what a shard declares, at a minute.
func evolve(t testing.TB, db *gorm.DB, s *archive.Shard, n int, change func(*shards.Change)) (*archive.Shard, error) {
	t.Helper()
	e := archive.Evolution{Change: shards.Change{Declaration: s.Given()}, Note: "a test"}
	change(&e.Change)
	return archive.Evolve(t.Context(), db, s.Name, e, minute(n))
}

func mustEvolve(t testing.TB, db *gorm.DB, s *archive.Shard, n int, change func(*shards.Change)) *archive.Shard {
	t.Helper()
	out, err := evolve(t, db, s, n, change)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func addField(name, kind string) func(*shards.Change) {
	return func(c *shards.Change) { c.Data = append(c.Data, shards.Field{Name: name, Type: kind}) }
}

// data are the data of the rows of a shard, oldest first, as JSON.
func data(t testing.TB, db *gorm.DB, s *archive.Shard, q archive.Query) (out []string) {
	t.Helper()
	rows, err := archive.History(t.Context(), db, s, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		text, _ := json.Marshal(r.Data)
		out = append(out, string(text))
	}
	return out
}

// A new field is not there in rows from before, which is not null; what was seen then may still come, without it.
func TestAFieldIsAdded(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "grows", "k integer", "a text")
	at(t, db, s, "p", 0, row{"k": 1, "a": "x"})
	s = mustEvolve(t, db, s, 10, addField("b", "integer"))
	s = mustEvolve(t, db, s, 20, addField("c", "json"))
	at(t, db, s, "p", 5, row{"k": 1, "a": "x"})
	at(t, db, s, "late", 7, row{"k": 1, "a": "y", "c": nil})
	at(t, db, s, "p", 15, row{"k": 1, "a": "x", "b": nil})
	at(t, db, s, "p", 25, row{"k": 1, "a": "x", "b": nil, "c": nil})
	at(t, db, s, "p", 30, row{"k": 1, "a": "x", "b": 3, "c": nil})
	same(t, data(t, db, s, archive.Query{}), `
		{"a":"x"}
		{"a":"y","c":null}
		{"a":"x","b":null}
		{"a":"x","b":null,"c":null}
		{"a":"x","b":3,"c":null}`)
	same(t, data(t, db, s, archive.Query{Data: row{"b": nil}}), `
		{"a":"x","b":null}
		{"a":"x","b":null,"c":null}`)
	_, err := archive.Store(t.Context(), db, archive.Response{Source: "test", At: minute(31),
		Shards: map[string][]row{s.Name: {{"k": 1, "a": "x", "b": 1}}}}, later)
	if input, ok := errors.AsType[*shards.InputError](err); !ok || input.Field != "c" || !strings.Contains(input.Message, "asked since 2026-11-21T12:20") {
		t.Errorf("a row without a field that is asked: %v", err)
	}
	var asked []string
	err = db.Raw(`SELECT coalesce(CAST(b AS text), '-') || array_to_string(not_asked, ' ') FROM archive_views.grows ORDER BY lower(period)`).
		Scan(&asked).Error
	if got, want := fmt.Sprint(asked), "[-b c -b -c - 3]"; got != want || err != nil {
		t.Errorf("in SQL %s, %v; want %s", got, err, want)
	}
	sound(t, db)
	if err := db.Exec(`UPDATE shard_grows SET _asked = 0`).Error; err != nil {
		t.Fatal(err)
	}
	if found, err := archive.Check(t.Context(), db); err != nil || found.Total == 0 {
		t.Errorf("found %v, %v", found.Findings, err)
	}
}

// Whether a response must have a new field goes by its instant, to the microsecond, and not by when it comes: from when the
// field is asked on it must, before that it may, for the page may have shown it already. All else goes by the declaration of today.
func TestResponsesAreCheckedByTheirInstant(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "timely", "k integer", "a text")
	at(t, db, s, "p", 0, row{"k": 1, "a": "x"})
	s = mustEvolve(t, db, s, 10, addField("b", "integer"))
	asked := minute(10)
	for i, tt := range []struct {
		at   time.Time
		row  row
		lack string
	}{
		{asked.Add(-time.Microsecond), row{"k": 1, "a": "x"}, ""},
		{asked, row{"k": 1, "a": "x"}, "b"},
		{asked, row{"k": 1, "a": "x", "b": nil}, ""},
		{asked.Add(-time.Microsecond), row{"k": 2, "a": "x", "b": 1}, ""},
		{asked.Add(-time.Microsecond), row{"k": 3, "a": "x", "b": nil}, ""},
		{asked.Add(-time.Microsecond), row{"k": 4, "b": 1}, "a"},
	} {
		_, err := archive.Store(t.Context(), db, archive.Response{Source: "test", Address: fmt.Sprint(i), At: tt.at,
			Shards: map[string][]row{s.Name: {tt.row}}}, later)
		if input, ok := errors.AsType[*shards.InputError](err); (err != nil) != (tt.lack != "") || ok && input.Field != tt.lack {
			t.Errorf("%d: %v, want %q to be missing", i, err, tt.lack)
		}
	}
	same(t, data(t, db, s, archive.Query{}), `
		{"a":"x"}
		{"a":"x","b":1}
		{"a":"x","b":null}
		{"a":"x","b":null}`)
	sound(t, db)
}

// Under its old names a shard goes on to be found, and takes responses. Fields may swap their names. No value changes.
func TestNamesChange(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "first", Key: fields("k integer"), Data: fields("a integer, b integer"),
		Unique: [][]string{{"a"}}, Scope: []string{}})
	at(t, db, s, "p", 0, row{"k": 1, "a": 1, "b": 2}, row{"k": 2, "a": 2, "b": 1})
	s = mustEvolve(t, db, s, 1, func(c *shards.Change) {
		c.Name, c.Renames = "second", map[string]string{"a": "b", "b": "a"}
		c.Data, c.Unique = fields("b integer, a integer"), [][]string{{"b"}}
	})
	if again := mustEvolve(t, db, s, 2, func(*shards.Change) {}); again.Name != "second" {
		t.Error(again.Name)
	}
	store(t, db, archive.Response{Address: "p", At: minute(3), Shards: map[string][]row{"first": {{"k": 1, "b": 2, "a": 2}}}})
	for _, name := range []string{"first", "second"} {
		found, err := archive.Lookup(t.Context(), db, name)
		if err != nil || found.Name != "second" {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, data(t, db, found, archive.Query{}), `
			{"a":2,"b":1}
			{"a":1,"b":2}
			{"a":2,"b":2}`)
		var n int
		if err := db.Raw(`SELECT count(b) FROM archive_views.` + name).Scan(&n).Error; err != nil || n != 3 {
			t.Errorf("view %s: %d rows, %v", name, n, err)
		}
	}
	if _, err := archive.Declare(t.Context(), db, shards.Declaration{Name: "first", Key: fields("k integer")}, later); !errors.Is(err, archive.ErrDeclared) {
		t.Errorf("another shard by the old name: %v", err)
	}
	s = mustEvolve(t, db, s, 4, func(c *shards.Change) { c.Name = "third" })
	s = mustEvolve(t, db, s, 5, func(c *shards.Change) { c.Name = "first" })
	s = mustEvolve(t, db, s, 6, func(c *shards.Change) { c.Name = "second" })
	versions, err := archive.Versions(t.Context(), db, s)
	var names []string
	for _, v := range versions {
		names = append(names, fmt.Sprint(v.Number, v.Declaration.Name, v.At.Minute(), v.Note))
	}
	if got, want := strings.Join(names, ", "), "5second6a test, 4first5a test, 3third4a test, 2second1a test, 1first0"; got != want || err != nil {
		t.Errorf("versions %s, %v; want %s", got, err, want)
	}
	sound(t, db)
}

// A shard that is retired takes no more responses until that is taken back; it can be read, and corrected.
func TestAShardIsRetired(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "old", "k integer", "a integer")
	first := at(t, db, s, "p", 0, row{"k": 1, "a": 1})
	retire := func(n int, yes bool) {
		s = mustEvolve(t, db, s, n, func(c *shards.Change) { c.Retire = &yes })
	}
	retire(1, true)
	r := archive.Response{Source: "test", Address: "p", At: minute(2), Shards: map[string][]row{"old": {{"k": 1, "a": 2}}}}
	_, err := archive.Store(t.Context(), db, r, later)
	if coded, ok := errors.AsType[pg.CodedError](err); !ok || coded.Coded().Code != pg.CodeGone {
		t.Errorf("a response for a retired shard: %v", err)
	}
	if _, _, err := archive.Retract(t.Context(), db, archive.Retraction{Response: first.Retrieval, Note: "wrong"}, later); err != nil {
		t.Error(err)
	}
	retire(3, false)
	store(t, db, r)
	same(t, data(t, db, s, archive.Query{}), `{"a":2}`)
	sound(t, db)
}

// A unique key is added where no rows contradict it. Where one is dropped, what it displaced goes on.
func TestUniqueKeysComeAndGo(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "ranks", "g text, k integer", "r integer")
	at(t, db, s, "p", 0, row{"g": "x", "k": 1, "r": 1}, row{"g": "x", "k": 2, "r": 2}, row{"g": "y", "k": 1, "r": 3})
	unique := func(keys ...string) func(c *shards.Change) {
		return func(c *shards.Change) {
			c.Unique = nil
			for _, k := range keys {
				c.Unique = append(c.Unique, strings.Fields(k))
			}
		}
	}
	s = mustEvolve(t, db, s, 1, unique("r"))
	at(t, db, s, "p", 2, row{"g": "x", "k": 1, "r": 2}) // Displaces 2.
	at(t, db, s, "p", 3, row{"g": "y", "k": 1, "r": 2}) // Displaces 1.
	if got := s.Wide; !got {
		t.Error("responses from before are found by other locks, so all of it is locked")
	}
	sound(t, db)
	s = mustEvolve(t, db, s, 4, unique())
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, 2[   | {0}              | "x" | 1 | 1
		[ 0, inf[ | {0}              | "x" | 2 | 2
		[ 0, 3[   | {0}              | "y" | 1 | 3
		[ 2, inf[ | {2}              | "x" | 1 | 2
		[ 3, inf[ | {3}              | "y" | 1 | 2`)
	sound(t, db)
	_, err := evolve(t, db, s, 5, unique("r"))
	if input, ok := errors.AsType[*shards.InputError](err); !ok || input.Field != "unique" || !strings.Contains(input.Message, "(x,1) and (x,2)") {
		t.Errorf("a unique key that rows contradict: %v", err)
	}
}

// A new unique key may have fields of the key. That another one is dropped with it does not make what contradicts it go away.
func TestUniqueKeysComeWhileOthersGo(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declare(t, db, "swap", "g text, k integer", "r integer, q integer", "r")
	at(t, db, s, "p", 0, row{"g": "x", "k": 1, "r": 1, "q": 5})
	at(t, db, s, "p", 1, row{"g": "x", "k": 2, "r": 1, "q": 5}) // Displaces 1.
	_, err := evolve(t, db, s, 2, func(c *shards.Change) { c.Unique = [][]string{{"g", "q"}} })
	if input, ok := errors.AsType[*shards.InputError](err); !ok || input.Field != "unique" || !strings.Contains(input.Message, "(x,1) and (x,2)") {
		t.Errorf("a unique key that rows contradict once another is dropped: %v", err)
	}
	at(t, db, s, "p", 3, row{"g": "y", "k": 2, "r": 2, "q": 5})
	s = mustEvolve(t, db, s, 4, func(c *shards.Change) { c.Unique = append(c.Unique, []string{"g", "q"}) })
	at(t, db, s, "p", 5, row{"g": "x", "k": 3, "r": 3, "q": 5}) // Displaces 2.
	same(t, lines(t, db, s, archive.Query{}), `
		[ 0, 1[   | {0}              | "x" | 1 | 1 | 5
		[ 1, 5[   | {1}              | "x" | 2 | 1 | 5
		[ 3, inf[ | {3}              | "y" | 2 | 2 | 5
		[ 5, inf[ | {5}              | "x" | 3 | 3 | 5`)
	sound(t, db)
}

// What cannot change in place is refused, with the way out; then nothing is changed.
func TestWhatCannotChangeInPlace(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	s := declareShard(t, db, shards.Declaration{Name: "fixed", Key: fields("k integer, l text"), Data: fields("a integer, b text"),
		Scope: []string{"k"}})
	store(t, db, archive.Response{At: minute(0), Shards: map[string][]row{s.Name: {{"k": 1, "l": "x", "a": 1, "b": nil}}},
		Complete: map[string][]row{s.Name: {{"k": 1}}}})
	for _, tt := range []struct {
		change      func(c *shards.Change)
		field, says string
	}{
		{func(c *shards.Change) { c.Key = c.Key[:1] }, "key", "retire fixed"},
		{func(c *shards.Change) { c.Key = fields("k text, l text") }, "k", "cannot become text"},
		{func(c *shards.Change) { c.Data = fields("a number, b text") }, "a", "retire fixed"},
		{func(c *shards.Change) { c.Data = c.Data[:1] }, "b", "say so in renames"},
		{func(c *shards.Change) { c.Scope = nil }, "scope", "another shard"},
		{func(c *shards.Change) { c.Renames = map[string]string{"z": "y"} }, "renames", "not a field"},
		{func(c *shards.Change) { c.Name = "ladder" }, "name", "choose another"},
	} {
		_, err := evolve(t, db, s, 1, tt.change)
		coded, ok := errors.AsType[pg.CodedError](err)
		if !ok || coded.Coded().Field != tt.field || !strings.Contains(coded.Coded().Message, tt.says) {
			t.Errorf("%v, want %s: %s", err, tt.field, tt.says)
		}
	}
	same1 := mustEvolve(t, db, s, 2, func(c *shards.Change) { c.Data, c.Key = fields("b text, a integer"), fields("l text, k integer") })
	if versions, err := archive.Versions(t.Context(), db, same1); err != nil || len(versions) != 1 {
		t.Errorf("another order of fields is a change: %v, %v", versions, err)
	}
	sound(t, db)
}
