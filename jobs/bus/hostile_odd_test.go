package bus

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"laurel/models/awards/rules"
	"laurel/models/kafka"
	"laurel/models/modelstest"
)

// Whatever a record holds, it is taken or set aside, and the partition moves on.
func TestHostileRecords(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	r := random(t)
	p := kafka.Partition{Topic: "photos"}
	if _, err := kafka.Offsets(t.Context(), db.DB, kafka.Servers, []kafka.Partition{p}); err != nil {
		t.Fatal(err)
	}
	values := hostile(r)
	for i := range 2000 {
		good := lines(t, []rules.Event{photo(fmt.Sprint("m", i))})[0]
		values = append(values, mutate(r, []byte(good)))
	}
	good := lines(t, []rules.Event{photo("good")})[0]
	values = append(values, []byte(good))
	var records []kafka.Record
	for i, v := range values {
		records = append(records, kafka.Record{Partition: p, Offset: int64(i), Value: v})
	}
	move := kafka.Move{Partition: p, To: int64(len(values)), High: int64(len(values))}
	err := kafka.Take(t.Context(), db.DB, records, map[string]string{"photos": "photo"}, []kafka.Move{move}, modelstest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	until(t, db.DB, 1, `SELECT count(*) FROM events WHERE event_id = 'good.1'`)
	until(t, db.DB, len(values), `SELECT next FROM kafka_offsets`)
	var taken, dead int
	if err := db.Raw(`SELECT count(*) FROM event_dead`).Scan(&dead).Error; err != nil {
		t.Fatal(err)
	}
	if err := db.Raw(`SELECT count(*) FROM events`).Scan(&taken).Error; err != nil {
		t.Fatal(err)
	}
	t.Log(len(values), "records:", taken, "taken,", dead, "set aside")
}

// hostile are records that somebody sends.
func hostile(r *rand.Rand) [][]byte {
	event := func(key, value string) []byte {
		fields := map[string]string{"id": `"x"`, "item": `"i"`, "seq": "1", "member": `"ada"`, "type": `"photo"`, "status": `"active"`,
			"at": `"2026-11-21T12:00:00Z"`}
		fields[key] = value
		var list []string
		for k, v := range fields {
			list = append(list, fmt.Sprintf("%q:%s", k, v))
		}
		return []byte("{" + strings.Join(list, ",") + "}")
	}
	noise := make([]byte, 10<<10)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	list := [][]byte{nil, noise, []byte("\x00\x00\x00\x00\x01{}"), []byte(strings.Repeat("[", 1<<20)), []byte(strings.Repeat(`{"a":`, 1<<18)),
		[]byte(`{"id":"` + strings.Repeat("x", 3<<20) + `"}`), []byte("\xef\xbb\xbf{}"), []byte("null"), []byte("[]"), []byte(`"\ud800"`)}
	texts := []string{`"\u0000"`, `"\ud800"`, `"\ud83d\ude00"`, `"` + strings.Repeat("ж", 250) + `"`, `"` + strings.Repeat("ж", 251) + `"`, "\"\xff\xfe\"", "\"a\xc3\"",
		`"\u202eada"`, `""`, "1", "1e400", "-1", "9223372036854775807", "9223372036854775808", "null", "{}", `["ada"]`, "true"}
	for _, key := range []string{"id", "item", "seq", "member", "type", "object", "status", "at", "facts", "source", "other", "zone"} {
		for _, text := range texts {
			list = append(list, event(key, text))
		}
	}
	for _, at := range []string{"0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-23:59", "10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z",
		"2026-11-21T12:00:00.1234567891234Z", "1970-01-01T00:00:00+14:00"} {
		list = append(list, event("at", `"`+at+`"`))
	}
	for _, fact := range []string{"1e999999999", "1e-999999999", "9223372036854.775808", "-9223372036854.775808", `"\u0000"`, "\"\xff\"", `["\u0000"]`, `[[]]`, `[1]`, "0.0000001"} {
		list = append(list, event("facts", `{"metres":`+fact+`}`), event("facts", `{"\u0000":1}`))
	}
	return list
}

// mutate breaks a record in a few places.
func mutate(r *rand.Rand, b []byte) []byte {
	for range 1 + r.IntN(3) {
		switch i := r.IntN(len(b)); r.IntN(4) {
		case 0:
			b[i] = byte(r.Uint32())
		case 1:
			b = append(b[:i], b[min(len(b), i+1+r.IntN(5)):]...)
		case 2:
			b = append(b[:i:i], append([]byte(`\u0000`), b[i:]...)...)
		default:
			b = append(b[:i:i], append([]byte{'"', ',', '{'}[:1+r.IntN(3)], b[i:]...)...)
		}
		if len(b) == 0 {
			return b
		}
	}
	return b
}

// A topic that Laurel may not read holds up no other, and is said.
func TestATopicThatIsRefused(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	f := newFake(t, 1, "photos", "secret")
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"}, kafka.Topic{Topic: "secret", Source: "secret"})
	f.put("photos", lines(t, []rules.Event{photo("a")})...)
	refuse(f, "secret")
	j := f.jobs(db)
	consuming(t, j)
	until(t, db.DB, 1, `SELECT count(*) FROM events`)
	until(t, db.DB, 1, `SELECT count(*) FROM kafka_state WHERE failing_since IS NOT NULL AND error LIKE 'topic secret:%'`)
}

// refuse answers that a topic is not to be read.
func refuse(f *fake, topic string) {
	f.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		asked := req.(*kmsg.MetadataRequest)
		list := false
		for _, of := range asked.Topics {
			list = list || of.Topic != nil && *of.Topic == topic
		}
		if !list {
			return nil, nil, false
		}
		return metadata(f, asked, topic), nil, true
	})
}

// metadata answers for all topics but one.
func metadata(f *fake, asked *kmsg.MetadataRequest, refused string) *kmsg.MetadataResponse {
	resp := asked.ResponseKind().(*kmsg.MetadataResponse)
	for _, address := range f.ListenAddrs() {
		b := kmsg.NewMetadataResponseBroker()
		var host string
		var port int32
		if _, err := fmt.Sscanf(strings.Replace(address, ":", " ", 1), "%s %d", &host, &port); err != nil {
			f.Error(err)
		}
		b.Host, b.Port, b.NodeID = host, port, 0
		resp.Brokers = append(resp.Brokers, b)
	}
	for _, of := range asked.Topics {
		t := kmsg.NewMetadataResponseTopic()
		t.Topic = of.Topic
		if *of.Topic == refused {
			t.ErrorCode = kerr.TopicAuthorizationFailed.Code
		} else {
			info := f.TopicInfo(*of.Topic)
			t.TopicID = info.TopicID
			p := kmsg.NewMetadataResponseTopicPartition()
			p.Replicas, p.ISR = []int32{0}, []int32{0}
			t.Partitions = append(t.Partitions, p)
		}
		resp.Topics = append(resp.Topics, t)
	}
	return resp
}

// What is sent to a topic that is not there waits, and holds up no other kind.
func TestATopicThatTakesNothing(t *testing.T) {
	t.Parallel()
	db := modelstest.Open(t)
	m := modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	f := newFake(t, 1, "heard")
	mapped(t, db.DB, kafka.Topic{Topic: "missing", Kind: kafka.Grants}, kafka.Topic{Topic: "heard", Kind: kafka.Notices})
	err := db.Exec(`INSERT INTO event_outbox (kind, member_id, body, stored_at)
		SELECT k, @m, jsonb_build_object('id', k || n), @now FROM unnest('{grant,notice}'::text[]) k, generate_series(1, 1000) n ORDER BY k`,
		map[string]any{"m": m.ID, "now": modelstest.Noon}).Error
	if err != nil {
		t.Fatal(err)
	}
	j := f.jobs(db)
	for range 4 {
		if err := j.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	until(t, db.DB, 0, `SELECT count(*) FROM event_outbox WHERE kind = 'notice'`)
	until(t, db.DB, 1, `SELECT count(*) FROM kafka_state WHERE failing_since IS NOT NULL AND error LIKE '%missing%'`)
	mapped(t, db.DB, kafka.Topic{Topic: "missing", Source: "photo"}) // Nobody receives grants any more.
	until(t, db.DB, 0, `SELECT count(*) FROM event_outbox`)
}
