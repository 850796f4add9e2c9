package archive_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/modelstest"
)

// minute is the time of the seed's tables, which count minutes.
func minute(n int) time.Time { return modelstest.Noon.Add(time.Duration(n) * time.Minute) }

// later is after everything in these tests.
var later = modelstest.Noon.Add(10000 * time.Hour)

func soak() bool { return os.Getenv("LAUREL_SOAK") != "" }

type row = shards.Row

// fields reads "player integer, rank integer".
func fields(text string) (out []shards.Field) {
	for f := range strings.SplitSeq(text, ", ") {
		name, kind, _ := strings.Cut(f, " ")
		if name != "" {
			out = append(out, shards.Field{Name: name, Type: kind})
		}
	}
	return out
}

// declare declares a shard, e.g. ("s", "player integer", "rank integer", "rank").
func declare(t testing.TB, db *gorm.DB, name, key, data string, unique ...string) *archive.Shard {
	t.Helper()
	s := shards.Declaration{Name: name, Key: fields(key), Data: fields(data)}
	for _, u := range unique {
		s.Unique = append(s.Unique, strings.Fields(u))
	}
	return declareShard(t, db, s)
}

func declareShard(t testing.TB, db *gorm.DB, d shards.Declaration) *archive.Shard {
	t.Helper()
	s, err := archive.Declare(t.Context(), db, d, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// store stores a response that must be taken.
func store(t testing.TB, db *gorm.DB, r archive.Response) archive.Result {
	t.Helper()
	if r.Source == "" {
		r.Source = "test"
	}
	res, err := archive.Store(t.Context(), db, r, later)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// at stores rows of one shard seen at a minute on a page.
func at(t testing.TB, db *gorm.DB, s *archive.Shard, page string, n int, rows ...row) archive.Result {
	t.Helper()
	return store(t, db, archive.Response{Address: page, At: minute(n), Shards: map[string][]row{s.Name: rows}})
}

// lines prints all rows of a shard, as the seed prints them.
func lines(t testing.TB, db *gorm.DB, s *archive.Shard, q archive.Query) []string {
	t.Helper()
	rows, err := archive.History(t.Context(), db, s, q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		out = append(out, line(s, r))
	}
	return out
}

// line is one row: [ 0, 10[  | {0, 5} | 1 | 1000.
func line(s *archive.Shard, r archive.Snapshot) string {
	until := "inf"
	if r.ValidUntil != nil {
		until = minutes(*r.ValidUntil)
	}
	var seen []string
	for _, at := range r.Retrieved {
		seen = append(seen, minutes(at))
	}
	out := []string{
		fmt.Sprintf("%-9s", fmt.Sprintf("[%2s, %s[", minutes(r.ValidFrom), until)),
		fmt.Sprintf("%-16s", "{"+strings.Join(seen, ", ")+"}"),
	}
	for _, f := range append(slices.Clone(s.Key), s.Data...) {
		v, ok := r.Key[f.Name]
		if !ok {
			v = r.Data[f.Name]
		}
		text, _ := json.Marshal(v)
		out = append(out, fmt.Sprintf("%-*s", len(f.Name), text))
	}
	return strings.TrimRight(strings.Join(out, " | "), " ")
}

func minutes(t time.Time) string { return fmt.Sprint(t.Sub(modelstest.Noon).Minutes()) }

// same compares printed rows with what is wanted, one a line.
func same(t testing.TB, got []string, want string) {
	t.Helper()
	var trimmed []string
	for l := range strings.Lines(strings.TrimSpace(want)) {
		if l = strings.TrimSpace(l); l != "" {
			trimmed = append(trimmed, l)
		}
	}
	if !slices.Equal(got, trimmed) {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(trimmed, "\n"))
	}
}

// sound checks the whole archive.
func sound(t testing.TB, db *gorm.DB) {
	t.Helper()
	found, err := archive.Check(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		t.Errorf("check: %+v", f)
	}
}
