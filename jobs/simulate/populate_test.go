package simulate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	pg "laurel/models/db"
)

// here is for how many days the community has used the program when the simulation begins: by the seed's rule, delays count from then.
const here = 400

// trusted is for how long, in seconds, bulk checks stand for retrievals.
const trusted = 30 * 86400

// populate puts members in who were read until the simulation begins, with the delay
// that the seed's rule has brought them until then. Who is quiet was retrieved last some time ago:
// since then, bulk checks have stood for it.
func populate(t *testing.T, db *pg.DB, w *world) {
	t.Helper()
	start, rnd, spread := w.time(), rand.New(rand.NewPCG(7, 7)), rand.New(rand.NewPCG(8, 8))
	var handles []string
	var delays, dues, attempts []int64
	for i := range w.lives {
		handles = append(handles, fmt.Sprintf("m%d", i))
		delay, last := seedDelay(w.lives[i].at, -settling*86400, rnd)
		delays, dues = append(delays, int64(delay)), append(dues, last)
		attempts = append(attempts, last-spread.Int64N(trusted))
	}
	run := func(sql string, args ...any) {
		if err := db.WithContext(t.Context()).Exec(sql, args...).Error; err != nil {
			t.Fatal(err)
		}
	}
	run(`INSERT INTO members (name, display_name, time_zone, custom, created_at) SELECT h, h, 'UTC', true, ? FROM unnest(CAST(? AS text[])) h`, start, &handles)
	run(`WITH given AS (
			SELECT m.id AS member_id, handle, delay, at, attempt FROM (SELECT handle, delay, CAST(? AS timestamptz) + make_interval(secs => last) AS at, CAST(? AS timestamptz) + make_interval(secs => attempted) AS attempt
			FROM unnest(CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[])) AS g(handle, delay, last, attempted)) g
			JOIN members m ON m.name = g.handle),
		created AS (INSERT INTO accounts (member_id, site, handle, created_at) SELECT member_id, ?, handle, ? FROM given RETURNING id, site, member_id),
		schedule AS (
			INSERT INTO account_schedule (account_id, site, state, outcome, delay, last_retrieved_at, last_attempt_at, due_at)
			SELECT id, site, 'active', 'ok', delay, at, attempt, at + make_interval(days => CAST(least(14, delay / 5 + 1) AS integer)) FROM created JOIN given USING (member_id)),
		coverage AS (
			INSERT INTO account_coverage (account_id, complete_until, ratings_at, profile_at) SELECT id, at, at, at FROM created JOIN given USING (member_id))
		INSERT INTO account_stats (account_id) SELECT id FROM created`, begin, begin, &handles, &delays, &dues, &attempts, w.info.Name, start.AddDate(0, 0, -here))
	run(`INSERT INTO problems (site, key, name, url) VALUES (?, '1', '', '')`, w.info.Name)
	for part := range slices.Chunk(handles, 500) {
		history(run, w, part)
	}
	run(`WITH sums AS (SELECT account_id, max(submitted_at) AS at, count(*) AS n FROM submissions GROUP BY account_id),
		coverage AS (UPDATE account_coverage c SET covered_at = s.at - CAST(? AS interval) FROM sums s WHERE c.account_id = s.account_id)
		UPDATE account_stats t SET newest_at = s.at, submissions = s.n FROM sums s WHERE t.account_id = s.account_id`,
		fmt.Sprintf("%d seconds", int(w.info.Overlap.Seconds())))
	run(`ANALYZE`)
}

// history is what is known of some when the simulation begins.
func history(run func(string, ...any), w *world, handles []string) {
	const known = -settling*86400 - 86400
	var who, ids []string
	var at []int64
	for _, h := range handles {
		l := w.life(h)
		for i := range until(l.at, known) {
			who, ids, at = append(who, h), append(ids, fmt.Sprintf("%s-%d", h, i)), append(at, l.at[i])
		}
	}
	const given = `unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[])) AS g(handle, id, at)`
	run(`INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
		SELECT a.id, a.member_id, a.site, g.id, p.id, 'AC', 'OK', 'C', CAST(? AS timestamptz) + make_interval(secs => g.at), '', ?
		FROM `+given+` JOIN account_details a ON a.handle = g.handle JOIN problems p ON p.site = a.site`,
		begin, begin.AddDate(-2, 0, 0), &who, &ids, &at)
}

// seedDelay is the delay that the seed's rule has brought somebody by t, and when
// the last retrieval was.
func seedDelay(at []int64, t int64, rnd *rand.Rand) (delay int, last int64) {
	retrieved := t - here*86400 + rnd.Int64N(86400)
	for n := until(at, retrieved); retrieved < t; {
		m := until(at, retrieved)
		if delay++; m > n {
			delay = 0
		}
		n, last = m, retrieved
		retrieved += int64(delay/5+1) * 86400
	}
	return delay, last
}
