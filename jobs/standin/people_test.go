package standin

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// at makes a world whose clock does not move.
func at(now time.Time, o Options) *Server {
	o.Now, o.Plain = func() time.Time { return now }, true // These tests look for texts in answers.
	return New(o)
}

// ask returns the answer without a network between.
func ask(t testing.TB, s *Server, address string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	return w.Code, w.Body.String()
}

// A restart is another server with the same seed: every byte is the same. With
// another seed it is not.
func TestSameSeedSameBytes(t *testing.T) {
	now := start.AddDate(0, 2, 3)
	one, two, other := at(now, Options{Seed: 7, People: 9}), at(now, Options{Seed: 7, People: 9}), at(now, Options{Seed: 8, People: 9})
	differ := false
	for _, p := range one.People() {
		for _, a := range addresses(p) {
			_, first := ask(t, one, a)
			if _, again := ask(t, two, a); again != first {
				t.Errorf("%s: two servers with one seed differ", a)
			}
			_, changed := ask(t, other, a)
			differ = differ || changed != first
		}
	}
	if !differ {
		t.Error("two seeds make the same world")
	}
}

// Time that passes adds rows, and what was there keeps its id, time and problem.
func TestTimePassing(t *testing.T) {
	grown := 0
	before, after := at(start, Options{}), at(start.AddDate(0, 1, 0), Options{})
	for _, p := range before.People() {
		for site, handle := range p.Handles {
			old, more := before.Submissions(site, handle), map[string]Submission{}
			for _, x := range after.Submissions(site, handle) {
				if _, twice := more[x.ID]; twice {
					t.Fatalf("%s %s: id %s twice", site, handle, x.ID)
				}
				more[x.ID] = x
			}
			for _, x := range old {
				y := more[x.ID]
				y.Verdict, x.Verdict = "", "" // It may have been judged since.
				y.Unnumbered, x.Unnumbered = false, false
				if x != y {
					t.Fatalf("%s %s: %+v became %+v", site, handle, x, y)
				}
			}
			grown += len(more) - len(old)
		}
	}
	if grown < 500 {
		t.Errorf("24 people made %d submissions in a month, want some hundreds", grown)
	}
}

// Ids are unique within a site, and rise with time for every person.
func TestIDs(t *testing.T) {
	s := at(start, Options{People: 12})
	for _, x := range sites.All() {
		taken := map[int64]bool{}
		for _, p := range s.people {
			rows := s.rows(p, x.name(), start.Unix())
			for i, r := range rows {
				if taken[r.id] || i > 0 && (r.id <= rows[i-1].id || r.at < rows[i-1].at) {
					t.Fatalf("%s: row %d of person %d has id %d at %d, after %+v", x.name(), i, p.Index, r.id, r.at, rows[max(i-1, 0)])
				}
				taken[r.id] = true
			}
			newest := s.newest(p, x.name(), start.Unix(), len(rows)+1)
			slices.Reverse(newest)
			if !slices.Equal(newest, rows) {
				t.Errorf("%s: backwards person %d has other rows than forwards", x.name(), p.Index)
			}
		}
	}
}

// A test may count on the first people, by index.
func TestTraits(t *testing.T) {
	s := at(start, Options{})
	count := func(i int, site string) int { return len(s.Submissions(site, s.People()[i].Handles[site])) }
	if n := count(4, "codeforces"); n != 0 {
		t.Errorf("the new one has %d rows, want none", n)
	}
	if n := count(5, "codeforces"); n < 5000 {
		t.Errorf("the prolific one has %d rows, want thousands", n)
	}
	dormant := s.Submissions("codeforces", s.People()[3].Handles["codeforces"])
	if last := dormant[len(dormant)-1].At; start.Sub(last) < 2*365*24*time.Hour {
		t.Errorf("the dormant one was active at %s", last)
	}
	crowded := s.Submissions("atcoder", s.People()[6].Handles["atcoder"])
	for i := 497; i <= 502; i++ {
		if got, want := crowded[i].At, crowded[499].At; !got.Equal(want) {
			t.Errorf("row %d of the crowded one is at %s, want %s", i+1, got, want)
		}
	}
	if crowded[496].At.Equal(crowded[497].At) || crowded[503].At.Equal(crowded[502].At) {
		t.Error("the crowd is larger than rows 498 to 503")
	}
}

// sampleHandle is a sample by its name, or a number that nobody has.
var sampleHandle = regexp.MustCompile(`^(sample[A-Za-z0-9_. \-]{1,40}|3[0-9]{5})$`)

// Thousands of people have handles of their own, all marked as samples.
func TestThousands(t *testing.T) {
	s := at(start, Options{People: 3000})
	seen := map[string]bool{}
	for _, p := range s.People() {
		for _, site := range slices.Sorted(maps.Keys(p.Handles)) {
			handle := p.Handles[site]
			if key := site + " " + handle; seen[key] || !sampleHandle.MatchString(handle) {
				t.Fatalf("person %d: handle %q on %s is taken or not in order", p.Index, handle, site)
			} else {
				seen[key] = true
			}
		}
	}
	if len(s.People()) != 3000 || seen["codeforces "] {
		t.Errorf("%d people, want 3000", len(s.People()))
	}
}

// The cases are really found, and the story in the times is what the site tells.
func TestFind(t *testing.T) {
	s := at(start, Options{})
	for _, c := range []Case{Fresh, Hacked, Late} {
		site, p, x, ok := s.Find(c, start)
		if !ok {
			t.Fatalf("%s: none in 60 days", c)
		}
		said := func(now time.Time) string {
			for _, y := range s.SubmissionsAt(site, p.Handles[site], now) {
				if y.ID == x.ID {
					return "shown " + y.Verdict
				}
			}
			return "not shown"
		}
		if got := said(x.Seen.Add(-time.Second)); got != "not shown" {
			t.Errorf("%s: before it is seen: %s", c, got)
		}
		if got := said(x.Settled); got == "not shown" || got == "shown " || got == "shown WJ" {
			t.Errorf("%s: when judged: %s", c, got)
		}
		switch c {
		case Fresh:
			if got := said(x.Settled.Add(-time.Second)); got != "shown TESTING" {
				t.Errorf("%s: while judged: %s", c, got)
			}
		case Hacked:
			if got := said(x.Hacked.Add(-time.Second)); got != "shown OK" {
				t.Errorf("%s: before the hack: %s", c, got)
			}
			if got := said(x.Hacked); got != "shown CHALLENGED" || x.Hacked.Sub(x.At) > 24*time.Hour {
				t.Errorf("%s: after the hack at %s: %s", c, x.Hacked.Sub(x.At), got)
			}
		case Late:
			if x.Seen.Sub(x.At) < 2*time.Hour {
				t.Errorf("%s: shown after %s", c, x.Seen.Sub(x.At))
			}
		}
	}
}

func TestInstant(t *testing.T) {
	for days, want := range map[int]int{0: 20, 1: 21, 10: 30} {
		s := at(start.AddDate(0, 0, days).Add(-time.Second), Options{Instant: true, People: 10})
		for _, p := range s.People() {
			for site, handle := range p.Handles {
				if judgeNamed(site).lists != nil { // It does not list all rows.
					continue
				}
				if got := len(s.Submissions(site, handle)); got != want {
					t.Errorf("%s of person %d after %d days: %d rows, want %d", site, p.Index, days, got, want)
				}
			}
		}
	}
}
