package bus

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"laurel/models/awards/rules"
	"laurel/models/kafka"
	"laurel/models/modelstest"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	if b, err := Settings(" ", "on", "nonsense"); b != nil || err != nil {
		t.Errorf("without brokers: %v, %v; want none", b, err)
	}
	b, err := Settings("a:1, [::1]:2,", "off", "plain:u:pa:ss")
	if err != nil || strings.Join(b.addresses, " ") != "a:1 [::1]:2" || b.tls != nil || b.sasl.Name() != "PLAIN" {
		t.Errorf("%+v, %v", b, err)
	}
	for _, tt := range []struct{ brokers, tls, sasl, want string }{
		{"kafka", "", "", "LAUREL_KAFKA_BROKERS"}, {":9092", "", "", "LAUREL_KAFKA_BROKERS"},
		{"a:1", "/nowhere.pem", "", "LAUREL_KAFKA_TLS"}, {"a:1", os.Args[0], "", "LAUREL_KAFKA_TLS"},
		{"a:1", "", "topsecret", "LAUREL_KAFKA_SASL"}, {"a:1", "", "plain:topsecret", "LAUREL_KAFKA_SASL"},
		{"a:1", "", "oauth:topsecret:topsecret", "LAUREL_KAFKA_SASL"}, {"a:1", "", "plain::topsecret", "LAUREL_KAFKA_SASL"},
	} {
		if _, err := Settings(tt.brokers, tt.tls, tt.sasl); err == nil || !strings.Contains(err.Error(), tt.want) ||
			strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

// authority makes a certificate for this machine and the file that vouches for it.
func authority(t *testing.T) (server *tls.Config, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, file
}

// With TLS and each way to sign in a topic is read; who has no part of it is told so, without the password.
func TestTLSAndSASL(t *testing.T) {
	t.Parallel()
	server, file := authority(t)
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "photos"), kfake.TLS(server), kfake.EnableSASL(),
		kfake.Superuser("PLAIN", "laurel", "pa:ss"), kfake.Superuser("SCRAM-SHA-256", "laurel256", "pa:ss"), kfake.Superuser("SCRAM-SHA-512", "laurel512", "pa:ss"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	for i, login := range []string{"plain:laurel:pa:ss", "scram-sha-256:laurel256:pa:ss", "SCRAM-SHA-512:laurel512:pa:ss"} {
		b, err := Settings(c.ListenAddrs()[0], file, login)
		if err != nil {
			t.Fatal(err)
		}
		client, err := b.client(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", login, err)
		}
		record := &kgo.Record{Topic: "photos", Value: []byte(lines(t, []rules.Event{photo(login)})[0])}
		if err := client.ProduceSync(t.Context(), record).FirstErr(); err != nil {
			t.Fatal(err)
		}
		client.Close()
		stop := consuming(t, &Jobs{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), Brokers: b})
		until(t, db.DB, i+1, `SELECT next FROM kafka_offsets`)
		stop()
	}
	for _, wrong := range [][2]string{{file, "plain:laurel:topsecret"}, {file, "scram-sha-256:laurel256:topsecret"}, {"on", "plain:laurel:pa:ss"}} {
		b, err := Settings(c.ListenAddrs()[0], wrong[0], wrong[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := (&Jobs{DB: db, Now: time.Now, Log: slog.New(slog.DiscardHandler), Brokers: b}).Consume(t.Context()); err != nil {
			t.Fatal(err)
		}
		s, err := kafka.Now(t.Context(), db.DB)
		if err != nil || s.FailingSince == nil || s.Error == "" || strings.Contains(s.Error, "topsecret") {
			t.Errorf("%v: %+v, %v", wrong, s, err)
		}
		t.Log(s.Error)
		if err := kafka.Reached(t.Context(), db.DB, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

// What kcat, which has nothing of ours, produces is read.
func TestKcatProduces(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("kcat"); err != nil {
		t.Skip("kcat is not installed")
	}
	f := newFake(t, 3, "photos")
	db := modelstest.Open(t)
	modelstest.Member(t, db.DB, "ada", nil, modelstest.Noon)
	mapped(t, db.DB, kafka.Topic{Topic: "photos", Source: "photo"})
	var list []rules.Event
	for i := range 500 {
		list = append(list, photo(string(rune('a'+i%26))+string(rune('0'+i/26))))
	}
	for _, z := range []string{"none", "gzip", "snappy", "lz4"} {
		cmd := exec.CommandContext(t.Context(), "kcat", "-P", "-b", strings.Join(f.ListenAddrs(), ","), "-t", "photos", "-z", z, "-X", "enable.idempotence=true")
		cmd.Stdin = strings.NewReader(strings.Join(lines(t, list), "\n"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("kcat -z %s: %v\n%s", z, err, out)
		}
	}
	consuming(t, f.jobs(db))
	until(t, db.DB, 2000, `SELECT coalesce(sum(next), 0) FROM kafka_offsets`)
	until(t, db.DB, 500, `SELECT count(*) FROM events`)
	until(t, db.DB, 0, `SELECT count(*) FROM event_dead`)
}
