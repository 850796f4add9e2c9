package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"laurel/models/awards"
	pg "laurel/models/db"
)

// ingest reads a stream of analytics from the standard input and appends the
// events that awards can want.
func ingest(ctx context.Context, s settings, args []string) error {
	source := "firehose"
	for i := 0; i < len(args); i++ {
		value, joined := strings.CutPrefix(args[i], "--source=")
		if !joined {
			if i++; args[i-1] != "--source" || i == len(args) {
				return errUsage
			}
			value = args[i]
		}
		source = value
	}
	b, err := openBase(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	return ingestFrom(ctx, b.db, os.Stdin, source, os.Stdout, b.clock.now)
}

// ingestFrom ingests a stream and says what became of it.
func ingestFrom(ctx context.Context, db *pg.DB, r io.Reader, source string, w io.Writer, now func() time.Time) error {
	in, err := awards.Ingest(ctx, db.DB, r, source, now)
	var out strings.Builder
	fmt.Fprintf(&out, "lines: %d; dropped: %d; without a member: %d; invalid: %d\n", in.Lines, in.Dropped, in.Anonymous,
		in.Rejected)
	fmt.Fprintf(&out, "events: %d appended, %d duplicates, %d of unknown members\n", in.Accepted, in.Duplicate, in.Strangers)
	fmt.Fprintf(&out, "audited: %d dropped lines, %d wrongly dropped\n", in.Audited, in.FalseNegatives)
	for _, reject := range in.Rejects {
		fmt.Fprintf(&out, "line %d: %s\n", reject.Line, reject.Error)
	}
	_, written := io.WriteString(w, out.String())
	return cmp.Or(err, written)
}
