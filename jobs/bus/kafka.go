// Package bus is Laurel's door to Kafka: foreign events come in, grants and notices go out.
//
// In: where to read on is in PostgreSQL and moves in the transaction that appends the events,
// and only from where the reader began. So a record has its effect once, whoever reads it and
// whatever Kafka's group does; the group only shares the partitions. Whatever goes wrong, a
// session ends, and the next one begins from PostgreSQL.
//
// Out: what is to be sent is a row that was written in the transaction of what it says. It is
// deleted when Kafka has it. A process that dies in between sends it again, with the same id.
package bus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	pg "laurel/models/db"
	"laurel/models/kafka"
)

// Brokers is how Kafka is reached.
type Brokers struct {
	addresses []string
	tls       *tls.Config
	sasl      sasl.Mechanism
	session   time.Duration // After which who is silent loses its partitions; 0: Kafka's usual 45 s.
}

// Settings reads the three settings. Without brokers there is no Kafka, and the result is nil.
func Settings(brokers, secure, login string) (*Brokers, error) {
	var b Brokers
	for address := range strings.SplitSeq(brokers, ",") {
		if address = strings.TrimSpace(address); address == "" {
			continue
		}
		if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
			return nil, fmt.Errorf("LAUREL_KAFKA_BROKERS: %q is not a host and a port such as kafka.example.org:9092", address)
		}
		b.addresses = append(b.addresses, address)
	}
	if len(b.addresses) == 0 {
		return nil, nil
	}
	return &b, errors.Join(b.readTLS(secure), b.readLogin(login))
}

// readTLS reads on, off, or the file of the authority that signed the brokers' certificates.
func (b *Brokers) readTLS(text string) error {
	switch text {
	case "", "off":
		return nil
	case "on":
		b.tls = &tls.Config{MinVersion: tls.VersionTLS12}
		return nil
	}
	pem, err := os.ReadFile(text) // #nosec G304 -- the admin names it.
	if err != nil {
		return fmt.Errorf("LAUREL_KAFKA_TLS: this must be on, off or a file of certificates: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return fmt.Errorf("LAUREL_KAFKA_TLS: %s has no certificates", text)
	}
	b.tls = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}
	return nil
}

// readLogin reads MECHANISM:USER:PASSWORD. What is wrong is said without it: it is a secret.
func (b *Brokers) readLogin(text string) error {
	if text == "" {
		return nil
	}
	mechanism, rest, _ := strings.Cut(text, ":")
	user, password, ok := strings.Cut(rest, ":")
	auth := scram.Auth{User: user, Pass: password}
	switch strings.ToLower(mechanism) {
	case "plain":
		b.sasl = plain.Auth{User: user, Pass: password}.AsMechanism()
	case "scram-sha-256":
		b.sasl = auth.AsSha256Mechanism()
	case "scram-sha-512":
		b.sasl = auth.AsSha512Mechanism()
	default:
		ok = false
	}
	if !ok || user == "" || password == "" {
		return errors.New("LAUREL_KAFKA_SASL: this must be plain:USER:PASSWORD, scram-sha-256:USER:PASSWORD or scram-sha-512:USER:PASSWORD")
	}
	return nil
}

// answers is how long brokers may take for an answer.
const answers = 10 * time.Second

// client connects, and sees that a broker answers.
func (b *Brokers) client(ctx context.Context, more ...kgo.Opt) (*kgo.Client, error) {
	opts := append([]kgo.Opt{kgo.SeedBrokers(b.addresses...), kgo.ClientID("laurel")}, more...)
	if b.tls != nil {
		opts = append(opts, kgo.DialTLSConfig(b.tls))
	}
	if b.sasl != nil {
		opts = append(opts, kgo.SASL(b.sasl))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, err
	}
	if err := ping(ctx, client); err != nil {
		client.CloseAllowingRebalance()
		return nil, err
	}
	return client, nil
}

// An awayError says that no broker answers, or none as it should.
type awayError struct{ error }

func (e awayError) Unwrap() error { return e.error }

func ping(ctx context.Context, client *kgo.Client) error {
	limited, cancel := context.WithTimeout(ctx, answers)
	defer cancel()
	if err := client.Ping(limited); err != nil {
		return awayError{err}
	}
	return nil
}

// Jobs read from Kafka and send to it. Without brokers none of them may run.
type Jobs struct {
	DB      *pg.DB
	Now     func() time.Time
	Log     *slog.Logger
	Brokers *Brokers // Nil: no Kafka.
}

// failed keeps that the brokers are away, for the page, and logs it once. The next tick tries again.
// Other errors are the runner's.
func (j *Jobs) failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	away, ok := errors.AsType[awayError](err)
	if !ok || ctx.Err() != nil {
		return err
	}
	isNew, err := kafka.Failed(ctx, j.DB.DB, away.Error(), j.Now())
	if isNew {
		j.Log.WarnContext(ctx, "Kafka does not answer", "err", away.Error())
	}
	return err
}

// othersFail is how long what another process said of the brokers holds. It says it again at every tick.
const othersFail = 30 * time.Second

// reached keeps that the brokers answer.
func (j *Jobs) reached(ctx context.Context, grace time.Duration) error {
	return kafka.Reached(ctx, j.DB.DB, j.Now().Add(-grace))
}
