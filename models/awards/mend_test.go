package awards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/models/awards"
	"laurel/models/modelstest"
)

// differences are all that a check finds, as text, and of whom.
func differences(w *modelstest.AwardWorld) (list []string, members map[int64]bool, takes bool) {
	w.Helper()
	members = map[int64]bool{}
	for done := false; !done; {
		var c awards.CheckResult
		var err error
		if c, done, err = awards.CheckNext(w.Context(), w.DB, w.Now); err != nil {
			w.Fatal(err)
		}
		for _, d := range c.Differences {
			list, takes, members[d.Member] = append(list, d.What+": "+d.Is+", not "+d.Should), takes || d.Takes, true
		}
	}
	return list, members, takes
}

// stored is all that is counted and granted, but what only says who wrote it.
func stored(w *modelstest.AwardWorld) (text string) {
	w.Helper()
	err := w.DB.Raw(`
		SELECT concat_ws(E'\n', (SELECT string_agg(concat_ws(' ', key, member_id, seq, at, first_at, status, event_id, contributions), ',' ORDER BY key) FROM items),
			(SELECT string_agg(concat_ws(' ', objective_id, member_id, period, status, cell, amount), ',' ORDER BY objective_id, member_id, period, status, cell)
				FROM objective_cells WHERE amount <> 0),
			(SELECT string_agg(concat_ws(' ', objective_id, member_id, period, status, amount), ',' ORDER BY objective_id, member_id, period, status)
				FROM objective_counters WHERE amount <> 0),
			(SELECT string_agg(concat_ws(' ', award_id, member_id, period, progress, goal, level, started), ',' ORDER BY award_id, member_id, period)
				FROM user_awards WHERE started),
			(SELECT string_agg(concat_ws(' ', award_id, member_id, period, level, award_version, granted_at, found_at, given_by, revoked_at, revoked_reason, locked,
					(SELECT string_agg(concat_ws(' ', l.what, l.at, l.author), ';' ORDER BY l.id) FROM award_grant_log l WHERE l.grant_id = g.id),
					(SELECT string_agg(concat_ws(' ', b.granted_at, b.award_version, b.revoked_at), ';' ORDER BY b.log_id) FROM badges b WHERE b.grant_id = g.id AND b.superseded_by IS NULL)),
				',' ORDER BY award_id, member_id, period, level) FROM award_grants g),
			(SELECT count(*) FROM badges WHERE grant_id IS NOT NULL))`).Scan(&text).Error
	if err != nil {
		w.Fatal(err)
	}
	return text
}

// newTamperedWorld has members with every kind of grant: won, lost, won again, given and taken by hand.
func newTamperedWorld(t *testing.T) *ownWorld {
	w := newOwnWorld(t)
	const levels = `,"levels":[{"title":"I","goal":2},{"title":"II","goal":4},{"title":"III","goal":7}]}`
	for _, a := range []struct{ slug, source, rule, permanence string }{
		{"all", "photo", "CountRule", "permanent"}, {"unique", "photo", "UniqueByObjectRule", "permanent"}, {"taken", "photo", "CountRule", "permanent"},
		{"again", "video", "CountRule", "live"}, {"lost", "audio", "CountRule", "live"},
	} {
		w.Runs(`{"slug":"` + a.slug + `","title":"T","permanence":"` + a.permanence + `","objectives":[{"id":"o","filters":[{"name":"SourceFilter",
			"config":{"sources":["` + a.source + `"]}}],"rule":{"name":"` + a.rule + `"}}],"strategy":{"objective_id":"o","goal":7}` + levels)
	}
	w.Runs(fmt.Sprintf(solver, "solver"))
	for i := range 3 {
		w.puts(i, solved{"ada", fmt.Sprint("p", i), modelstest.Noon.Add(-time.Duration(i) * time.Hour), true}, true)
	}
	for i := range 9 {
		e := modelstest.Item("photo", fmt.Sprint("p", i), 1, "active", 50-5*i, nil)
		e.Object = fmt.Sprint("place ", i%5)
		w.Sends(e)
	}
	for i := range 3 {
		for _, source := range []string{"video", "audio"} {
			w.Sends(modelstest.Item(source, fmt.Sprint(source, i), 1, "active", i, nil))
		}
	}
	later := func() { w.Now = w.Now.Add(time.Minute) }
	later()
	w.ByHand(w.Grants, awards.ByHand{Member: "grace", Award: "all", Level: 1, Note: "a gift"})
	w.ByHand(w.Revokes, awards.ByHand{Member: "ada", Award: "taken", Level: 2, Note: "a mistake"})
	for i := 1; i < 3; i++ {
		for _, source := range []string{"video", "audio"} {
			w.Sends(modelstest.Item(source, fmt.Sprint(source, i), 2, "blocked", i, nil))
		}
	}
	later()
	for i := 1; i < 3; i++ {
		w.Sends(modelstest.Item("video", fmt.Sprint("video", i), 3, "active", i, nil))
	}
	later()
	return w
}

// A tampering is one way to change what awards rest on behind Laurel's back.
type tampering struct {
	what, by string // By one statement.
	found    string // How a line begins that tells of it.
	takes    bool   // To mend it takes something away.
	leaves   bool   // What was there before cannot all be known any more, or stands in the log.
}

// tamperings are the kinds that docs/design/awards.md lists.
var tamperings = []tampering{
	{"contributions emptied", `UPDATE items SET contributions = '[]' WHERE key LIKE '%p3'`, "contributions of photo ", false, false},
	{"contribution doubled", `UPDATE items SET contributions = replace(contributions, '1000000', '2000000') WHERE key = 'item:p3'`,
		"contributions of photo ", false, false},
	{"contribution to another cell", `UPDATE items SET contributions = replace(contributions, 'place 3', 'place 9') WHERE key = 'item:p3'`,
		"contributions of photo ", false, false},
	{"contribution in another status", `UPDATE items SET contributions = replace(contributions, 'active', 'blocked') WHERE key = 'item:p3'`,
		"contributions of photo ", false, false},
	{"contribution listed twice", `UPDATE items SET contributions = replace(contributions, ']]', '],' || substr(contributions, 2))
		WHERE key = 'item:p3'`, "contributions of photo ", false, false},
	{"contribution to an award that does not count it", `UPDATE items SET contributions = (SELECT contributions FROM items WHERE key = 'item:p3')
		WHERE key = 'item:audio0'`, "contributions of audio ", false, false},
	{"contributions unreadable", `UPDATE items SET contributions = '[[1' WHERE key = 'item:p3'`, "contributions of photo ", false, false},
	{"an item's number raised", `UPDATE items SET seq = 99 WHERE key = 'item:p3'`, "state of photo ", false, false},
	{"an item's time moved", `UPDATE items SET at = at - interval '1 day' WHERE key = 'item:p3'`, "state of photo ", false, false},
	{"an item's first time moved", `UPDATE items SET first_at = at + interval '1 day' WHERE key = 'item:p3'`, "state of photo ", false, false},
	{"an item's status changed", `UPDATE items SET status = 'blocked' WHERE key = 'item:p3'`, "state of photo ", false, false},
	{"an item's event renamed", `UPDATE items SET event_id = 'zzz' WHERE key = 'item:p3'`, "state of photo ", false, false},
	{"an own row not counted", `DELETE FROM items WHERE source = 'submissions' AND key = (SELECT max(key) FROM items WHERE source = 'submissions')`,
		"contributions of submissions ", false, false},
	{"an own row counted for another", `UPDATE items SET member_id = @grace WHERE source = 'submissions'`, "member and time of submissions ", false, false},
	{"a row counted that is not there", `INSERT INTO items (source, key, member_id, seq, at, status, event_id, zone, arrived_at, body, contributions)
		SELECT source, 'item:777777', member_id, seq, at, status, event_id, zone, arrived_at, body, contributions FROM items WHERE source = 'submissions' LIMIT 1`,
		"contributions of submissions item:777777", false, false},
	{"a cell raised", `UPDATE objective_cells SET amount = amount + 1000000`, "cell place 0 of counter active", false, false},
	{"cells gone", `DELETE FROM objective_cells`, "cell place 0 of counter active", false, false},
	{"a cell invented", `INSERT INTO objective_cells SELECT objective_id, member_id, period, status, 'place 77', amount FROM objective_cells LIMIT 1`,
		"cell p", false, false},
	{"a cell without a name", `INSERT INTO objective_cells SELECT objective_id, member_id, period, status, '', amount FROM objective_counters`,
		"cell  of counter active", false, false},
	{"a counter raised", `UPDATE objective_counters SET amount = amount + 1000000 WHERE status = 'active'`, "counter active of objective o", false, false},
	{"counters gone", `DELETE FROM objective_counters`, "counter active of objective o of award all: 0, not 9", false, false},
	{"a counter of another status", `UPDATE objective_counters SET status = 'hidden' WHERE status = 'active'`, "counter hidden of objective o", false, false},
	{"a counter for who did nothing", `INSERT INTO objective_counters SELECT objective_id, @grace, period, status, amount FROM objective_counters
		WHERE status = 'active'`, "counter active of objective o", false, false},
	{"a counter of another period", `UPDATE objective_counters SET period = '2020-01-01'`, "counter active of objective o", false, false},
	{"progress changed", `UPDATE user_awards SET progress = 1`, "progress of award all: 1 of 7 at level 3", false, false},
	{"a level changed", `UPDATE user_awards SET level = 0`, "progress of award all: 7 of 7 at level 0", false, false},
	{"a goal changed", `UPDATE user_awards SET goal = 3`, "progress of award all: 7 of 3", false, false},
	{"begun denied", `UPDATE user_awards SET started = false`, "progress of award all: 7 of 7 at level 3, started: false", false, false},
	{"progress gone", `DELETE FROM user_awards`, "progress of award all: 0 of 7", false, false},
	{"progress invented", `INSERT INTO user_awards SELECT award_id, @grace, period, progress, goal, level, started, version, updated_at FROM user_awards`,
		"progress of award all: 7 of 7", false, false},
	{"a date moved", `UPDATE award_grants SET granted_at = granted_at + interval '1 minute' WHERE NOT locked AND revoked_at IS NULL`, "date of level 2 of award all", false, false},
	{"a date off by a microsecond", `UPDATE award_grants SET granted_at = granted_at - interval '1 microsecond' WHERE NOT locked AND revoked_at IS NULL`,
		"date of level 2 of award all", false, false},
	{"the date of a gift moved", `UPDATE award_grants SET granted_at = granted_at - interval '1 year' WHERE given_by <> ''`,
		"date of level 1 of award all", false, false},
	{"when it was found moved", `UPDATE award_grants SET found_at = found_at - interval '1 year'`, "day on which Laurel found level 1 of award all", false, false},
	{"the version changed", `UPDATE award_grants SET award_version = 9 WHERE NOT locked`, "version of level 1 of award all", false, false},
	{"a grant locked", `UPDATE award_grants SET locked = true`, "lock of level 1 of award all: true, not false", true, false},
	{"a gift unlocked", `UPDATE award_grants SET locked = false`, "lock of level 1 of award all: false, not true", false, false},
	{"the giver gone", `UPDATE award_grants SET given_by = ''`, "giver of level 1 of award all: , not root", false, false},
	{"a giver invented", `UPDATE award_grants SET given_by = 'eve' WHERE NOT locked`, "giver of level 1 of award all: eve, not ", false, false},
	{"grants ended", `UPDATE award_grants SET revoked_at = @now WHERE revoked_at IS NULL`, "end of level 1 of award all", false, false},
	{"ended grants held", `UPDATE award_grants SET revoked_at = NULL`, "end of level 2 of award taken: held, not taken at", true, false},
	{"the end of a grant moved", `UPDATE award_grants SET revoked_at = revoked_at - interval '1 day'`, "end of level 2 of award taken", false, false},
	{"why it ended changed", `UPDATE award_grants SET revoked_reason = 'a secret' WHERE revoked_at IS NOT NULL`, "end of level 2 of award taken", false, false},
	{"lines of the log gone", `DELETE FROM award_grant_log WHERE what IN ('granted', 'granted again')`, "log of level 1 of award all: 1 lines are missing", false, false},
	{"the end gone from the log", `DELETE FROM award_grant_log WHERE id IN (SELECT max(l.id) FROM award_grant_log l JOIN award_grants g ON g.id = l.grant_id
		WHERE NOT g.locked AND g.revoked_at IS NOT NULL GROUP BY grant_id)`, "log of level 1 of award lost: without the line revoked", false, false},
	{"the end of a gift invented in the log", `INSERT INTO award_grant_log (grant_id, at, what, reason) SELECT id, @now, 'revoked', 'fell' FROM award_grants
		WHERE given_by <> ''`, "log of level 1 of award all: revoked by the rules", false, false},
	{"a badge superseded by another's", `UPDATE badges SET superseded_by = (SELECT max(CAST(id AS text))::uuid FROM badges n WHERE n.log_id <> badges.log_id), superseded_at = @now
		WHERE log_id = (SELECT min(log_id) FROM badges)`, "badge of level 1 of award", false, true},
	{"a superseded badge led astray", `UPDATE badges SET superseded_by = (SELECT max(CAST(id AS text))::uuid FROM badges n WHERE n.log_id <> badges.log_id)
		WHERE superseded_by IS NOT NULL`, "superseded badge", false, false},
	{"a badge no longer superseded", `UPDATE badges SET superseded_by = NULL, superseded_at = NULL, granted_at = granted_at - interval '1 day' WHERE superseded_by IS NOT NULL`,
		"badge of level 1 of award all: there ", true, false},
	{"a badge gone", `DELETE FROM badges WHERE log_id < (SELECT max(log_id) FROM badges)`, "badge of level 1 of award all: none, not made", false, true}, // With what it superseded, which nothing tells of.
	{"a badge's date moved", `UPDATE badges SET granted_at = granted_at - interval '1 year' WHERE superseded_by IS NULL`, "date of badge of level 1 of award all", false, false},
	{"a badge of another grant", `UPDATE badges SET grant_id = (SELECT max(id) FROM award_grants) WHERE log_id = (SELECT min(log_id) FROM badges)`,
		"grant of badge of level", false, false},
	{"a badge of another line", `UPDATE badges SET log_id = -log_id WHERE log_id < (SELECT max(log_id) FROM badges)`,
		"badge of level 1 of award all: none, not made", false, false},
	{"a badge revoked", `UPDATE badges SET revoked_at = @now`, "badge of level 1 of award all: revoked by itself", false, false},
	{"a badge of no version", `UPDATE badges SET award_version = 9`, "version of badge of level 1 of award all: 9, not 1", false, false},
	{"a badge made twice", `INSERT INTO badges (id, list, place, grant_id, log_id, award_version, granted_at, made_at) SELECT gen_random_uuid(), list,
		(place + 1) % 131072, grant_id, log_id, award_version, granted_at, @now FROM badges WHERE log_id = (SELECT min(log_id) FROM badges)`,
		"badge of level 1 of award solver: there 2 times, not there once", true, true},
	{"a status list emptied", `UPDATE badge_lists SET used = 1`, "status list 1: 1 places given out", false, true},
	{"badges ahead of the log", `UPDATE badge_position SET log_id = log_id + 100`, "place in the log of grants", false, false},
	{"badges behind the log", `UPDATE badge_position SET log_id = 0`, "place in the log of grants", false, false},
	{"a grant gone", `DELETE FROM award_grants WHERE level = 2 AND NOT locked AND revoked_at IS NULL`, "level 2 of award all: not held, not held", false, true},
	{"a grant invented", `INSERT INTO award_grants (award_id, member_id, period, level, award_version, granted_at, found_at)
		SELECT id, @grace, '', 3, 1, @now, @now FROM awards WHERE slug = 'all'`, "level 3 of award all: held, not not there", true, true},
	{"a gift invented", `INSERT INTO award_grants (award_id, member_id, period, level, award_version, granted_at, found_at, locked, given_by)
		SELECT id, @grace, '', 3, 1, @now, @now, true, 'root' FROM awards WHERE slug = 'unique'`, "log of level 3 of award unique: without the line granted", false, true},
	{"a foreign item gone", `DELETE FROM items WHERE key = 'item:p0'`, "counter active of objective o of award all: 9, not 8", false, true},
}

// Whatever was tampered with is found, and mended as it was; what would take something away says so. What was given by
// hand stays.
func TestTamperedAwardsAreFoundAndMended(t *testing.T) {
	t.Parallel()
	w := newTamperedWorld(t)
	if list, _, _ := differences(w.AwardWorld); len(list) > 0 {
		t.Fatalf("untouched: %s", strings.Join(list, "; "))
	}
	if len(tamperings) < 30 {
		t.Fatalf("%d kinds", len(tamperings))
	}
	before := stored(w.AwardWorld)
	values := strings.NewReplacer("@grace", fmt.Sprint(w.ids["grace"]), "@now", "'"+w.Now.Format(time.RFC3339)+"'")
	for _, tt := range tamperings {
		w.exec(values.Replace(tt.by))
		list, members, takes := differences(w.AwardWorld)
		if !slices.ContainsFunc(list, func(d string) bool { return strings.HasPrefix(d, tt.found) }) || takes != tt.takes {
			t.Errorf("%s: found %q (takes %v), want %q", tt.what, list, takes, tt.found)
		}
		for id := range members {
			if err := awards.Mend(t.Context(), w.DB, id, w.Now); err != nil {
				t.Fatal(err)
			}
		}
		w.Works()
		if list, _, _ := differences(w.AwardWorld); len(list) > 0 {
			t.Fatalf("%s, mended: %s", tt.what, strings.Join(list, "; "))
		}
		after := stored(w.AwardWorld)
		if !tt.leaves && after != before {
			is, was := strings.Split(after, ","), strings.Split(before, ",")
			for i := range min(len(is), len(was)) {
				if is[i] != was[i] {
					t.Errorf("is   %s\nwant %s", is[i], was[i])
				}
			}
			t.Fatalf("%s, mended, is not what it was: %d parts, not %d", tt.what, len(is), len(was))
		}
		before = after
		w.Holds("grace", "all", "1 locked")
	}
}
