package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"laurel/jobs/bus"
	stream "laurel/models/awards/ingest"
	pg "laurel/models/db"
	"laurel/models/kafka"
)

// ingest reads a stream of analytics from the standard input or Kafka and appends
// the events that awards can want, or sends them to another topic.
func ingest(ctx context.Context, s settings, args []string) error {
	of, err := ingestArgs(args)
	if err != nil {
		return err
	}
	if of.From != "" && s.brokers == nil {
		return errors.New("--from kafka: needs LAUREL_KAFKA_BROKERS")
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	if of.From == "" {
		return ingestFrom(ctx, b.db, os.Stdin, of.Source, os.Stdout, b.clock.now)
	}
	j := b.bus()
	in, err := j.Ingest(ctx, of)
	return errors.Join(err, sayIngested(os.Stdout, in, of.To))
}

// ingestArgs reads the command's own flags.
func ingestArgs(args []string) (of bus.Ingest, err error) {
	flags := flag.NewFlagSet("ingest", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&of.Source, "source", "firehose", "")
	flags.BoolVar(&of.Follow, "follow", false, "")
	topic := func(into *string) func(string) error {
		return func(value string) error {
			name, ok := strings.CutPrefix(value, "kafka:")
			if *into = name; !ok || !kafka.ValidTopic(name) {
				return errUsage
			}
			return nil
		}
	}
	flags.Func("from", "", topic(&of.From))
	flags.Func("to", "", topic(&of.To))
	if flags.Parse(args) != nil || flags.NArg() > 0 || of.From == "" && (of.To != "" || of.Follow) || of.From != "" && of.From == of.To {
		return of, errUsage
	}
	return of, nil
}

// ingestFrom ingests a stream and says what became of it.
func ingestFrom(ctx context.Context, db *pg.DB, r io.Reader, source string, w io.Writer, now func() time.Time) error {
	in, err := stream.Read(ctx, db.DB, r, source, now)
	return cmp.Or(err, sayIngested(w, in, ""))
}

// sayIngested says what became of a stream.
func sayIngested(w io.Writer, in stream.Result, to string) error {
	var out strings.Builder
	fmt.Fprintf(&out, "lines: %d; dropped: %d; without a member: %d; invalid: %d\n", in.Lines, in.Dropped, in.Anonymous,
		in.Rejected)
	if to != "" {
		fmt.Fprintf(&out, "events: %d sent to %s\n", in.Kept, to)
	} else {
		fmt.Fprintf(&out, "events: %d appended, %d duplicates, %d of unknown members\n", in.Accepted, in.Duplicate, in.Strangers)
	}
	fmt.Fprintf(&out, "audited: %d dropped lines, %d wrongly dropped\n", in.Audited, in.FalseNegatives)
	for _, reject := range in.Rejects {
		fmt.Fprintf(&out, "line %d: %s\n", reject.Line, reject.Error)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
