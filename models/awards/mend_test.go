package awards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laurel/models/awards"
	"laurel/models/modelstest"
)

// differences are all that a check finds, as text.
func differences(w *modelstest.AwardWorld) (list []string, takes bool) {
	w.Helper()
	for done := false; !done; {
		var c awards.CheckResult
		var err error
		if c, done, err = awards.CheckNext(w.Context(), w.DB, w.Now); err != nil {
			w.Fatal(err)
		}
		for _, d := range c.Differences {
			list, takes = append(list, d.What+": "+d.Is+", not "+d.Should), takes || d.Takes
		}
	}
	return list, takes
}

// stored is all that is counted and granted, but ids and log.
func stored(w *modelstest.AwardWorld) (text string) {
	w.Helper()
	err := w.DB.Raw(`
		SELECT concat_ws(E'\n', (SELECT string_agg(key || ' ' || contributions, ',' ORDER BY key) FROM items),
			(SELECT string_agg(concat_ws(' ', objective_id, member_id, period, status, cell, amount), ',' ORDER BY objective_id, member_id, period, status, cell)
				FROM objective_cells WHERE amount <> 0),
			(SELECT string_agg(concat_ws(' ', objective_id, member_id, period, status, amount), ',' ORDER BY objective_id, member_id, period, status)
				FROM objective_counters WHERE amount <> 0),
			(SELECT string_agg(concat_ws(' ', award_id, member_id, period, progress, level), ',' ORDER BY award_id, member_id, period) FROM user_awards),
			(SELECT string_agg(concat_ws(' ', award_id, member_id, period, level, granted_at, revoked_at IS NULL), ',' ORDER BY award_id, member_id, period, level)
				FROM award_grants WHERE revoked_at IS NULL))`).Scan(&text).Error
	if err != nil {
		w.Fatal(err)
	}
	return text
}

// Whatever was tampered with is found, and mended as it was; what would take a grant away says so.
func TestTamperedAwardsAreFoundAndMended(t *testing.T) {
	t.Parallel()
	w := modelstest.NewAwardWorld(t, "ada", "grace")
	const levels = `,"levels":[{"title":"I","goal":2},{"title":"II","goal":4},{"title":"III","goal":7}]}`
	for slug, rule := range map[string]string{"all": "CountRule", "unique": "UniqueByObjectRule"} {
		w.Runs(`{"slug":"` + slug + `","title":"T","permanence":"permanent","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],
			"rule":{"name":"` + rule + `"}}],"strategy":{"objective_id":"o","goal":7}` + levels)
	}
	for i := range 9 {
		e := modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", 50-5*i, nil)
		e.Object = fmt.Sprint("place ", i%5)
		w.Sends(e)
	}
	w.ByHand(w.Grants, awards.ByHand{Member: "grace", Award: "all", Level: 1, Note: "a gift"})
	if list, _ := differences(w); len(list) > 0 {
		t.Fatalf("untouched: %s", strings.Join(list, "; "))
	}
	before := stored(w)
	for _, tt := range []struct {
		what, tamper, found string
		takes               bool
	}{
		{"emptied contributions", `UPDATE items SET contributions = '[]' WHERE key LIKE '%p3'`, "contributions of photo ", false},
		{"a counter", `UPDATE objective_counters SET amount = amount + 1000000 WHERE status = 'active'`, "counter active of objective o", false},
		{"a counter that is gone", `DELETE FROM objective_counters`, "counter active of objective o of award all: 0, not 9", false},
		{"a cell", `UPDATE objective_cells SET amount = amount + 1000000`, "cell ", false},
		{"cells that are gone", `DELETE FROM objective_cells`, "cell ", false},
		{"progress", `UPDATE user_awards SET progress = 1, level = 0`, "progress of award all: 1 at level 0, not 7 at level 3", false},
		{"dates", `UPDATE award_grants SET granted_at = granted_at + interval '1 minute' WHERE NOT locked`, "date of level 2 of award all", false},
		{"a grant that is gone", `DELETE FROM award_grants WHERE level = 2 AND NOT locked`, "level 2 of award all: not held, not held", false},
		{"a forged grant", `INSERT INTO award_grants (award_id, member_id, period, level, award_version, granted_at, found_at)
			SELECT a.id, m.id, '', 3, 1, now(), now() FROM awards a, members m WHERE m.name = 'grace'`, "level 3 of award all: held, not not there", true},
	} {
		if err := w.DB.Exec(tt.tamper).Error; err != nil {
			t.Fatal(err)
		}
		list, takes := differences(w)
		if !slices.ContainsFunc(list, func(d string) bool { return strings.HasPrefix(d, tt.found) }) || takes != tt.takes {
			t.Errorf("%s: found %q (takes %v), want %q", tt.what, list, takes, tt.found)
		}
		for _, name := range []string{"ada", "grace"} {
			if err := awards.Mend(t.Context(), w.DB, int64(w.Count(`SELECT id FROM members WHERE name = '`+name+`'`)), w.Now); err != nil {
				t.Fatal(err)
			}
		}
		w.Works()
		if list, _ := differences(w); len(list) > 0 {
			t.Errorf("%s, mended: %s", tt.what, strings.Join(list, "; "))
		}
		if after := stored(w); after != before {
			t.Errorf("%s, mended, is\n%s\nwant\n%s", tt.what, after, before)
		}
	}
}
