package harvest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/jobs/fakesite"
	"laurel/jobs/jobstest"
	pg "laurel/models/db"
	"laurel/models/forums"
	"laurel/models/modelstest"
)

func TestMain(m *testing.M) { jobstest.Main(m) }

// A harvestKill is an archive whose harvesters are killed at chosen requests: half
// of them before they are answered, half soon after.
type harvestKill struct {
	mu    sync.Mutex
	asked map[string]int // By path.
	last  string
	n     int
	bulk  bool // Months are there as files.
	at    map[int]bool
	die   chan bool     // Somebody is to be killed, who is waiting for an answer or was given it.
	dead  chan struct{} // That was done.
}

func (k *harvestKill) serve(files http.Handler) http.HandlerFunc {
	return func(res http.ResponseWriter, req *http.Request) {
		k.mu.Lock()
		k.n++
		k.asked[req.URL.Path]++
		k.last = req.URL.Path
		kill, before := k.at[k.n], k.n%2 == 0
		k.mu.Unlock()
		if kill && before {
			k.die <- true
			<-k.dead
		}
		files.ServeHTTP(res, req)
		if kill && !before {
			go func() { k.die <- false }()
		}
	}
}

// allMessages sums up what is stored of every message.
const allMessages = `SELECT count(*) || ' ' || md5(string_agg(concat_ws('|', url, message_id, in_reply_to, period, number, author, address, subject, sent_at, sent_shown, body), E'\n' ORDER BY url)) FROM messages`

// Harvesters that are killed at any request end with the rows of one that was not,
// and ask again only for what was in flight.
func TestKilledHarvestersLoseNothing(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	files := http.StripPrefix("/pipermail/reality/", http.FileServer(http.Dir(dir)))
	pages := http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.URL.Path, ".gz") || strings.HasSuffix(req.URL.Path, ".txt") {
			http.NotFound(res, req)
			return
		}
		files.ServeHTTP(res, req)
	})
	for _, tt := range []struct {
		name     string
		files    http.Handler
		requests int
		bulk     bool
	}{{"in one piece", files, 70, true}, {"page by page", pages, 260, false}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kills := 4
			if jobstest.Soak() {
				kills = 40
			}
			k := &harvestKill{bulk: tt.bulk, asked: map[string]int{}, at: map[int]bool{}, die: make(chan bool), dead: make(chan struct{})}
			for range kills {
				k.at[1+rand.IntN(tt.requests)] = true
			}
			k.harvestAndDie(t, tt.files)
		})
	}
}

func (k *harvestKill) harvestAndDie(t *testing.T, files http.Handler) {
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := newArchiveWorld(t, k.serve(files))
	if _, _, err := forums.Add(t.Context(), db.DB, forums.New{Slug: "reality", Kind: "pipermail", URL: w.srv.URL + "/pipermail/reality/"}, []string{"pipermail"}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	const clockRate = 20 // A lease of two minutes outlasts a slow machine; who dies has its lease taken below.
	start, inFlight, kills := time.Now(), map[string]int{}, len(k.at)
	for died := 0; died <= kills; died++ {
		if err := db.Exec(`UPDATE forums SET leased_until = NULL`).Error; died > 0 && err != nil { // As if the time of the lease had passed.
			t.Fatal(err)
		}
		cmd := jobstest.Worker{DB: url, Outside: w.srv.URL, Rate: 500, Clock: clockRate, Start: start}.Run(t)
		waits, over := false, false
		jobstest.Until(t, "somebody is to die, or the archive is read", 5*time.Minute, func() bool {
			select {
			case waits = <-k.die:
				return true
			default:
				over = jobstest.Count(t, db, `SELECT count(*) FROM forums WHERE covered_at IS NOT NULL`) == 1
				return over
			}
		})
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		k.mu.Lock()
		inFlight[k.last]++
		k.mu.Unlock()
		if waits {
			k.dead <- struct{}{}
		}
		if over {
			break
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for path, n := range k.asked {
		static := messageName.MatchString(path) || k.bulk && strings.HasSuffix(path, ".gz")
		if static && n > 1+inFlight[path] {
			t.Errorf("%s was asked for %d times, and was in flight at %d deaths", path, n, inFlight[path])
		}
	}
	t.Logf("%d deaths, %d addresses, %d requests", kills, len(k.asked), k.n)
	w.add("reality", "pipermail", "/pipermail/reality/")
	k.at = nil
	k.mu.Unlock()
	w.harvest("reality")
	k.mu.Lock()
	var got, want string
	for sum, at := range map[*string]*pg.DB{&got: db, &want: w.DB} {
		if err := at.Raw(allMessages).Scan(sum).Error; err != nil {
			t.Fatal(err)
		}
	}
	if got != want || !strings.HasPrefix(got, "231 ") {
		t.Errorf("stored is %s, undisturbed it is %s", got, want)
	}
}

var messageName = regexp.MustCompile(`/\d{6}\.html$`)

// A message that comes by a second address is not stored again; the hint stays.
func TestARenumberedArchiveGivesNothingNew(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-reality")
	files := http.FileServer(http.Dir(dir))
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		for _, prefix := range []string{"/old/", "/new/"} {
			if len(req.URL.Path) >= len(prefix) && req.URL.Path[:len(prefix)] == prefix {
				http.StripPrefix(prefix, files).ServeHTTP(res, req)
				return
			}
		}
		http.NotFound(res, req)
	}))
	w.add("reality", "pipermail", "/old/")
	w.harvest("reality")
	before := w.count(`SELECT count(*) FROM messages WHERE message_id <> ''`)
	if err := w.DB.Exec(`UPDATE forums SET url = @url, etag = '', last_modified = ''`, map[string]any{"url": w.srv.URL + "/new/"}).Error; err != nil {
		t.Fatal(err)
	}
	if _, err := forums.Kick(t.Context(), w.DB.DB, "reality", false, true, w.Now()); err != nil {
		t.Fatal(err)
	}
	run, _, err := w.HarvestOne(t.Context(), "reality")
	if err != nil || run.Duplicates != before {
		t.Errorf("the run is %+v, %v; %d have ids", run, err, before)
	}
	if n := w.count(`SELECT count(*) FROM message_duplicates`); n != before {
		t.Errorf("%d hints", n)
	}
}

// A gapHost is a host of several archives that watches how fast it is asked.
type gapHost struct {
	*httptest.Server
	mu       sync.Mutex
	last     time.Time
	byForum  map[string]time.Time
	soon     int
	requests int
}

func newGapHost(t *testing.T, files http.Handler, gap time.Duration) *gapHost {
	g := &gapHost{byForum: map[string]time.Time{}}
	g.Server = httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		forum, _, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/")
		g.mu.Lock()
		if g.requests++; time.Since(g.last) < gap*9/10 || time.Since(g.byForum[forum]) < gap*9/10 {
			g.soon++
		}
		// An answer may be read before we are back from giving it, so what counts is when it
		// begins; it takes no time.
		g.last = time.Now()
		g.byForum[forum] = g.last
		g.mu.Unlock()
		http.StripPrefix("/"+forum, files).ServeHTTP(res, req)
	}))
	t.Cleanup(g.Close)
	return g
}

// Several forums on one host, and on several, harvested by several processes at
// once: no request comes sooner than a gap after the answer before, to the forum or
// to the host, and no message is stored twice.
func TestHarvestersKeepTheGapTogether(t *testing.T) {
	t.Parallel()
	dir := fakesite.RecordedPath(t, "harvest/pipermail-divunal-devel")
	processes, list := 2, 2
	if jobstest.Soak() {
		processes, list = 8, 4
	}
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const gap = 50 * time.Millisecond // A second, divided by the workers' rate.
	var hosts []*gapHost
	for h := range 2 {
		host := newGapHost(t, http.FileServer(http.Dir(dir)), gap)
		hosts = append(hosts, host)
		for f := range list {
			slug := fmt.Sprintf("host%d-list%d", h, f)
			if _, _, err := forums.Add(t.Context(), db.DB, forums.New{Slug: slug, Kind: "pipermail", URL: host.URL + "/" + slug + "/"}, []string{"pipermail"}, modelstest.Noon); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := time.Now()
	var cmds []*exec.Cmd
	for range processes {
		cmds = append(cmds, jobstest.Worker{DB: url, Outside: hosts[0].URL, Rate: 20 / jobstest.CalmRate, Clock: jobstest.CalmRate, Start: start}.Run(t))
	}
	jobstest.Until(t, "all are read", 5*time.Minute, func() bool { return jobstest.Count(t, db, `SELECT count(*) FROM forums WHERE covered_at IS NULL`) == 0 })
	for _, cmd := range cmds {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for _, host := range hosts {
		host.mu.Lock()
		if host.soon > 0 || host.requests > 14*list+2 {
			t.Errorf("%d of %d requests came too soon", host.soon, host.requests)
		}
		host.mu.Unlock()
	}
	if n := jobstest.Count(t, db, `SELECT count(*) FROM messages`); n != 2*list*107 {
		t.Errorf("%d messages are stored", n)
	}
}
