package awards_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel/models/awards/rules"
	"laurel/models/modelstest"
)

// orders are all orders of n things.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range orders(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), i, n-1))
		}
	}
	return all
}

// Four photos arrive in every order, one at a time. Each level ends with one current badge, of the right date; what it
// was dated before are superseded badges, one for each date, and each leads to the next one.
func TestBadgesAreSupersededWhenDatesMove(t *testing.T) {
	t.Parallel()
	const photos = 4
	goals := []int{1, 2, 3}
	all := orders(photos)
	names := make([]string, len(all))
	for i := range all {
		names[i] = fmt.Sprint("member", i)
	}
	w := modelstest.NewAwardWorld(t, names...)
	w.Runs(`{"slug":"photos","title":"Photos","permanence":"live","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],
		"rule":{"name":"CountRule"}}],"strategy":{"objective_id":"o","goal":3},
		"levels":[{"title":"I","goal":1},{"title":"II","goal":2},{"title":"III","goal":3}]}`)
	want := map[string][]string{} // The dates of a level in the order in which they were found.
	for turn := range photos {
		var list []rules.Event
		for i, order := range all {
			e := modelstest.Item("photo", fmt.Sprint(names[i], "-", order[turn]), 1, "active", 10*order[turn], nil)
			e.Member = names[i]
			list = append(list, e)
			arrived := slices.Clone(order[:turn+1])
			slices.Sort(arrived)
			for level, goal := range goals {
				if len(arrived) < goal {
					continue
				}
				key := fmt.Sprint(names[i], " ", level+1)
				date := modelstest.Noon.Add(time.Duration(10*arrived[goal-1]) * time.Minute).Format("15:04")
				if known := want[key]; len(known) == 0 || known[len(known)-1] != date {
					want[key] = append(known, date)
				}
			}
		}
		w.Sends(list...)
	}
	var rows []struct {
		Key, Dates string
		Current    int
	}
	err := w.DB.Raw(`
		WITH RECURSIVE chain AS (
			SELECT m.name || ' ' || g.level AS key, b.id, to_char(b.granted_at AT TIME ZONE 'UTC', 'HH24:MI') AS dates, b.granted_at = g.granted_at AS right
			FROM badges b JOIN award_grants g ON g.id = b.grant_id JOIN members m ON m.id = g.member_id
			WHERE b.superseded_by IS NULL
			UNION ALL
			SELECT c.key, b.id, to_char(b.granted_at AT TIME ZONE 'UTC', 'HH24:MI') || ' ' || c.dates, c.right
			FROM chain c JOIN badges b ON b.superseded_by = c.id)
		SELECT key, (array_agg(dates ORDER BY length(dates) DESC))[1] AS dates, count(*) FILTER (WHERE length(dates) = 5 AND chain.right) AS current
		FROM chain GROUP BY key`).Scan(&rows).Error
	if err != nil {
		t.Fatal(err)
	}
	badges := 0
	for _, r := range rows {
		var dates string
		for _, d := range want[r.Key] {
			dates += " " + d
			badges++
		}
		if r.Current != 1 || " "+r.Dates != dates {
			t.Errorf("%s: %d current badges, dated %s, want%s", r.Key, r.Current, r.Dates, dates)
		}
	}
	if len(rows) != len(want) || w.Count(`SELECT count(*) FROM badges`) != badges {
		t.Errorf("%d levels with %d badges, want %d with %d", len(rows), w.Count(`SELECT count(*) FROM badges`), len(want), badges)
	}
	if list, _, _ := differences(w); len(list) > 0 {
		t.Errorf("the check finds %q", list)
	}
}
