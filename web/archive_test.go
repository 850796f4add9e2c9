package main

import (
	"strings"
	"testing"
	"time"

	"laurel/models/archive"
	"laurel/models/history"
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
