package retrieval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/models/archive"
	"laurel/models/archive/shards"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/retrieval"
)

func TestLog(t *testing.T) {
	t.Parallel()
	db := modelstest.Tx(t)
	var rs []archive.Response
	for i := range 6 { // Two pages, fetched in turn, two fetches at each instant.
		rs = append(rs, archive.Response{Source: "uva", Address: fmt.Sprint("page ", i%2), Viewer: []string{"", "ada"}[i%2], At: modelstest.Noon.Add(time.Duration(i/2) * time.Minute),
			Shards: map[string][]shards.Row{"account_counts": {{"site": "uva", "handle": fmt.Sprint("h", i%2), "solved": 1, "submitted": 2}}}})
	}
	rs = append(rs, archive.Response{Source: "uva", Address: "page 0", At: modelstest.Noon, Outcome: "blocked", Message: "status 403"})
	if _, err := archive.StoreAll(t.Context(), db, rs, modelstest.Noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		f    retrieval.LogFilter
		want string
	}{
		{"all", retrieval.LogFilter{}, "1 2, 0 2, 1 1, 0 1, 1 0, 0 0 blocked, 0 0"},
		{"a page", retrieval.LogFilter{Address: new("page 1")}, "1 2, 1 1, 1 0"},
		{"a guest", retrieval.LogFilter{Viewer: new("")}, "0 2, 0 1, 0 0 blocked, 0 0"},
		{"a viewer of a page", retrieval.LogFilter{Viewer: new("ada"), Address: new("page 0")}, ""},
		{"another source", retrieval.LogFilter{Source: new("laurel")}, ""},
		{"failures", retrieval.LogFilter{Outcome: new("blocked")}, "0 0 blocked"},
		{"a time", retrieval.LogFilter{Since: modelstest.Noon.Add(time.Minute), Until: modelstest.Noon.Add(2 * time.Minute)}, "1 1, 0 1"},
	} {
		for _, limit := range []int{1, 3, 100} {
			var got []string
			cursor := pg.Cursor{}
			for more := true; more; more = cursor != (pg.Cursor{}) {
				fetches, next, err := retrieval.Log(t.Context(), db, tt.f, cursor, limit)
				if err != nil || len(fetches) > limit {
					t.Fatalf("%s: %d fetches, %v", tt.name, len(fetches), err)
				}
				for _, l := range fetches {
					got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %.0f %s", l.Address[5:], l.At.Sub(modelstest.Noon).Minutes(), l.Outcome), " ok"))
				}
				cursor = next
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("%s by %d: %s, want %s", tt.name, limit, text, tt.want)
			}
		}
	}
	for _, bad := range []string{"a\x00", "\xff"} {
		_, _, err := retrieval.Log(t.Context(), db, retrieval.LogFilter{Source: &bad}, pg.Cursor{}, 1)
		if e, ok := errors.AsType[*pg.InputError](err); !ok || e.Field != "source" {
			t.Errorf("source %q: %v", bad, err)
		}
	}
}
