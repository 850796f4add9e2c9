package jobs_test

import (
	"math/rand/v2"
	"net/http"
	"os/exec"
	"sync"
	"testing"
	"time"

	"laurel/models"
	"laurel/models/modelstest"
)

// Harvesters that are killed at any request, and others beside them, end with the
// archive's messages, each once; only what was in flight is asked for again.
func TestKilledHarvestersLoseNothing(t *testing.T) {
	dir := recordedArchive(t, "pipermail-reality")
	url := modelstest.URL(t)
	db, err := models.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var mu sync.Mutex
	asked, busy, violations := map[string]int{}, 0, 0
	files := http.StripPrefix("/pipermail/reality/", http.FileServer(http.Dir(dir)))
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		mu.Lock()
		asked[req.URL.Path]++
		if busy++; busy > 1 {
			violations++
		}
		mu.Unlock()
		<-time.After(15 * time.Millisecond) // A server takes its time, and somebody dies meanwhile.
		files.ServeHTTP(res, req)
		mu.Lock()
		busy--
		mu.Unlock()
	}))
	if _, _, err := models.AddForum(t.Context(), db.DB, models.NewForum{Slug: "reality", Kind: "pipermail", URL: w.srv.URL + "/pipermail/reality/"}, []string{"pipermail"}, modelstest.Noon); err != nil {
		t.Fatal(err)
	}
	start, kills := time.Now(), 0
	const clockRate = 300 // A lease of two minutes ends within half a second.
	stored := func() int { return count(t, db, `SELECT count(*) FROM messages`) }
	finished := func() bool { return count(t, db, `SELECT count(*) FROM forums WHERE looked_at IS NOT NULL`) == 1 }
	n := 5
	if soak() {
		n = 40
	}
	for ; n > 0 && !finished(); n-- {
		cmds := []*exec.Cmd{startWorker(t, url, w.srv.URL, 1, clockRate, start), startWorker(t, url, w.srv.URL, 1, clockRate, start)}
		<-time.After(time.Duration(200+rand.IntN(500)) * time.Millisecond) // The moment is random; nothing is awaited.
		for _, cmd := range cmds {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		kills++
	}
	cmd := startWorker(t, url, w.srv.URL, 1, clockRate, start)
	until(t, "the archive is read", time.Minute, func() bool { return finished() && stored() == 231 })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	mu.Lock()
	defer mu.Unlock()
	again := 0
	for path, n := range asked {
		if path != "/robots.txt" && path != "/pipermail/reality/" {
			again += n - 1
		}
	}
	t.Logf("%d deaths, %d addresses, %d requests again, %d beside another one", kills, len(asked), again, violations)
	if again > 2*kills+2 { // What was in flight, and its period's index.
		t.Errorf("%d requests were made again after %d deaths", again, kills)
	}
	if violations > kills { // One may still be answered when its sender is dead.
		t.Errorf("%d requests came beside another one", violations)
	}
	if n := count(t, db, `SELECT count(*) - count(DISTINCT message_id) FROM messages WHERE message_id <> ''`); n != 0 {
		t.Errorf("%d messages are stored twice", n)
	}
}

// A message that comes by a second address is not stored again; the hint stays.
func TestARenumberedArchiveGivesNothingNew(t *testing.T) {
	dir := recordedArchive(t, "pipermail-reality")
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
	if _, err := models.KickForum(t.Context(), w.DB.DB, "reality", false, true, w.Now()); err != nil {
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

// Two forums on one host, harvested by two processes at once: no request comes
// sooner than a gap after the answer before.
func TestHarvestersKeepTheGapTogether(t *testing.T) {
	dir := recordedArchive(t, "pipermail-divunal-devel")
	url := modelstest.URL(t)
	db, err := models.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const gap = 50 * time.Millisecond // A second, divided by the workers' rate.
	var mu sync.Mutex
	var last time.Time
	soon, requests := 0, 0
	files := http.FileServer(http.Dir(dir))
	w := newArchiveWorld(t, http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		mu.Lock()
		if requests++; time.Since(last) < gap*9/10 {
			soon++
		}
		mu.Unlock()
		http.StripPrefix(req.URL.Path[:min(3, len(req.URL.Path))], files).ServeHTTP(res, req)
		mu.Lock()
		last = time.Now()
		mu.Unlock()
	}))
	for _, slug := range []string{"a", "b"} {
		if _, _, err := models.AddForum(t.Context(), db.DB, models.NewForum{Slug: slug, Kind: "pipermail", URL: w.srv.URL + "/" + slug + "/"}, []string{"pipermail"}, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	cmds := []*exec.Cmd{startWorker(t, url, w.srv.URL, 20, 1, start), startWorker(t, url, w.srv.URL, 20, 1, start)}
	until(t, "both are read", time.Minute, func() bool { return count(t, db, `SELECT count(*) FROM forums WHERE looked_at IS NOT NULL`) == 2 })
	for _, cmd := range cmds {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	mu.Lock()
	defer mu.Unlock()
	if soon > 0 || requests > 30 {
		t.Errorf("%d of %d requests came too soon", soon, requests)
	}
	if n := count(t, db, `SELECT count(*) FROM messages`); n != 2*107 {
		t.Errorf("%d messages are stored", n)
	}
}
