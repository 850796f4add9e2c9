package history_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"testing"

	pg "laurel/models/db"
	"laurel/models/history"
	"laurel/models/modelstest"
)

// The list of rankings has every name once, page by page, as it is.
func TestRankingsPageByPage(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	want := []string{"", "  sp", " a", "a", "a ", "b\n", "\"", "😀"}
	for _, name := range want {
		storeRanking(t, tx, name, modelstest.Noon, 1, "x")
	}
	var got []string
	for cursor := ""; ; {
		lines, next, err := history.Rankings(t.Context(), tx, cursor, 1, modelstest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			got = append(got, l.Name)
		}
		if cursor = next; cursor == "" || len(got) > len(want) {
			break
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the pages list %q, want %q", got, want)
	}
	for _, forged := range []string{`["ladders","plain"]`, `["ladders","\"\\x00\""]`, `["ladders","\"\\xff\""]`} {
		_, _, err := history.Rankings(t.Context(), tx, base64.RawURLEncoding.EncodeToString([]byte(forged)), 1, modelstest.Noon)
		if _, ok := errors.AsType[*pg.InputError](err); !ok {
			t.Errorf("%s: %v, want an input error", forged, err)
		}
	}
}
