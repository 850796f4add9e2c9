package bus

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/modelstest"
)

const driven = `{"slug":"driven","title":"Driven","permanence":"live","objectives":[{"id":"o","filters":[{"name":"TypeFilter","config":{"types":["navi"]}}],
	"rule":{"name":"SumRule","config":{"fact":"metres"}}}],"strategy":{"objective_id":"o","goal":1000}}`

// analytics are lines in several formats. Which of them the award wants is known by how they are made.
func analytics(r *rand.Rand, n int) (all []string, wanted map[string]bool) {
	wanted = map[string]bool{}
	kinds := []string{"card", "search", "route", "navigate", "nav", "naviX"}
	for i := range n {
		id, kind := fmt.Sprint("a", i), kinds[r.IntN(len(kinds))]
		if r.IntN(10) == 0 {
			wanted[id] = true
			kind = []string{"navi", `\u006eavi`, `nav\u0069`}[r.IntN(3)]
		}
		at := modelstest.Noon.Add(time.Duration(i) * time.Second).Unix()
		line := fmt.Sprintf([]string{
			`{"event":"%s","user_id":"m0","ts":%d,"metres":12.5,"id":"%s"}`,
			`{"event_type":"%s","member":"m0","timestamp":%d,"metres":3,"uuid":"%s"}`,
			"{\n  \"event\": {\"type\": \"%s\", \"metres\": 7},\n  \"user\": {\"id\": \"m0\"},\n  \"ts\": %d, \"event_id\": \"%s\"\n}",
			`{"params":[{"key":"type","value":"%s"},{"key":"user_id","value":"m0"},{"key":"ts","value":%d},{"key":"id","value":"%s"}]}`,
		}[r.IntN(4)], kind, at, id)
		all = append(all, line)
	}
	return all, wanted
}

// A topic is thinned to another one by a process that is killed at random: all that the award wants gets
// there, and nothing else. Then it is thinned into the database, each event once.
func TestIngest(t *testing.T) {
	t.Parallel()
	n, kills := 8000, 3
	if soak() {
		n, kills = 1_000_000, 30
	}
	r := random(t)
	all, wanted := analytics(r, n)
	f := newFake(t, 4, "all", "wanted")
	url := modelstest.URL(t)
	w := world(t, url, 1)
	if err := w.DB.Exec(`DELETE FROM objectives`).Error; err != nil { // Its award wants everything.
		t.Fatal(err)
	}
	w.Runs(driven)
	for k := range kills {
		worker := f.worker(url, "ingest wanted")
		f.put("all", all[k*n/kills:(k+1)*n/kills]...)
		<-time.After(time.Duration(r.IntN(300)) * time.Millisecond) // The moment is random; nothing is awaited.
		kill(worker)
	}
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	j := f.jobs(db)
	in, err := j.Ingest(t.Context(), Ingest{From: "all", To: "wanted", Source: "firehose"})
	if err != nil || in.FalseNegatives != 0 || in.Rejected != 0 {
		t.Fatalf("%+v, %v", in, err)
	}
	ids := map[string]bool{}
	sent := readSent(t, f.kcat("wanted", len(wanted)))
	for _, s := range sent {
		ids[s.ID] = true
	}
	missing, foreign := 0, 0
	for id := range wanted {
		if !ids[id] {
			missing++
		}
	}
	for id := range ids {
		if !wanted[id] {
			foreign++
		}
	}
	t.Logf("%d lines, %d wanted, %d sent on; the last run read %d", n, len(wanted), len(sent), in.Lines)
	if missing > 0 || foreign > 0 {
		t.Errorf("%d of %d that are wanted are missing, %d are not wanted", missing, len(wanted), foreign)
	}
	if in, err = j.Ingest(t.Context(), Ingest{From: "all", Source: "firehose"}); err != nil || int(in.Lines) != n || int(in.Accepted) != len(wanted) {
		t.Errorf("into the database: %+v, %v", in, err)
	}
	until(t, w.DB, len(wanted), `SELECT count(*) FROM events`)
	if in, err = j.Ingest(t.Context(), Ingest{From: "all", Source: "firehose"}); err != nil || in.Lines != 0 {
		t.Errorf("again: %+v, %v; want nothing new", in, err)
	}
	if _, err := j.Ingest(t.Context(), Ingest{From: "nothing", Source: "firehose"}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("a topic that is not there: %v", err)
	}
}
