package bench_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gorm.io/gorm"

	"laurel/jobs/bench"
	"laurel/models/awards"
	"laurel/models/modelstest"
)

const (
	cycleAwards  = 20
	cycleChanged = 1000
	cyclePasses  = 9
)

// BenchmarkAwardsCycle prints what it takes to bring 1,000 awards that changed up
// to their counters, at a million and at ten million awards of members, and what
// the seed's query takes to find them in the same tables.
func BenchmarkAwardsCycle(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	db := modelstest.DB(b)
	scheme := new(awards.Ruleset)
	for n := range cycleAwards {
		runAward(b, db, fmt.Sprintf(`{"slug":"a%d","title":"A","objectives":[{"id":"o","filters":[{"name":"SourceFilter","config":{"sources":["s"]}}],"rule":{"name":"CountRule"}}],
			"strategy":{"objective_id":"o","goal":1000000}}`, n), modelstest.Noon)
	}
	small, large := cycle(b, db, scheme, 50_000), cycle(b, db, scheme, 500_000)
	bench.Ratio("whole cycle of 1,000 changed, 10 M against 1 M awards", large.whole, small.whole, "core-ms", "growth, at most 1.5")
	bench.Ratio("finding 1,000 changed, 10 M against 1 M awards", large.find, small.find, "core-ms", "growth, at most 1.5")
	bench.Ratio("finding 1,000 changed of 10 M, the seed's join against it", large.seed, large.find, "core-ms", "at least 1,000")
	bench.Ratio("the seed's join at 10 M against our whole cycle", large.seed, large.whole, "core-ms", "the join finds only; ours also reckons, writes and grants")
	bench.Ratio("awards reckoned a minute at 10 M, against the seed's", 60*cycleChanged/large.whole*1000, 1000, "a core-min", "\"less than a thousand\"")
}

// A cycleCost is in milliseconds of processor time.
type cycleCost struct{ find, whole, seed float64 }

// cycle fills the tables up to so many members with all awards each, and measures
// taking 1,000 changed ones out of the queue, all of a cycle, and the seed's query.
func cycle(b *testing.B, db *gorm.DB, scheme *awards.Ruleset, members int) (cost cycleCost) {
	b.Helper()
	args := map[string]any{"n": members, "now": modelstest.Noon, "changed": cycleChanged}
	for _, stmt := range []string{
		`INSERT INTO members (name, display_name, created_at) SELECT 'm' || n, '', @now FROM generate_series((SELECT count(*) FROM members) + 1, @n) n`,
		`INSERT INTO objective_counters (objective_id, member_id, period, status, amount) SELECT o.id, m.id, '', 'active', 5000000 FROM members m, objectives o
			WHERE m.id > (SELECT coalesce(max(member_id), 0) FROM objective_counters) ORDER BY m.id, o.id`,
		`INSERT INTO user_awards (award_id, member_id, period, progress, goal, level, started, version, updated_at)
			SELECT o.award_id, c.member_id, '', 5, 1000000, 0, true, c.version, @now FROM objective_counters c JOIN objectives o ON o.id = c.objective_id
			WHERE c.member_id > (SELECT coalesce(max(member_id), 0) FROM user_awards) ORDER BY c.member_id, o.award_id`,
		`VACUUM ANALYZE objective_counters, user_awards, members, award_pending`,
	} {
		if !strings.Contains(stmt, "@") {
			ok(b, db.Exec(stmt).Error)
			continue
		}
		ok(b, db.Exec(stmt, args).Error)
	}
	change := func() {
		ok(b, db.Exec(`
			WITH picked AS (SELECT 1 + CAST(random() * (@n - 1) AS bigint) AS member_id, 1 + n % 20 AS objective_id FROM generate_series(1, @changed) n),
			changed AS (
				UPDATE objective_counters c SET amount = amount + 1000000, version = nextval('award_clock') FROM picked p
				WHERE c.member_id = p.member_id AND c.objective_id = p.objective_id RETURNING c.member_id, c.objective_id)
			INSERT INTO award_pending (award_id, member_id, period) SELECT o.award_id, c.member_id, '' FROM changed c JOIN objectives o ON o.id = c.objective_id`, args).Error)
	}
	for range cyclePasses {
		change()
		cost.find += 1000 * finding(b, db) / cyclePasses
		clock := newCoreClock(b, db)
		n, err := awards.Evaluate(b.Context(), db, scheme, cycleChanged, modelstest.Noon)
		if ok(b, err); n < cycleChanged*9/10 {
			b.Fatalf("%d of the queue were reckoned", n)
		}
		cost.whole += 1000 * clock.lap() / cyclePasses
	}
	change()
	ok(b, db.Exec(`SET max_parallel_workers_per_gather = 0`).Error)
	clock := newCoreClock(b, db)
	var found int
	ok(b, db.Raw(`
		SELECT count(*) FROM objective_counters c JOIN objectives o ON o.id = c.objective_id
		LEFT JOIN user_awards u ON u.member_id = c.member_id AND u.award_id = o.award_id AND u.period = c.period
		WHERE u.member_id IS NULL OR u.version < c.version`).Scan(&found).Error)
	if cost.seed = 1000 * clock.lap(); found < cycleChanged*9/10 {
		b.Fatalf("the seed's query found %d", found)
	}
	_, err := awards.Evaluate(b.Context(), db, scheme, 2*cycleChanged, modelstest.Noon)
	ok(b, err)
	return cost
}

// finding takes what changed out of the queue, as the worker does, many times over
// because once is below what a processor's clock can tell, and puts it back.
func finding(b *testing.B, db *gorm.DB) float64 {
	b.Helper()
	const times = 10
	clock := newCoreClock(b, db)
	for range times {
		tx := db.Begin()
		ok(b, tx.Exec(`DELETE FROM award_pending WHERE id IN (SELECT id FROM award_pending ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING award_id, member_id, period`, cycleChanged).Error)
		ok(b, tx.Rollback().Error)
	}
	return clock.lap() / times
}
