package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"gorm.io/gorm"

	"laurel/models/awards/rules"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/kafka"
	"laurel/models/modelstest"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(envWork) == "broker":
		serveForever()
	case os.Getenv(envWork) != "":
		workForever()
	default:
		os.Exit(m.Run())
	}
}

func soak() bool { return os.Getenv("LAUREL_SOAK") != "" }

// soakEvents is how many events a soak sends: a million, or what LAUREL_SOAK says.
func soakEvents() int {
	if n, err := strconv.Atoi(os.Getenv("LAUREL_SOAK")); err == nil && n > 1 {
		return n
	}
	return 1_000_000
}

// A fake is a Kafka in this process.
type fake struct {
	testing.TB
	*kfake.Cluster
	producer *kgo.Client
}

func newFake(t testing.TB, partitions int32, topics ...string) *fake {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, topics...), kfake.GroupMinSessionTimeout(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &fake{t, c, client}
}

// brokers are the settings of a fake.
func (f *fake) brokers() *Brokers {
	b, err := Settings(strings.Join(f.ListenAddrs(), ","), "", "")
	if err != nil {
		f.Fatal(err)
	}
	b.session = 2 * time.Second
	return b
}

func (f *fake) jobs(db *pg.DB) *Jobs {
	return &Jobs{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), Brokers: f.brokers()}
}

// put produces values, keyed by their number.
func (f *fake) put(topic string, values ...string) {
	f.Helper()
	records := make([]*kgo.Record, len(values))
	for i, v := range values {
		records[i] = &kgo.Record{Topic: topic, Key: fmt.Append(nil, i), Value: []byte(v)}
	}
	if err := f.producer.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		f.Fatal(err)
	}
}

// read returns n records of a topic at least, with all that follow within a moment.
func (f *fake) read(topic string, n int) (list []*kgo.Record) {
	f.Helper()
	c, err := kgo.NewClient(kgo.SeedBrokers(f.ListenAddrs()...), kgo.ConsumeTopics(topic))
	if err != nil {
		f.Fatal(err)
	}
	defer c.Close()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		got := c.PollFetches(ctx).Records()
		cancel()
		list = append(list, got...)
		if len(got) == 0 && len(list) >= n {
			return list
		}
	}
	f.Fatalf("%d records of %s, want %d", len(list), topic, n)
	return nil
}

// lines are events as a topic has them.
func lines(t testing.TB, list []rules.Event) []string {
	t.Helper()
	out := make([]string, len(list))
	for i := range list {
		b, err := json.Marshal(&list[i])
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(b)
	}
	return out
}

func mapped(t testing.TB, db *gorm.DB, topics ...kafka.Topic) {
	t.Helper()
	for _, topic := range topics {
		if err := kafka.SaveTopic(t.Context(), db, topic, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
	}
}

// until waits for a number that a query gives.
func until(t testing.TB, db *gorm.DB, want int, query string) {
	t.Helper()
	var n int
	for end := time.Now().Add(waitAtMost()); time.Now().Before(end); <-time.After(20 * time.Millisecond) {
		if err := db.Raw(query).Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		if n == want {
			return
		}
	}
	t.Fatalf("%s: %d, want %d", query, n, want)
}

func waitAtMost() time.Duration {
	if soak() {
		return time.Hour
	}
	return 3 * time.Minute // A group whose members were killed shares anew again and again on a busy machine.
}

// consuming reads until the test ends or stop is called.
func consuming(t testing.TB, j *Jobs) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			if err := j.Consume(ctx); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

func photo(id string) rules.Event { return modelstest.Item("photo", id, 1, "active", 0, nil) }

// What can be taken is appended, the rest is set aside with its place and the reason, and both once.
func TestConsume(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	custom := func(is bool) {
		if err := db.Exec(`INSERT INTO members (name, display_name, custom, created_at) VALUES ('star', '', true, ?)
			ON CONFLICT (lower(name)) DO UPDATE SET custom = ?`, modelstest.Noon, is).Error; err != nil {
			t.Fatal(err)
		}
	}
	custom(true)
	f := newFake(t, 3, "photos")
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	j := f.jobs(db)
	stop := consuming(t, j)
	good := lines(t, []rules.Event{photo("a"), photo("b"), photo("a")})
	f.put("photos", good[0], `{"source":`, strings.Replace(good[1], `"source":"photo",`, "", 1), good[2],
		strings.Replace(good[0], `"photo"`, `"video"`, 1), strings.Replace(good[0], `"ada"`, `"star"`, 1),
		strings.Replace(good[1], `"ada"`, `"nobody"`, 1), "")
	until(t, db.DB, 8, `SELECT coalesce(sum(next), 0) FROM kafka_offsets`)
	var ids []string
	if err := db.Raw(`SELECT source || ' ' || event_id FROM events ORDER BY 1`).Scan(&ids).Error; err != nil || fmt.Sprint(ids) != "[photo a.1 photo b.1]" {
		t.Errorf("%v, %v", ids, err)
	}
	dead, err := events.DeadEventsBefore(t.Context(), db.DB, "photo", 0, 10)
	reasons := ""
	for _, d := range dead {
		if d.Topic == nil || *d.Topic != "photos" || d.Part == nil || d.LogOffset == nil {
			t.Errorf("%+v has no place", d)
		}
		reasons += d.Reason + "\n"
	}
	for _, want := range []string{`the record names "video"`, `followed without an account`} {
		if err != nil || len(dead) != 4 || !strings.Contains(reasons, want) {
			t.Errorf("set aside: %q, %v; want 4 and %q", reasons, err, want)
		}
	}
	stop()
	f.put("photos", lines(t, []rules.Event{photo("c")})...)
	consuming(t, j)
	until(t, db.DB, 3, `SELECT count(*) FROM events`)
	until(t, db.DB, 4, `SELECT count(*) FROM event_dead`)
	until(t, db.DB, 1, `SELECT count(*) FROM event_waiting WHERE member = 'nobody'`)
	until(t, db.DB, 0, `SELECT sum(high - next) FROM kafka_offsets`)
	custom(false)
	if n, err := events.ReplayRecords(t.Context(), db.DB, 0, modelstest.Noon); n != 1 || err != nil {
		t.Errorf("%d were replayed, %v; want the one whose member has an account now", n, err)
	}
}

// A reader that slept while another one read on stores nothing.
func TestAReaderThatSleptIsFencedOff(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	p := kafka.Partition{Topic: "photos", Part: 3}
	if next, err := kafka.Offsets(t.Context(), db.DB, kafka.Servers, []kafka.Partition{p}); err != nil || next[p] != 0 {
		t.Fatal(next, err)
	}
	take := func(from int64, ids ...string) error {
		var records []kafka.Record
		for i, id := range ids {
			records = append(records, kafka.Record{Partition: p, Offset: from + int64(i), Value: []byte(lines(t, []rules.Event{photo(id)})[0])})
		}
		moves := []kafka.Move{{Partition: p, From: from, To: from + int64(len(ids)), High: 9}}
		return kafka.Take(t.Context(), db.DB, records, map[string]string{"photos": "photo"}, moves, modelstest.Noon)
	}
	if err := take(0, "a", "b"); err != nil {
		t.Fatal(err)
	}
	if err := take(0, "x", "y", "z"); !errors.Is(err, kafka.ErrMoved) {
		t.Errorf("the one that slept: %v", err)
	}
	until(t, db.DB, 2, `SELECT count(*) FROM events`)
	until(t, db.DB, 2, `SELECT next FROM kafka_offsets`)
}

// Records that Kafka deleted before they were read are said, and reading goes on behind them.
func TestRecordsThatAreGone(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	f := newFake(t, 1, "photos")
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	f.put("photos", lines(t, []rules.Event{photo("a"), photo("b"), photo("c"), photo("d"), photo("e")})...)
	f.delete("photos", 2) // Before anything was read: nothing to be said.
	j := f.jobs(db)
	stop := consuming(t, j)
	until(t, db.DB, 5, `SELECT next FROM kafka_offsets`)
	until(t, db.DB, 3, `SELECT count(*) FROM events`)
	until(t, db.DB, 0, `SELECT count(*) FROM event_dead`)
	stop()
	f.put("photos", lines(t, []rules.Event{photo("f"), photo("g"), photo("h")})...)
	f.delete("photos", 7)
	consuming(t, j)
	until(t, db.DB, 8, `SELECT next FROM kafka_offsets`)
	until(t, db.DB, 4, `SELECT count(*) FROM events`)
	until(t, db.DB, 1, `SELECT count(*) FROM event_dead WHERE log_offset = 5 AND reason LIKE 'Kafka has no record 5%goes on at 7'`)
}

// A broker that is away is said, and found again.
func TestBrokersThatAreAway(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	f := newFake(t, 1, "photos")
	j := f.jobs(db)
	away, err := Settings("127.0.0.1:1", "", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := (&Jobs{DB: db, Now: time.Now, Log: j.Log, Brokers: away}).Consume(ctx); err != nil {
		t.Fatal(err)
	}
	if s, err := kafka.Now(t.Context(), db.DB); err != nil || s.FailingSince == nil || !strings.Contains(s.Error, "127.0.0.1:1") {
		t.Fatalf("%+v, %v", s, err)
	}
	consuming(t, j)
	until(t, db.DB, 1, `SELECT count(*) FROM kafka_state WHERE failing_since IS NULL`)
}

// delete deletes the records before an offset.
func (f *fake) delete(topic string, before int64) {
	f.Helper()
	if err := deleteRecords(f.producer, topic, before); err != nil {
		f.Fatal(err)
	}
}

func random(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Log("seed", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
