package sites

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/jobs/standin"
)

var variedSeed = flag.Int64("varied", 0, "the seed of TestVariedPages; 0: of today")

// Readers must not notice what a site may vary, and must not guess where a row lacks something:
// every row that is listed is read as it is, or is unread.
func TestVariedPages(t *testing.T) {
	pages, seed := 60, *variedSeed
	if os.Getenv("LAUREL_SOAK") != "" {
		pages = 10_000
	}
	if seed == 0 {
		seed = time.Now().Unix() / 86400
	}
	for _, s := range []Site{hackerearth{}, spoj{}, hackerrank{}, codechef{}, timus{}, Specimens()[0]} {
		t.Run(s.Info().Name, func(t *testing.T) {
			v := varied{site: s}
			for i := int64(0); (v.pages < pages || i < 3) && !t.Failed(); i++ { // Every third world has no odd rows.
				v.world(t, seed+i*1000)
			}
			t.Logf("from seed %d: %d pages, %d rows read, %d not", seed, v.pages, v.rows, v.unread)
			if v.rows == 0 || v.unread == 0 || v.unread*4 > v.rows {
				t.Errorf("%d rows were read, %d not", v.rows, v.unread)
			}
		})
	}
}

type varied struct {
	site                Site
	pages, rows, unread int
}

// world reads everybody of a world.
func (v *varied) world(t *testing.T, seed int64) {
	now := time.Date(2026, 3, 1, 7, 30, 11, 0, time.UTC).Add(time.Duration(seed%4999) * 7777 * time.Second)
	name := v.site.Info().Name
	w := &world{Server: standin.New(standin.Options{Seed: seed, People: 6, Begin: now.AddDate(0, -2, 0), Start: now.AddDate(0, -1, 0),
		Odd: int(seed%3) * 30, Ago: seed%2 == 0, AgoDays: seed%4 == 0, Now: func() time.Time { return now }})}
	for _, person := range w.People() {
		if handle := person.Handles[name]; handle != "" {
			got, err := allPages(v.site.Submissions(t.Context(), w, Account{Handle: handle, Now: func() time.Time { return now }}))
			if err != nil {
				t.Errorf("seed %d, %s: %v", seed, handle, err)
				continue
			}
			v.rows, v.unread = v.rows+len(got.Rows), v.unread+len(got.Unread)
			if seed%3 == 0 && len(got.Unread) > 0 {
				t.Errorf("seed %d, %s: no row is odd, and %d are unread, such as %+v", seed, handle, len(got.Unread), got.Unread[0])
			}
			v.compare(t, fmt.Sprintf("seed %d, %s", seed, handle), got, w.Listed(name, handle))
		}
	}
	v.pages += len(w.Log())
}

// compare compares what was read with what is listed.
func (v *varied) compare(t *testing.T, of string, got ListPage, listed []standin.Submission) {
	left := slices.Clone(listed)
	for _, s := range got.Rows {
		wantSound(t, s)
		i := slices.IndexFunc(left, func(x standin.Submission) bool { return x.ID == s.ID })
		if i < 0 { // Without a number it must be one of those that are equal to it.
			i = slices.IndexFunc(left, func(x standin.Submission) bool {
				return s.Formerly != "" && s.ID == s.Formerly && v.wrong(s, x) == ""
			})
		}
		if i < 0 {
			t.Errorf("%s: no such row is listed: %+v", of, s)
			continue
		}
		if why := v.wrong(s, left[i]); why != "" {
			t.Errorf("%s: %s:\n got %+v\nwant %+v", of, why, s, left[i])
		}
		left = slices.Delete(left, i, i+1)
	}
	unread := len(got.Unread)
	for _, x := range left { // Held back until its time is shown.
		if !got.Withheld.IsZero() && !x.At.Before(got.Withheld) {
			unread++
		}
	}
	if len(left) > unread {
		t.Errorf("%s: %d of %d rows are neither read nor unread, such as %+v", of, len(left)-unread, len(listed), left[0])
	}
}

// variedStatuses are what verdicts mean, by what they begin with.
var variedStatuses = []struct{ word, status string }{
	{"accepted", "AC PS"}, {"84.5", "AC PS"}, {"partially", PS}, {"wrong", WA}, {"time limit", TLE}, {"memory limit", MLE}, {"runtime", RE},
	{"compilation", CE}, {"running", Pending}, {"in queue", Pending}, {"rejected", OTH}, {"internal", OTH}, {"output limit", OTH}, {"restricted", OTH},
	{"ac", AC}, {"wa", WA}, {"tle", TLE}, {"mle", MLE}, {"rte", RE}, {"ir", RE}, {"ce", CE}, {"ole", OTH}, {"ie", OTH}, {"", Pending},
}

// wrong says what is wrong with a row; an empty text is not.
func (v *varied) wrong(s Submission, x standin.Submission) string {
	off := s.At.Sub(x.At).Abs()
	said := strings.ToLower(x.Verdict)
	i := slices.IndexFunc(variedStatuses, func(v struct{ word, status string }) bool { return strings.HasPrefix(said, v.word) })
	switch {
	case off > s.Off+time.Minute || !s.About && off != 0:
		return "another time"
	case s.Problem.Key != x.Problem:
		return "another problem"
	case s.Verdict != "" && s.Verdict != x.Verdict:
		return "another verdict"
	case s.Language != "" && s.Language != x.Language:
		return "another language"
	case i < 0:
		return "a verdict that the test does not know"
	case !strings.Contains(variedStatuses[i].status, s.Status):
		return "another status"
	}
	return ""
}
