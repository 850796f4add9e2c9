package bench_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"laurel/jobs/bench"
	"laurel/models/awards"
	pg "laurel/models/db"
	"laurel/models/modelstest"
	"laurel/models/submissions"
)

// submissionBytes are the tables that grow with submissions, by what they are for.
var submissionBytes = map[string][]string{
	"submission": {"submissions"}, "ledger": {"items"}, "bus": {"events"},
	"counters and log": {"objective_cells", "objective_counters", "award_log", "award_pending", "user_awards"},
}

// BenchmarkBytesPerSubmission prints how many bytes a submission takes beside itself, with no award and with ten that
// count it.
func BenchmarkBytesPerSubmission(b *testing.B) {
	if os.Getenv("LAUREL_BENCH") == "" {
		b.Skip("make bench")
	}
	for _, n := range []int{0, 10} {
		db, now := modelstest.DB(b), modelstest.Noon
		for i := range n {
			runAward(b, db, strings.Replace(tenAward, "NAME", fmt.Sprint("award-", i), 1), now)
		}
		const members, each = 40, 500
		ok(b, db.Exec(`INSERT INTO problems (site, key, name, url) SELECT 'codeforces', n || 'A', 'Watermelon and pie', '' FROM generate_series(1, 400) n`).Error)
		for i := range members {
			m := modelstest.Member(b, db, fmt.Sprint("m", i), map[string]string{"codeforces": fmt.Sprint("handle", i)}, now)
			var ids string
			ok(b, db.Raw(`
				WITH stored AS (
					INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
					SELECT a.id, a.member_id, a.site, CAST(280000000 + a.id * 100000 + n AS text), 1 + n % 400, CASE WHEN n % 2 = 0 THEN 'AC' ELSE 'WA' END,
						'OK', 'GNU C++20', CAST(@now AS timestamptz) - n * interval '1 hour',
						'https://codeforces.com/contest/' || n || '/submission/' || 280000000 + n, @now
					FROM accounts a, generate_series(1, @each) n WHERE a.member_id = @member RETURNING id)
				SELECT CAST(json_agg(id) AS text) FROM stored`, pg.Named("now", now, "each", each, "member", m.ID)).Scan(&ids).Error)
			ok(b, submissions.EmitSubmissions(b.Context(), db, m.ID, ids, now))
		}
		ruleset := new(awards.Ruleset)
		for busy := true; busy; {
			applied, err := awards.Apply(b.Context(), db, ruleset, batch, now)
			ok(b, err)
			busy = applied > 0
		}
		sizes := map[string]float64{}
		for what, tables := range submissionBytes {
			var bytes float64
			ok(b, db.Raw(`
				WITH named AS (SELECT CAST(t AS regclass) AS id FROM unnest(CAST(@tables AS text[])) t)
				SELECT sum(pg_total_relation_size(id)) FROM (
					SELECT id FROM named UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent IN (SELECT id FROM named)) all_parts`,
				pg.Named("tables", &tables)).Scan(&bytes).Error)
			sizes[what] = bytes / members / each
		}
		setting := fmt.Sprintf("%d awards, %d submissions of %d members: submission %.0f, ledger %.0f, bus (kept 7 days) %.0f, counters and log %.0f",
			n, members*each, members, sizes["submission"], sizes["ledger"], sizes["bus"], sizes["counters and log"])
		bench.Ratio("bytes of a submission and its place in ledger and bus, against the submission alone",
			sizes["submission"]+sizes["ledger"]+sizes["bus"], sizes["submission"], "B", setting)
	}
}

// tenAward counts accepted problems.
const tenAward = `{"slug":"NAME","title":"Bench","objectives":[{"id":"solved","filters":[{"name":"SourceFilter","config":{"sources":["submissions"]}}],
	"rule":{"name":"UniqueByObjectRule"}}],"strategy":{"objective_id":"solved","goal":100}}`
