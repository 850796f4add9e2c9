package harvest_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs"
	"laurel/jobs/fakesite"
	"laurel/jobs/harvest"
	"laurel/jobs/jobstest"
	"laurel/jobs/polite"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/modelstest"
)

// An archiveWorld is a runner with an archive outside, over real HTTP.
type archiveWorld struct {
	*harvest.Jobs
	t     *testing.T
	srv   *httptest.Server
	clock *jobstest.Clock

	mu    sync.Mutex
	asked []string
}

func newArchiveWorld(t *testing.T, outside http.Handler) *archiveWorld {
	t.Helper()
	w := &archiveWorld{t: t, clock: jobstest.NewClock()}
	w.srv = httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		w.mu.Lock()
		w.asked = append(w.asked, req.URL.RequestURI())
		w.mu.Unlock()
		outside.ServeHTTP(res, req)
	}))
	t.Cleanup(w.srv.Close)
	db := modelstest.Open(t)
	w.Jobs = &harvest.Jobs{
		DB: db, Now: w.clock.Now, Log: slog.New(slog.DiscardHandler), URL: "https://laurel.example.org",
		Client: &polite.Client{Slots: jobs.Slots{DB: db, Now: w.clock.Now}, UserAgent: "Laurel/test", HTTP: polite.Guarded([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
			Now: w.clock.Now, Sleep: jobstest.Sleep, Rate: 100_000, MaxBytes: 32 << 20},
	}
	return w
}

// requests returns what was asked since the last call.
func (w *archiveWorld) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

func (w *archiveWorld) add(slug, kind, path string) forums.Forum {
	w.t.Helper()
	f, _, err := forums.Add(w.t.Context(), w.DB.DB, forums.New{Slug: slug, Kind: kind, URL: w.srv.URL + path}, []string{kind}, w.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// harvest kicks a forum and runs it.
func (w *archiveWorld) harvest(slug string) forums.Run {
	w.t.Helper()
	if _, err := forums.Kick(w.t.Context(), w.DB.DB, slug, false, false, w.Now()); err != nil {
		w.t.Fatal(err)
	}
	run, ok, err := w.HarvestOne(w.t.Context(), slug)
	if err != nil || !ok {
		w.t.Fatalf("%v: %v %+v", ok, err, run)
	}
	return run
}

func (w *archiveWorld) count(query string) int {
	w.t.Helper()
	return jobstest.Count(w.t, w.DB, query)
}

func TestARealArchiveIsReadWhole(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	w := newArchiveWorld(t, http.StripPrefix("/pipermail/reality/", http.FileServer(http.Dir(dir))))
	w.add("reality", "pipermail", "/pipermail/reality/")
	run := w.harvest("reality")
	asked := w.requests()
	if run.New != 231 || run.Outcome != pg.OutcomeOK || run.Missing != 0 || len(asked) > 76 {
		t.Errorf("the first run is %+v, with %d requests", run, len(asked))
	}
	t.Logf("%d messages in %d requests", run.New, len(asked))
	if n := w.count(`SELECT count(*) FROM messages`); n != 231 {
		t.Errorf("%d messages are stored", n)
	}
	run = w.harvest("reality")
	if asked := w.requests(); run.New != 0 || run.Outcome != pg.OutcomeOK || len(asked) != 1 {
		t.Errorf("the second run is %+v, with %v", run, asked)
	}
}

func TestAnArchiveWithoutIDsIsReadWhole(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-divunal-devel")
	w := newArchiveWorld(t, http.StripPrefix("/pipermail/divunal-devel/", http.FileServer(http.Dir(dir))))
	w.add("divunal", "pipermail", "/pipermail/divunal-devel/")
	if run := w.harvest("divunal"); run.New != 107 || run.Outcome != pg.OutcomeOK {
		t.Errorf("the run is %+v", run)
	}
}

// Messages are what the archive shows, field by field.
func TestMessagesAreAsTheArchiveShowsThem(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	w := newArchiveWorld(t, http.StripPrefix("/pipermail/reality/", http.FileServer(http.Dir(dir))))
	w.add("reality", "pipermail", "/pipermail/reality/")
	w.harvest("reality")
	truth, err := os.Open(filepath.Join(dir, "messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = truth.Close() }()
	n := 0
	for d := json.NewDecoder(truth); d.More(); n++ {
		var want struct{ Path, Subject, Author, Mid string }
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		var got forums.Message
		if err := w.DB.Where("url = ?", w.srv.URL+"/pipermail/reality/"+want.Path).Find(&got).Error; err != nil {
			t.Fatal(err)
		}
		want.Mid = strings.Trim(want.Mid, "<>")
		if got.Subject != want.Subject || got.Author != want.Author || got.MessageID != want.Mid && want.Mid != "" {
			t.Errorf("%s: %q by %q, id %q, want %q by %q, id %q", want.Path, got.Subject, got.Author, got.MessageID, want.Subject, want.Author, want.Mid)
		}
	}
	if n != 231 {
		t.Errorf("%d messages are known", n)
	}
}

func TestRobotsAreObeyed(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	files := http.StripPrefix("/pipermail/reality/", http.FileServer(http.Dir(dir)))
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/robots.txt" {
			_, _ = res.Write([]byte("User-agent: *\nDisallow: /pipermail/\n"))
			return
		}
		files.ServeHTTP(res, req)
	}))
	w.add("reality", "pipermail", "/pipermail/reality/")
	run := w.harvest("reality")
	if asked := w.requests(); run.Outcome != pg.OutcomeBlocked || !strings.Contains(run.Message, "robots.txt") || len(asked) != 1 {
		t.Errorf("the run is %+v, asked was %v", run, asked)
	}
}

func TestAServerThatWantsToBeLeftAlone(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	files := http.StripPrefix("/pipermail/reality/", http.FileServer(http.Dir(dir)))
	n := 0
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		if n++; n == 10 {
			res.Header().Set("Retry-After", "30")
			res.WriteHeader(http.StatusTooManyRequests)
			return
		}
		files.ServeHTTP(res, req)
	}))
	w.Client.Rate = 1000
	f := w.add("reality", "pipermail", "/pipermail/reality/")
	run := w.harvest("reality")
	first := len(w.requests())
	if run.Outcome != pg.OutcomeRateLimited || first != 10 {
		t.Errorf("the run is %+v after %d requests", run, first)
	}
	f, err := forums.BySlug(t.Context(), w.DB.DB, f.Slug)
	if err != nil || f.NextRunAt == nil || !f.NextRunAt.After(w.Now()) || f.Attempts != 1 {
		t.Errorf("the forum is due at %v after %d failures, %v", f.NextRunAt, f.Attempts, err)
	}
	w.clock.Pass(time.Hour)
	if run := w.harvest("reality"); run.Outcome != pg.OutcomeOK || w.count(`SELECT count(*) FROM messages`) != 231 {
		t.Errorf("the next run is %+v", run)
	}
	seen := map[string]int{}
	for _, address := range w.requests() {
		seen[address]++
	}
	if len(seen) > 76 {
		t.Errorf("%d addresses", len(seen))
	}
}
