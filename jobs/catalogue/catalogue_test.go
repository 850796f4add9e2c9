package catalogue_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs/catalogue"
	"laurel/jobs/fakesite"
	"laurel/jobs/jobstest"
	"laurel/jobs/sites"
	"laurel/jobs/standin"
	"laurel/models/modelstest"
)

// A world is lists that are read over HTTP.
type world struct {
	catalogue.Jobs
	t   *testing.T
	now time.Time
	mu  sync.Mutex
	log []string // What was asked for, and the status.
}

func newWorld(t *testing.T, now time.Time, outside http.Handler) *world {
	t.Helper()
	w := &world{t: t, now: now}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		outside.ServeHTTP(rec, r)
		w.mu.Lock()
		w.log = append(w.log, r.URL.Path+" "+http.StatusText(rec.Code))
		w.mu.Unlock()
		for key, values := range rec.Header() {
			rw.Header()[key] = values
		}
		rw.WriteHeader(rec.Code)
		_, _ = rw.Write(rec.Body.Bytes())
	}))
	t.Cleanup(server.Close)
	db := modelstest.Open(t)
	began := time.Now()
	clock := func() time.Time { return w.now.Add(time.Since(began)) } // It passes, for gaps end by it.
	w.Jobs = catalogue.Jobs{DB: db, Now: clock, Log: slog.New(slog.DiscardHandler), Client: jobstest.NewClient(db, clock, server.URL), Rate: 1}
	return w
}

// reads reads the lists of a site that are due, and returns what was asked for.
func (w *world) reads(name string) string {
	w.t.Helper()
	site, _ := sites.ByName(name)
	w.log = nil
	if err := w.Read(w.t.Context(), site, site.(sites.Cataloguer)); err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(w.log, ", ")
}

func (w *world) count(query string, args ...any) int {
	w.t.Helper()
	return jobstest.Count(w.t, w.DB, query, args...)
}

func (w *world) member(name, site string) {
	w.t.Helper()
	modelstest.Member(w.t, w.DB.DB, name, map[string]string{site: name}, w.now)
}

// Over HTTP, from the stand-in: once a day, and only what has changed.
func TestListsOfTheStandIn(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 3, 0, 0, 0, time.UTC) // Contests are far.
	var w *world
	outside := standin.New(standin.Options{Seed: 3, People: 3, Now: func() time.Time { return w.now }})
	w = newWorld(t, start, outside)
	if got := w.reads("codeforces"); got != "" {
		t.Errorf("for nobody: %s", got)
	}
	w.member("ada", "codeforces")
	w.member("bob", "atcoder")
	if got, want := w.reads("codeforces"), "/api/contest.list OK, /api/problemset.problems OK"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	const listed = `SELECT count(*) FROM problems WHERE site = 'codeforces' AND listed_at >= ? AND name <> '' AND tags <> '{}'`
	n := w.count(listed, start)
	rated := w.count(`SELECT count(*) FROM problems WHERE site = 'codeforces' AND difficulty IS NOT NULL AND difficulty_source = 'codeforces'`)
	if n < 1000 || n-rated != 6 || w.count(`SELECT count(*) FROM contest_problems l JOIN contests c ON c.id = l.contest_id AND c.starts_at < ?`, start) != n {
		t.Errorf("%d problems, %d rated", n, rated)
	}
	if coming := w.count(`SELECT count(*) FROM contests WHERE starts_at > ?`, start); coming != 3 {
		t.Errorf("%d contests to come, want 3", coming)
	}
	w.reads("atcoder")
	if bad := w.count(`SELECT count(*) FROM problems WHERE site = 'atcoder' AND (difficulty < 0 OR listed_at IS NULL OR name = '')`); bad != 0 {
		t.Errorf("%d problems of AtCoder below zero, or without a name", bad)
	}
	if null, guessed := w.count(`SELECT count(*) FROM problems WHERE site = 'atcoder' AND difficulty IS NULL`), w.count(`SELECT count(*) FROM problems WHERE experimental`); null < 10 || guessed < 100 {
		t.Errorf("%d not rated, %d guessed", null, guessed)
	}
	if past, coming := w.count(`SELECT count(*) FROM contests WHERE site = 'atcoder' AND ends_at <= ?`, start), w.count(`SELECT count(*) FROM contests WHERE site = 'atcoder' AND starts_at > ? AND retired_at IS NULL`, start); past < 300 || coming != 4 {
		t.Errorf("%d past, %d to come, want 4", past, coming)
	}
	if got := w.reads("atcoder") + w.reads("codeforces"); got != "" {
		t.Errorf("read again at once: %s", got)
	}
	w.now = w.now.Add(24 * time.Hour)
	if got := w.reads("codeforces"); !strings.Contains(got, "/api/problemset.problems Not Modified") {
		t.Errorf("after a day: %s", got)
	}
	if bad := w.count(`SELECT count(*) FROM site_lists WHERE outcome NOT IN ('ok', '') OR lease_id <> ''`); bad != 0 {
		t.Errorf("%d lists went wrong", bad)
	}
}

// Lists that come page by page are read whole: levels and topics of LeetCode, ratings of CodeChef.
func TestListsOfPages(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 3, 0, 0, 0, time.UTC)
	var w *world
	w = newWorld(t, start, standin.New(standin.Options{Seed: 3, People: 3, Now: func() time.Time { return w.now }}))
	w.member("ada", "leetcode")
	w.member("bob", "codechef")
	w.reads("leetcode")
	w.reads("codechef")
	all := w.count(`SELECT count(*) FROM problems WHERE site = 'leetcode' AND listed_at IS NOT NULL`)
	levels := w.count(`SELECT count(*) FROM problems WHERE site = 'leetcode' AND tags && '{Easy,Medium,Hard}' AND difficulty_source = 'zerotrac'`)
	if contests := w.count(`SELECT count(*) FROM contests WHERE site = 'leetcode' AND ends_at <= ?`, start); all < 1000 || levels != all || 4*contests != all {
		t.Errorf("LeetCode: %d problems, %d with levels and ratings, %d contests", all, levels, contests)
	}
	all = w.count(`SELECT count(*) FROM problems WHERE site = 'codechef' AND listed_at IS NOT NULL`)
	if rated := w.count(`SELECT count(*) FROM problems WHERE site = 'codechef' AND difficulty BETWEEN 800 AND 2800`); all < 1000 || rated != all {
		t.Errorf("CodeChef: %d problems, %d rated", all, rated)
	}
}

// recordedOutside answers with the recorded catalogue.
func recordedOutside(t *testing.T) http.Handler {
	t.Helper()
	list := fakesite.Recorded(t, "catalogue/codeforces-contest.list-2023-07.js")
	files := map[string]string{
		"/api/problemset.problems":               fakesite.Recorded(t, "catalogue/codeforces-problemset.problems.json"),
		"/api/contest.list":                      `{"status":"OK","result":` + list[strings.Index(list, "["):strings.LastIndex(list, "]")+1] + `}`,
		"/atcoder/resources/problem-models.json": fakesite.Recorded(t, "catalogue/atcoder-problem-models.json"),
		"/atcoder/resources/problems.json":       fakesite.Recorded(t, "catalogue/atcoder-problems.json"),
		"/atcoder/resources/contests.json":       fakesite.Recorded(t, "catalogue/atcoder-contests.json"),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(body))
	})
}

// The recorded catalogue in the database: the manifest's numbers, and the right twins. 420C and 421D
// are one problem of a round of two divisions, which began four minutes apart. 515B and 516E have
// one name and began together, and are not; nor are the ten of contest 1639.
func TestRecordedCatalogue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), recordedOutside(t))
	w.member("ada", "codeforces")
	w.member("bob", "atcoder")
	// Members met the other keys of shared problems, which the catalogue lacks: 1628A Meximum Array.
	if err := w.DB.Exec(`
		WITH met AS (INSERT INTO problems (site, key, name, url, difficulty) VALUES ('codeforces', '1629C', 'Meximum Array', '', NULL),
			('codeforces', '1629X', 'Peculiar Movie Preferences', '', 800) RETURNING id)
		, round AS (INSERT INTO contests (site, key) VALUES ('codeforces', '1629') RETURNING id)
		INSERT INTO contest_problems (contest_id, problem_id) SELECT round.id, met.id FROM round, met`).Error; err != nil {
		t.Fatal(err)
	}
	w.reads("codeforces")
	w.reads("atcoder")
	for query, want := range map[string]int{
		`SELECT count(*) FROM problems WHERE site = 'codeforces' AND listed_at IS NOT NULL`:                                                     7579,
		`SELECT count(*) FROM problems WHERE site = 'codeforces' AND listed_at IS NOT NULL AND difficulty > 0`:                                  7387,
		`SELECT count(DISTINCT tag) FROM problems, unnest(tags) tag`:                                                                            37,
		`SELECT count(*) FROM contests WHERE site = 'codeforces'`:                                                                               1758,
		`SELECT count(*) FROM problems WHERE site = 'atcoder' AND difficulty IS NOT NULL`:                                                       4863 - 279,
		`SELECT count(*) FROM problems WHERE site = 'atcoder' AND experimental`:                                                                 514,
		`SELECT count(*) FROM contests WHERE site = 'atcoder'`:                                                                                  553,
		`SELECT count(*) FROM problems p JOIN problems c ON c.id = p.canonical_id WHERE c.key = '1628A' AND p.key = '1629C'`:                    1,
		`SELECT count(*) FROM problems p JOIN problems c ON c.id = p.canonical_id WHERE (c.key, p.key) IN (('420C', '421D'), ('421D', '420C'))`: 1,
		`SELECT count(*) FROM problems WHERE canonical_id IS NOT NULL`:                                                                          2,
		`SELECT count(*) FROM problems WHERE site = 'codeforces' AND NOT matched`:                                                               0,
		`SELECT count(*) FROM site_alarms`:                                                                                                      0,
	} {
		if got := w.count(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	changes := `SELECT count(*) FROM problems WHERE xmin::text::bigint >= ?`
	var before int
	if err := w.DB.Raw(`SELECT txid_current()`).Scan(&before).Error; err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(25 * time.Hour)
	w.reads("codeforces")
	if n := w.count(changes, before); n != 0 {
		t.Errorf("%d rows were written for a catalogue that is the same", n)
	}
}

// A list that lost more than a tenth is refused and alarmed; what a list lacks retires, and comes
// back; one that stays short is believed after two weeks.
func TestShrunkCatalogue(t *testing.T) {
	t.Parallel()
	n := 100
	w := newWorld(t, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var rows []string
		for i := range n {
			rows = append(rows, `{"contestId":`+string(rune('1'+i%9))+`,"index":"A`+strings.Repeat("X", i/9)+`","name":"P","tags":[]}`)
		}
		_, _ = w.Write([]byte(`{"status":"OK","result":{"problems":[` + strings.Join(rows, ",") + `]}}`))
	}))
	w.member("ada", "codeforces")
	for _, tt := range []struct {
		n, listed, retired, alarms, days int
		outcome                          string
	}{
		{100, 100, 0, 0, 0, "ok"}, {91, 91, 9, 0, 1, "ok"}, {100, 100, 0, 0, 1, "ok"}, {89, 100, 0, 1, 1, "parse_error"}, {10, 100, 0, 1, 1, "parse_error"},
		{95, 95, 5, 0, 1, "ok"}, {20, 95, 5, 1, 1, "parse_error"}, {20, 95, 5, 1, 13, "parse_error"}, {20, 20, 80, 0, 2, "ok"},
	} {
		n, w.now = tt.n, w.now.Add(time.Duration(tt.days)*25*time.Hour)
		w.reads("codeforces")
		listed, retired := w.count(`SELECT count(*) FROM problems WHERE retired_at IS NULL`), w.count(`SELECT count(*) FROM problems WHERE retired_at IS NOT NULL`)
		alarms := w.count(`SELECT count(*) FROM site_alarms WHERE kind = 'catalogue' AND closed_at IS NULL AND subject = 'problems'`)
		ok := w.count(`SELECT count(*) FROM site_lists WHERE name = 'problems' AND outcome = ?`, tt.outcome)
		if listed != tt.listed || retired != tt.retired || alarms != tt.alarms || ok != 1 {
			t.Errorf("%+v: %d listed, %d retired, %d alarms, outcome %d", tt, listed, retired, alarms, ok)
		}
	}
}
