package pushes_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"
	"pgregory.net/rapid"

	"laurel/models/members"
	"laurel/models/modelstest"
	"laurel/models/pushes"
	"laurel/models/submissions"
)

var noon = modelstest.Noon

// declared are the sites of these tests: arena is an outside one, uva is read.
func declared(t testing.TB, db *gorm.DB) []members.Site {
	t.Helper()
	builtIn := []members.Site{{Name: "uva", Title: "UVa", Handle: regexp.MustCompile(`^[a-z]+$`), Hint: "letters"}}
	site := members.DeclaredSite{Name: "arena", Title: "Arena", Home: "https://arena.example"}
	if _, err := members.DeclareSite(t.Context(), db, &site, noon); err != nil {
		t.Fatal(err)
	}
	all, err := members.AllSites(t.Context(), db, builtIn, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// bring pushes lines of JSON.
func bring(t testing.TB, db *gorm.DB, m members.Member, sites []members.Site, lines []string, now time.Time) pushes.Result {
	t.Helper()
	p := pushes.Push{MemberID: m.ID, Sites: sites}
	var unread []pushes.Rejected
	for i, l := range lines {
		row, err := pushes.ParseLine([]byte(l), sites, now)
		if err != nil {
			unread = append(unread, pushes.Rejected{Line: i + 1, Error: err.Error()})
			continue
		}
		row.Line = i + 1
		p.Rows = append(p.Rows, row)
	}
	r, err := pushes.Store(t.Context(), db, p, now)
	if err != nil {
		t.Fatal(err)
	}
	return r.With(unread)
}

// A sent submission is what the property test draws: what is equal in all is the same row.
type sent struct {
	id, problem, status string
	hour                int // Before noon.
}

func (s sent) line() string {
	return fmt.Sprintf(`{"site":"arena","id":%q,"problem":{"key":%q},"status":%q,"submitted_at":%q}`, s.id, s.problem, s.status,
		noon.Add(-time.Duration(s.hour)*time.Hour).Format(time.RFC3339))
}

// Whatever is pushed in whatever order, the rows are those of a map by id, and every line is
// counted once.
func TestPushesAreAMap(t *testing.T) {
	tx := modelstest.Tx(t)
	sites, n := declared(t, tx), 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		ada := modelstest.Member(t, tx, fmt.Sprint("ada", n), nil, noon)
		want := map[string]sent{}
		draw := rapid.Custom(func(r *rapid.T) sent {
			return sent{rapid.SampledFrom([]string{"1", "2", "3", "4", "x"}).Draw(r, "id"), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "problem"),
				rapid.SampledFrom([]string{"AC", "WA", "PENDING", "Accepted"}).Draw(r, "status"), rapid.IntRange(-2, 60).Draw(r, "hour")}
		})
		for _, batch := range rapid.SliceOfN(rapid.SliceOfN(draw, 1, 8), 1, 4).Draw(r, "pushes") {
			var lines []string
			final, last := map[string]sent{}, map[string]int{}
			good, bad := 0, 0
			for i, s := range batch {
				lines = append(lines, s.line())
				if s.status == "Accepted" || s.hour < 0 {
					bad++
					continue
				}
				good++
				final[s.id], last[s.id] = s, i
			}
			accepted, changed := 0, 0
			for id, s := range final {
				switch was, there := want[id]; {
				case !there:
					accepted++
				case was != s:
					changed++
				}
				want[id] = s
			}
			got := bring(t, tx, ada, sites, lines, noon)
			if got.Accepted != accepted || got.Changed != changed || got.Duplicate != good-accepted-changed || len(got.Rejected) != bad {
				r.Fatalf("%+v, want %d accepted, %d changed, %d rejected of\n%s", got, accepted, changed, bad, strings.Join(lines, "\n"))
			}
			again := bring(t, tx, ada, sites, slices.Collect(maps.Values(linesOf(final))), noon.Add(time.Minute))
			if again.Accepted+again.Changed+len(again.Rejected) != 0 || again.Duplicate != len(final) {
				r.Fatalf("again: %+v", again)
			}
		}
		checkRows(t, r, tx, ada, want)
	})
}

func linesOf(rows map[string]sent) map[string]string {
	lines := map[string]string{}
	for id, s := range rows {
		lines[id] = s.line()
	}
	return lines
}

// checkRows compares rows and sums with a map.
func checkRows(t testing.TB, r *rapid.T, tx *gorm.DB, m members.Member, want map[string]sent) {
	stored := modelstest.Stored(t, tx, m.ID)
	solved, days := map[string]bool{}, map[string]int{}
	for id, s := range want {
		row := stored[id]
		at := noon.Add(-time.Duration(s.hour) * time.Hour)
		if row.Status != s.status || row.ProblemKey != s.problem || !row.SubmittedAt.Equal(at) || row.Source != "member" {
			r.Fatalf("stored %+v, want %+v", row, s)
		}
		if s.status == "AC" {
			solved[s.problem] = true
		}
		days[at.UTC().Format(time.DateOnly)]++
	}
	if len(stored) != len(want) {
		r.Fatalf("%d rows, want %d", len(stored), len(want))
	}
	if len(want) == 0 {
		return
	}
	p := modelstest.Profile(t, tx, m.Name)
	if p.Stats.Submissions != len(want) || p.Stats.Solved != len(solved) || len(p.Days) != len(days) {
		r.Fatalf("%d submissions, %d solved on %d days, want %d, %d, %d", p.Stats.Submissions, p.Stats.Solved, len(p.Days), len(want), len(solved), len(days))
	}
	for _, d := range p.Days {
		if days[d.Day.Format(time.DateOnly)] != d.Submissions {
			r.Fatalf("%s: %d submissions, want %d", d.Day.Format(time.DateOnly), d.Submissions, days[d.Day.Format(time.DateOnly)])
		}
	}
}

// As many lines as a push may have are stored, told apart and changed within the time of a request,
// also while the database has counted the rows of others only.
func TestTheLargestPushTwice(t *testing.T) {
	t.Parallel()
	tx := modelstest.Tx(t)
	others := pushes.Push{MemberID: modelstest.Member(t, tx, "bob", map[string]string{"uva": "bob"}, noon).ID, Sites: declared(t, tx)}
	for i := range 3000 {
		others.Rows = append(others.Rows, pushes.Row{Site: "uva", Line: i + 1, Found: submissions.Found{
			ID: fmt.Sprint(i), ProblemKey: fmt.Sprint("p", i), Contest: fmt.Sprint("c", i), Status: "AC", At: noon.Add(-time.Duration(i) * time.Hour)}})
	}
	if r, err := pushes.Store(t.Context(), tx, others, noon); err != nil || r.Accepted != 3000 {
		t.Fatal(r.Accepted, err)
	}
	if err := tx.Exec(`ANALYZE submissions, problems, contests, contest_problems`).Error; err != nil {
		t.Fatal(err)
	}
	p := pushes.Push{MemberID: modelstest.Member(t, tx, "ada", nil, noon).ID, Sites: others.Sites}
	for i := range pushes.MaxRows {
		p.Rows = append(p.Rows, pushes.Row{Site: "arena", Line: i + 1, Found: submissions.Found{
			ID: fmt.Sprint(i), ProblemKey: fmt.Sprint("p", i), Contest: fmt.Sprint("c", i%3000), Status: "AC", At: noon.Add(-time.Duration(i) * time.Hour)}})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // web.maxRequest
	defer cancel()
	for _, want := range []string{"10000 0 0", "0 10000 0", "0 9999 1"} {
		r, err := pushes.Store(ctx, tx, p, noon.Add(time.Minute))
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if got := fmt.Sprint(r.Accepted, r.Duplicate, r.Changed); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if r.Duplicate == len(p.Rows) {
			p.Rows[7].Status = "WA"
		}
	}
}

// Whoever pushes the same lines at once stores each of them once.
func TestPushesAtOnce(t *testing.T) {
	t.Parallel()
	db := modelstest.DB(t)
	sites := declared(t, db)
	ada := modelstest.Member(t, db, "ada", nil, noon)
	var lines []string
	for i := range 300 {
		lines = append(lines, sent{fmt.Sprint(i), fmt.Sprint("p", i%40), "AC", i % 70}.line())
	}
	backwards := slices.Clone(lines)
	slices.Reverse(backwards)
	results := make([]pushes.Result, 6)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			mine := lines
			if i%2 == 1 {
				mine = backwards
			}
			results[i] = bring(t, db, ada, sites, mine, noon)
		})
	}
	wg.Wait()
	accepted, duplicate := 0, 0
	for _, r := range results {
		accepted, duplicate = accepted+r.Accepted, duplicate+r.Duplicate
		if r.Changed+len(r.Rejected) > 0 {
			t.Errorf("%+v", r)
		}
	}
	if rows := modelstest.Stored(t, db, ada.ID); accepted != 300 || duplicate != 1500 || len(rows) != 300 {
		t.Errorf("%d accepted, %d duplicate, %d rows, want 300, 1500, 300", accepted, duplicate, len(rows))
	}
	if p := modelstest.Profile(t, db, "ada"); p.Stats.Submissions != 300 || p.Stats.Solved != 40 || len(p.Accounts) != 1 {
		t.Errorf("%+v with %d accounts", p.Stats, len(p.Accounts))
	}
}
