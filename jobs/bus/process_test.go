package bus

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"

	"laurel/models/awards"
	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/kafka"
	"laurel/models/modelstest"
)

// A worker is this test program started again as a process of its own, so that it can be killed for real.
const (
	envDatabase = "LAUREL_TEST_BUS_DATABASE"
	envBrokers  = "LAUREL_TEST_BUS_BROKERS"
	envWork     = "LAUREL_TEST_BUS_WORK"
)

// workForever reads or sends until it is killed.
func workForever() {
	ctx := context.Background()
	db, err := pg.Open(ctx, os.Getenv(envDatabase), 4)
	if err == nil {
		b, _ := Settings(os.Getenv(envBrokers), "", "")
		b.session = 2 * time.Second
		j := &Jobs{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), Brokers: b}
		for err == nil {
			switch os.Getenv(envWork) {
			case "consume":
				err = j.Consume(ctx)
			case "publish":
				err = j.Publish(ctx)
			default:
				_, err = j.Ingest(ctx, Ingest{From: "all", Source: "firehose", To: strings.TrimPrefix(os.Getenv(envWork), "ingest "), Follow: true})
			}
			<-time.After(20 * time.Millisecond)
		}
	}
	fmt.Fprintln(os.Stderr, "worker:", err)
	os.Exit(1)
}

// worker starts a worker; it is killed when the test ends at the latest.
func (f *fake) worker(url, work string) *exec.Cmd {
	f.Helper()
	cmd := exec.CommandContext(f.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envDatabase+"="+url, envBrokers+"="+strings.Join(f.ListenAddrs(), ","), envWork+"="+work)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		f.Fatal(err)
	}
	return cmd
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

func deleteRecords(c *kgo.Client, topic string, before int64) error {
	var o kadm.Offsets
	o.AddOffset(topic, 0, before, -1)
	_, err := kadm.NewClient(c).DeleteRecords(context.Background(), o)
	return err
}

const ranked = `{"slug":"ranked","title":"Ranked","permanence":"live","objectives":[
	{"id":"count","filters":[{"name":"SourceFilter","config":{"sources":["photo"]}}],"rule":{"name":"CountRule"}},
	{"id":"unique","filters":[{"name":"SourceFilter","config":{"sources":["reviews"]}}],"rule":{"name":"ReviewUniqueByObjectRule"}},
	{"id":"sum","rule":{"name":"SumRule","config":{"fact":"metres"}}}],
	"strategy":{"goal":30,"strategy":[{"objective_id":"count"},{"objective_id":"unique"},{"objective_id":"sum","normalization_factor":0.001}]},
	"levels":[{"title":"I","goal":3},{"title":"II","goal":10},{"title":"III","goal":30}]}`

// stream are events of three sources: items that go back and forth, out of order, 5 % sent twice.
func stream(r *rand.Rand, n, members int) []rules.Event {
	statuses := []string{"moderation", "active", "active", "active", "blocked"}
	var list []rules.Event
	for i := 0; len(list) < n; i++ {
		number := r.IntN(n/4 + 1)
		e := rules.Event{ID: fmt.Sprint("e", i), Seq: int64(i), Member: fmt.Sprint("m", number%members), Object: fmt.Sprint("place ", r.IntN(50)),
			At: modelstest.Noon.Add(time.Duration(number*7919%(20*24)) * time.Hour)} // Of an item all have one time.
		switch r.IntN(3) {
		case 0:
			e.Source, e.Item, e.Status = "photo", fmt.Sprint("p", number), statuses[r.IntN(len(statuses))]
		case 1:
			e.Source, e.Item, e.Status = "reviews", fmt.Sprint("r", number), statuses[r.IntN(len(statuses))]
		default:
			e.Source, e.Facts = "navi", rules.Facts{"metres": rules.Amount(r.IntN(3_000_000_000))}
		}
		e.Type = e.Source
		list = append(list, e)
		if len(list) < n && r.IntN(20) == 0 {
			list = append(list, e)
		}
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// outcome is all that members have: counters, progress and grants with their dates.
func outcome(t testing.TB, db *gorm.DB) (rows []string) {
	t.Helper()
	err := db.Raw(`
		SELECT m.name || ' ' || o.name || ' ' || c.period || ' ' || c.status || ' ' || c.amount FROM objective_counters c
			JOIN members m ON m.id = c.member_id JOIN objectives o ON o.id = c.objective_id WHERE c.amount <> 0
		UNION ALL SELECT m.name || ' progress ' || u.progress || ' level ' || u.level FROM user_awards u JOIN members m ON m.id = u.member_id
		UNION ALL SELECT m.name || ' grant ' || g.level || ' ' || g.granted_at FROM award_grants g
			JOIN members m ON m.id = g.member_id WHERE g.revoked_at IS NULL ORDER BY 1`).Scan(&rows).Error
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// world is a database with members and an award.
func world(t *testing.T, url string, members int) *modelstest.AwardWorld {
	t.Helper()
	db, err := pg.Open(t.Context(), url, 6)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	w := &modelstest.AwardWorld{T: t, DB: db.DB, Ruleset: new(awards.Ruleset), Now: modelstest.Noon.AddDate(0, 1, 0)}
	for i := range members {
		modelstest.Member(t, w.DB, fmt.Sprint("m", i), nil, modelstest.Noon)
	}
	w.Runs(ranked)
	return w
}

// Three readers share twelve partitions of three topics and are killed at random, while events come doubled
// and out of order. What members have is what the same events came to that were appended in peace; no
// offset is ever ahead of its effect.
func TestReadersThatAreKilled(t *testing.T) {
	n, members, kills := 6000, 60, 6
	if soak() {
		n, members, kills = soakEvents(), soakEvents()/100, 50
	}
	r := random(t)
	list := stream(r, n, members)
	f := newFake(t, 4, "photo", "reviews", "navi")
	url := modelstest.URL(t)
	w := world(t, url, members)
	for _, source := range []string{"photo", "reviews", "navi"} {
		mapped(t, w.DB, kafka.Topic{Topic: source, Source: source})
	}
	workers := make([]*exec.Cmd, 3)
	for i := range workers {
		workers[i] = f.worker(url, "consume")
	}
	for k := range kills {
		f.produce(list[k*n/kills : (k+1)*n/kills])
		<-time.After(time.Duration(r.IntN(800)) * time.Millisecond) // The moment is random; nothing is awaited.
		i := r.IntN(len(workers))
		kill(workers[i])
		workers[i] = f.worker(url, "consume")
		neverAhead(t, w.DB, list)
	}
	until(t, w.DB, n, `SELECT sum(next) FROM kafka_offsets`)
	for _, cmd := range workers {
		kill(cmd)
	}
	neverAhead(t, w.DB, list)
	until(t, w.DB, distinct(list), `SELECT count(*) FROM events`)
	until(t, w.DB, 0, `SELECT count(*) FROM event_dead`)
	w.Works()
	calm := world(t, modelstest.URL(t), members)
	for start := 0; start < len(list); start += 1000 {
		if _, err := events.Append(t.Context(), calm.DB, list[start:min(start+1000, len(list))], w.Now); err != nil {
			t.Fatal(err)
		}
	}
	calm.Works()
	got, want := outcome(t, w.DB), outcome(t, calm.DB)
	t.Logf("%d events, %d distinct, %d rows of counters, progress and grants", n, distinct(list), len(want))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%d rows, want %d; they differ (-want +got):\n%.2000s", len(got), len(want), diff)
	}
}

func distinct(list []rules.Event) int {
	ids := map[string]bool{}
	for i := range list {
		ids[list[i].Source+" "+list[i].ID] = true
	}
	return len(ids)
}

// produce sends events to the topics of their sources.
func (f *fake) produce(list []rules.Event) {
	for i, line := range lines(f, list) {
		f.producer.Produce(context.Background(), &kgo.Record{Topic: list[i].Source, Value: []byte(line), Key: fmt.Append(nil, i)}, func(_ *kgo.Record, err error) {
			if err != nil {
				f.Error(err)
			}
		})
	}
	if err := f.producer.Flush(context.Background()); err != nil {
		f.Error(err)
	}
}

// neverAhead checks, in one look, that what offsets say was read is there.
func neverAhead(t testing.TB, db *gorm.DB, list []rules.Event) {
	t.Helper()
	var row struct{ Read, Distinct int }
	err := db.Raw(`SELECT (SELECT coalesce(sum(next), 0) FROM kafka_offsets) AS read, (SELECT count(*) FROM events) AS distinct`).Scan(&row).Error
	if err != nil {
		t.Fatal(err)
	}
	if doubles := len(list) - distinct(list); row.Read-row.Distinct > doubles || row.Distinct > row.Read {
		t.Errorf("%d records read, %d events: at most %d are doubles", row.Read, row.Distinct, doubles)
	}
}
