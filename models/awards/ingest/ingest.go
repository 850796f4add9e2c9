// Package ingest reads streams of analytics and appends what awards can want. Package firehose says
// what that is; here it is asked which awards there are, and the events are stored.
package ingest

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"gorm.io/gorm"

	"laurel/models/awards"
	"laurel/models/awards/firehose"
	"laurel/models/awards/rules"
	"laurel/models/events"
)

// A Result is what became of a stream of analytics.
type Result struct {
	firehose.Counts
	Accepted  int64 `json:"accepted"`
	Duplicate int64 `json:"duplicate"`
	Strangers int64 `json:"strangers"` // Kept, but about nobody who is registered here.
}

// Read reads a stream of analytics and appends the events that awards
// can want, as events of source where a line names none. It goes on from where it
// broke off when the same stream is read again: what is there is a duplicate.
// Somebody whom an award does not know is no mistake here: the stream is of all
// the world.
func Read(ctx context.Context, db *gorm.DB, r io.Reader, source string, now func() time.Time) (Result, error) {
	var in Result
	filter, err := Filter(ctx, db, source)
	if err != nil {
		return in, err
	}
	in.Counts, err = filter.Read(r, func(list []rules.Event) error {
		done, err := events.Append(ctx, db, list, now())
		if err != nil {
			return err
		}
		in.Add(list, done)
		return nil
	})
	if err != nil {
		return in, fmt.Errorf("ingest: %w", err)
	}
	return in, nil
}

// Add counts what became of events.
func (in *Result) Add(list []rules.Event, done events.Appended) {
	in.Accepted += int64(done.Accepted)
	in.Duplicate += int64(done.Duplicate)
	in.Strangers += int64(done.Waiting)
	for _, refused := range done.Rejected {
		if strings.HasPrefix(refused.Reason, "member: ") {
			in.Strangers++
		} else if len(in.Rejects) < 100 {
			in.Rejects = append(in.Rejects, firehose.Reject{Error: fmt.Sprintf("event %q: %s", list[refused.Index].ID, refused.Reason)})
		}
	}
}

// Filter is the filter of the awards for which events count now.
func Filter(ctx context.Context, db *gorm.DB, source string) (*firehose.Filter, error) {
	wanted, err := awards.CountedAwards(ctx, db)
	if err != nil {
		return nil, err
	}
	return firehose.New(wanted, source), nil
}
