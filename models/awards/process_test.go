package awards_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/modelstest"
)

// A worker of awards is this test program started again as a process of its own,
// so that it can be killed for real.
const envAwards = "LAUREL_TEST_AWARDS" // The database.

func TestMain(m *testing.M) {
	if os.Getenv(envAwards) != "" {
		workForever()
		return
	}
	os.Exit(m.Run())
}

func soak() bool { return os.Getenv("LAUREL_SOAK") != "" }

// workForever applies events, recounts and grants until it is killed.
func workForever() {
	ctx := context.Background()
	db, err := pg.Open(ctx, os.Getenv(envAwards), 2)
	for scheme := new(awards.Ruleset); err == nil; {
		if _, err = awards.Apply(ctx, db.DB, scheme, 100, time.Now()); err != nil {
			break
		}
		if _, err = awards.RecountPending(ctx, db.DB, scheme, 50, time.Now()); err != nil {
			break
		}
		_, err = awards.Evaluate(ctx, db.DB, scheme, 50, time.Now())
	}
	fmt.Fprintln(os.Stderr, "worker:", err)
	os.Exit(1)
}

// streamOf are events about many items of some members: shuffled, 5 % sent twice,
// items that move to another member, some sources with statuses and one without.
func streamOf(r *rand.Rand, n, members int) []rules.Event {
	statuses := []string{"moderation", "active", "active", "active", "blocked", "deleted"}
	events := make([]rules.Event, 0, n)
	for i := 0; len(events) < n; i++ {
		number := r.IntN(n/4 + 1)
		e := rules.Event{ID: fmt.Sprint("e", i), Seq: int64(i), Member: fmt.Sprint("m", number%members), Object: fmt.Sprint("place ", r.IntN(50)),
			At: modelstest.Noon.Add(time.Duration(r.IntN(20*24)) * time.Hour)}
		switch r.IntN(3) {
		case 0:
			e.Source, e.Item, e.Status = "photo", fmt.Sprint("p", number), statuses[r.IntN(len(statuses))]
			if r.IntN(50) == 0 {
				e.Member = fmt.Sprint("m", r.IntN(members))
			}
		case 1:
			e.Source, e.Item, e.Status = "reviews", fmt.Sprint("r", number), statuses[r.IntN(len(statuses))]
			e.Facts = rules.Facts{"length": rules.Units(int64(r.IntN(200)))}
		default:
			e.Source, e.Facts = "navi", rules.Facts{"metres": rules.Amount(r.IntN(3_000_000_000))}
		}
		e.Type = e.Source
		events = append(events, e)
		if len(events) < n && r.IntN(20) == 0 {
			events = append(events, e)
		}
	}
	r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	return events
}

// tracked is an award with an objective of every rule.
const tracked = `{"slug":"tracked","title":"Tracked","permanence":"live","objectives":[
	{"id":"count","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
	{"id":"unique","filters":[{"name":"SourceFilter","config":{"sources":["reviews"]}},{"name":"ReviewsLengthFilter","config":{"allowed_length":100}}],"rule":{"name":"ReviewUniqueByObjectRule"}},
	{"id":"sum","rule":{"name":"SumRule","config":{"fact":"metres","max_per_day":2500}}},
	{"id":"most","filters":[{"name":"SourceFilter","config":{"sources":["reviews"]}}],"rule":{"name":"MaxRule","config":{"fact":"length"}}},
	{"id":"days","filters":[{"name":"TypeFilter","config":{"types":["photo","reviews"]}}],"rule":{"name":"ConsecutiveDaysRule"}}],
	"strategy":{"goal":60,"strategy":[{"objective_id":"count"},{"objective_id":"unique"},{"objective_id":"sum","normalization_factor":0.001},{"objective_id":"most","normalization_factor":0.01},{"objective_id":"days"}]}}`

// recountOf is what events come to, one by one and in memory: member to objective to counters.
func recountOf(t *testing.T, doc string, events []rules.Event) map[string]map[string]map[string]rules.Amount {
	t.Helper()
	a, mistakes := rules.Parse([]byte(doc))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	newest := map[string]rules.Event{}
	for _, e := range events {
		key := e.Source + " " + e.Key()
		if old, ok := newest[key]; !ok || e.Status != "" && e.Order().After(old.Order()) {
			newest[key] = e
		}
	}
	cells := map[string]map[string]rules.Cells{}
	for _, e := range newest {
		if cells[e.Member] == nil {
			cells[e.Member] = map[string]rules.Cells{}
		}
		for i := range a.Objectives {
			o := &a.Objectives[i]
			if cells[e.Member][o.ID] == nil {
				cells[e.Member][o.ID] = rules.Cells{}
			}
			if err := cells[e.Member][o.ID].Move(rules.Contribution{}, o.Contribution(&e)); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := map[string]map[string]map[string]rules.Amount{}
	for member, objectives := range cells {
		out[member] = map[string]map[string]rules.Amount{}
		for i := range a.Objectives {
			o := &a.Objectives[i]
			out[member][o.ID] = o.Counters(objectives[o.ID])
		}
	}
	return out
}

// countersIn are the live counters of an award in the same form.
func countersIn(t *testing.T, db *gorm.DB, slug string) map[string]map[string]map[string]rules.Amount {
	t.Helper()
	var rows []struct {
		Member, Objective, Status string
		Amount                    int64
	}
	err := db.Raw(`
		SELECT m.name AS member, o.name AS objective, c.status, c.amount FROM objective_counters c JOIN members m ON m.id = c.member_id
		JOIN objectives o ON o.id = c.objective_id AND o.retired_at IS NULL JOIN awards a ON a.id = o.award_id AND a.slug = ? WHERE c.amount <> 0`, slug).Scan(&rows).Error
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]map[string]rules.Amount{}
	for _, r := range rows {
		if out[r.Member] == nil {
			out[r.Member] = map[string]map[string]rules.Amount{}
		}
		if out[r.Member][r.Objective] == nil {
			out[r.Member][r.Objective] = map[string]rules.Amount{}
		}
		out[r.Member][r.Objective][r.Status] = rules.Amount(r.Amount)
	}
	return out
}

// equalsRecount compares counters and progress with what the events come to.
func equalsRecount(t *testing.T, db *gorm.DB, doc string, events []rules.Event) {
	t.Helper()
	a, _ := rules.Parse([]byte(doc))
	want, got := recountOf(t, doc, events), countersIn(t, db, a.Slug)
	var progress []struct{ Name, Progress string }
	err := db.Raw(`SELECT m.name, CAST(u.progress AS text) AS progress FROM user_awards u JOIN members m ON m.id = u.member_id JOIN awards a ON a.id = u.award_id AND a.slug = ?`, a.Slug).Scan(&progress).Error
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]string{}
	for _, p := range progress {
		has[p.Name] = p.Progress
	}
	wrong := 0
	for member, objectives := range want {
		active := map[string]rules.Amount{}
		for id, counters := range objectives {
			active[id] = counters[rules.Active]
			if !maps.Equal(got[member][id], counters) {
				wrong++
				t.Logf("%s, %s: %v, want %v", member, id, got[member][id], counters)
			}
		}
		if p := a.Progress(active); p.Started && has[member] != p.Value.String() {
			wrong++
			t.Logf("%s: progress %q, want %s", member, has[member], p.Value)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d members' counters and awards are wrong", wrong, len(want))
	}
	for done := false; !done; {
		var c awards.CheckResult
		var err error
		if c, done, err = awards.CheckNext(t.Context(), db, modelstest.Noon); err != nil || len(c.Differences) > 0 {
			t.Fatalf("check: %v, %v", c.Differences, err)
		}
	}
}

// Events come shuffled, doubled and again, from two senders at once, while the
// workers are killed at random, an award is edited and another begins: counters
// and awards are those of one count in memory.
func TestWorkersOfAwardsThatAreKilled(t *testing.T) {
	n, members, kills := 4000, 60, 6
	if soak() {
		n, members, kills = 300_000, 5000, 60
	}
	url := modelstest.URL(t)
	db, err := pg.Open(t.Context(), url, 6)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := &modelstest.AwardWorld{T: t, DB: db.DB, Ruleset: new(awards.Ruleset), Now: modelstest.Noon.AddDate(0, 1, 0)}
	for i := range members {
		modelstest.Member(t, db.DB, fmt.Sprint("m", i), nil, modelstest.Noon)
	}
	seed := rand.Uint64()
	t.Log("seed", seed)
	events := streamOf(rand.New(rand.NewPCG(seed, 0)), n, members)
	w.Runs(strings.Replace(tracked, `"allowed_length":100`, `"allowed_length":10`, 1))
	sent := make(chan error, 2)
	for half := range 2 {
		go func() { sent <- send(t.Context(), db.DB, events[half*n/2:(half+1)*n/2], w.Now) }()
	}
	for i := range kills {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env, cmd.Stderr = append(os.Environ(), envAwards+"="+url), os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(100+rand.IntN(300)) * time.Millisecond) // The moment is random; nothing is awaited.
		if i == kills/2 {
			w.Runs(tracked)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for range 2 {
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
	}
	if err := send(t.Context(), db.DB, events[:n/10], w.Now); err != nil { // Replayed.
		t.Fatal(err)
	}
	w.Works()
	equalsRecount(t, db.DB, tracked, events)
}

// send appends events in small lots.
func send(ctx context.Context, db *gorm.DB, list []rules.Event, now time.Time) error {
	for lot := range slices.Chunk(list, 200) {
		out, err := events.Append(ctx, db, lot, now)
		if err != nil {
			return err
		}
		if len(out.Rejected) > 0 {
			return fmt.Errorf("rejected: %v", out.Rejected)
		}
	}
	return nil
}
