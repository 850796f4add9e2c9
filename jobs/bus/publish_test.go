package bus

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	pg "laurel/models/db"
	"laurel/models/kafka"
	"laurel/models/modelstest"
)

// A sent record as others read it.
type sentRecord struct {
	ID, Kind, What, Member, Award string
	Level                         int
	GrantedAt                     time.Time `json:"granted_at"`
}

func readSent(t testing.TB, values []string) (list []sentRecord) {
	t.Helper()
	for _, v := range values {
		var r sentRecord
		if err := json.Unmarshal([]byte(v), &r); err != nil {
			t.Fatalf("%q: %v", v, err)
		}
		list = append(list, r)
	}
	return list
}

// Grants and notices go to their topics, with the id as a header; without a topic nothing is written.
func TestPublish(t *testing.T) {
	t.Parallel()
	url := modelstest.URL(t)
	w := world(t, url, 1)
	db, err := pg.Open(t.Context(), url, 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	f := newFake(t, 2, "grants", "heard")
	modelstest.Member(t, w.DB, "ada", nil, modelstest.Noon)
	w.Sends(photo("a"), photo("b"), photo("c"))
	w.Holds("ada", "ranked", "1")
	until(t, w.DB, 0, `SELECT count(*) FROM event_outbox`)
	mapped(t, w.DB, kafka.Topic{Topic: "grants", Kind: kafka.Grants}, kafka.Topic{Topic: "heard", Kind: kafka.Notices})
	w.Sends(photo("d"), photo("e"), photo("f"), photo("g"), photo("h"), photo("i"), photo("j"))
	w.Holds("ada", "ranked", "1, 2")
	w.RunOutbox(2 * time.Minute)
	until(t, w.DB, 2, `SELECT count(*) FROM event_outbox`) // One grant, and the notice of the higher one of both.
	j := f.jobs(db)
	if err := j.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, w.DB, 0, `SELECT count(*) FROM event_outbox`)
	grants := f.read("grants", 1)
	got := readSent(t, []string{string(grants[0].Value)})[0]
	if len(grants) != 1 || got.Kind != "grant" || got.What != "granted" || got.Member != "ada" || got.Award != "ranked" || got.Level != 2 ||
		got.GrantedAt.IsZero() || string(grants[0].Headers[0].Value) != got.ID || !strings.HasPrefix(got.ID, "grant-") {
		t.Errorf("%d grants, %+v: %s", len(grants), got, grants[0].Value)
	}
	if heard := f.read("heard", 1); len(heard) != 1 || !strings.Contains(string(heard[0].Value), `"title": "Ranked"`) {
		t.Errorf("%d notices: %s", len(heard), heard[0].Value)
	}
	if err := kafka.RemoveTopic(t.Context(), w.DB, "grants"); err != nil {
		t.Fatal(err)
	}
	w.Sends(modelstest.Item("photo", "a", 2, "blocked", 0, nil))
	w.Holds("ada", "ranked", "1")
	until(t, w.DB, 0, `SELECT count(*) FROM event_outbox`)
}

// Who sends is killed at random. Each grant gets there at least once, under one id; kcat, which has
// nothing of ours, reads them.
func TestSendersThatAreKilled(t *testing.T) {
	members, kills := 300, 6
	if soak() {
		members, kills = 20_000, 50
	}
	r := random(t)
	f := newFake(t, 4, "grants")
	url := modelstest.URL(t)
	w := world(t, url, members)
	mapped(t, w.DB, kafka.Topic{Topic: "grants", Kind: kafka.Grants})
	list := stream(r, members*20, members)
	senders := []*exec.Cmd{f.worker(url, "publish"), f.worker(url, "publish")}
	for k := range kills {
		w.Sends(list[k*len(list)/kills : (k+1)*len(list)/kills]...)
		<-time.After(time.Duration(r.IntN(200)) * time.Millisecond)
		i := rand.IntN(len(senders))
		kill(senders[i])
		senders[i] = f.worker(url, "publish")
	}
	until(t, w.DB, 0, `SELECT count(*) FROM event_outbox`)
	var logged []string
	err := w.DB.Raw(`SELECT 'grant-' || id FROM award_grant_log WHERE what <> 'kept' ORDER BY id`).Scan(&logged).Error
	if err != nil || len(logged) < members {
		t.Fatalf("%d lines in the log of grants, %v", len(logged), err)
	}
	ids := map[string]bool{}
	sent := readSent(t, f.kcat("grants", len(logged)))
	for _, s := range sent {
		ids[s.ID] = true
	}
	for _, id := range logged {
		if !ids[id] {
			t.Errorf("%s was not sent", id)
		}
	}
	if len(ids) != len(logged) {
		t.Errorf("%d ids, want %d", len(ids), len(logged))
	}
	t.Logf("%d records, %d ids, %d lines in the log of grants", len(sent), len(ids), len(logged))
}

// kcat reads the values of a topic by kcat, or by a plain client where it is not installed.
func (f *fake) kcat(topic string, n int) (values []string) {
	f.Helper()
	if _, err := exec.LookPath("kcat"); err != nil {
		f.Log("kcat is not installed: a plain client reads instead")
		for _, r := range f.read(topic, n) {
			values = append(values, string(r.Value))
		}
		return values
	}
	out, err := exec.CommandContext(f.Context(), "kcat", "-C", "-q", "-e", "-o", "beginning", "-b", strings.Join(f.ListenAddrs(), ","), "-t", topic).Output()
	if err != nil {
		f.Fatal(fmt.Errorf("kcat: %w", err))
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}
