package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	"laurel/models/history"
	"laurel/models/modelstest"
)

func TestPrintCheck(t *testing.T) {
	t.Parallel()
	c := history.ArchiveCheck{Shards: 2, Rows: 30, Retrievals: 4, Took: 0.25}
	var out strings.Builder
	if err := printCheck(&out, c); err != nil || out.String() != "2 shards, 30 rows, 4 retrievals checked in 0.2 s: 0 findings\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	c.Findings = []archive.Finding{{Shard: "ladder", Kind: "overlap", Message: "of (a) two rows"}, {Kind: "lost", Message: "look 7 gave 3 facts"}}
	c.Total = 5
	err := printCheck(&out, c)
	if err == nil || !strings.HasPrefix(out.String(), "ladder: overlap: of (a) two rows\nlost: look 7 gave 3 facts\nand 3 more\n2 shards") || !strings.HasSuffix(out.String(), "5 findings\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestReadWindows(t *testing.T) {
	t.Parallel()
	s := settings{Windows: " ladder=12m, account_counts=6h,"}
	if err := s.readWindows(); err != nil || len(s.windows) != 2 || s.windows["ladder"] != 12*time.Minute {
		t.Errorf("%v, %v", s.windows, err)
	}
	for _, bad := range []string{"ladder", "ladder=", "ladder=12", "=12m", "ladder=-1h"} {
		s := settings{Windows: bad}
		if err := s.readWindows(); err == nil || !strings.Contains(err.Error(), "LAUREL_ARCHIVE_WINDOWS") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// A file may be unsorted, and be pushed again.
func TestPushFile(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	s := shards.Declaration{Name: "arena", Key: []shards.Field{{Name: "player", Type: shards.Text}}, Data: []shards.Field{{Name: "rank", Type: shards.Integer}}}
	now := func() time.Time { return modelstest.Noon.Add(time.Hour) }
	if _, err := archive.Declare(t.Context(), db, s, now()); err != nil {
		t.Fatal(err)
	}
	const file = "player,rank,retrieved_at\nada,2,2026-11-21T12:10:00Z\nada,1,2026-11-21T12:00:00Z 2026-11-21T12:05:00Z\nbob,,2026-11-21T12:05:00Z\n"
	for _, want := range []string{"3 instants: 3 inserted, 1 confirmed, 1 ended, 0 overruled\n", "3 instants: 0 inserted, 4 confirmed, 0 ended, 0 overruled\n"} {
		var out strings.Builder
		if err := pushFile(t.Context(), db, "arena", strings.NewReader(file), &out, now); err != nil || out.String() != want {
			t.Errorf("%q, %v; want %q", out.String(), err, want)
		}
	}
	for _, bad := range []string{"player,rank,retrieved_at\nada,1,2026-11-21T12:20:00Z\nada,2,2026-11-21T12:20:00Z\n", "player,retrieved_at\n"} {
		if err := pushFile(t.Context(), db, "arena", strings.NewReader(bad), io.Discard, now); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if err := pushFile(t.Context(), db, "none", strings.NewReader(file), io.Discard, now); err == nil {
		t.Error("no such shard: no error")
	}
}

func TestRoleAddress(t *testing.T) {
	t.Parallel()
	role := archive.SQLRole{Name: "reader", Password: "SECRET"}
	for address, want := range map[string]string{
		"postgres://laurel@/laurel?host=%2Ftmp":         "postgres://reader:SECRET@/laurel?host=%2Ftmp",
		"postgresql://u:p@db:5433/x?user=u&sslmode=off": "postgresql://reader:SECRET@db:5433/x?sslmode=off",
		"host=db dbname=x user=u password=p":            "host=db dbname=x user=u password=p user=reader password=SECRET",
	} {
		if got := roleAddress(address, role); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
