package retrieval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/responses"
	"laurel/models/retrieval"
)

// passOf claims a site's stream or calendar if a pass is due, reads it, and stores how that ended.
func (r *Jobs) passOf(ctx context.Context, site sites.Info, kind string, read func(*streamReading) error) error {
	s, err := retrieval.ClaimStream(ctx, r.DB.DB, site.Name, kind, newLease(), r.Now())
	if err != nil || s == nil {
		return err
	}
	f := &streamReading{Jobs: r, site: site, stream: s, get: r.fetcher(site)}
	err = read(f)
	switch {
	case errors.Is(err, pg.ErrLeaseLost):
		r.Log.WarnContext(ctx, "another worker has taken over", "site", site.Name, "kind", kind)
		return nil
	case ctx.Err() != nil: // The process stops: another may go on at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseStream(context.WithoutCancel(ctx), r.DB.DB, s))
	}
	p := retrieval.StreamPass{Requests: f.get.requests, NewRows: f.stored.Inserted, Pause: f.pause, Outcome: pg.OutcomeOK}
	if err != nil {
		var res retrieval.Result
		r.apply(ctx, err, &res, kind+" of "+site.Name)
		p.Outcome, p.Message, p.RetryAt = res.Outcome, res.Message, res.RetryAt
	}
	final, cancel := toTheEnd(ctx)
	defer cancel()
	counted, err := retrieval.FinishStream(final, r.DB.DB, s, p, r.Rule, r.Now())
	if errors.Is(err, pg.ErrLeaseLost) {
		return nil
	}
	r.Log.InfoContext(ctx, "pass read", "site", site.Name, "kind", kind, "new", f.stored.Inserted,
		"revised", f.stored.Revised, "made due", f.due, "counted as retrievals", counted, "requests", p.Requests,
		"outcome", p.Outcome, "why", p.Message)
	return err
}

// A streamReading is one pass of a stream or a calendar.
type streamReading struct {
	*Jobs
	site   sites.Info
	stream *retrieval.Stream
	get    *fetcher
	fresh  int  // Rows newer than the stream was.
	more   bool // The pass ended before the list did.
	stored retrieval.Stored
	due    int // Accounts that were made due.
	pause  time.Duration
}

// ReadStream reads on in a site's activity stream if a pass is due and the stream is on.
func (r *Jobs) ReadStream(ctx context.Context, site sites.Site, streamer sites.Streamer) error {
	return r.passOf(ctx, site.Info(), retrieval.KindStream, func(f *streamReading) error {
		before := f.stream.Until
		if f.stream.CursorAt == nil { // It begins, or begins anew: older rows are for retrievals.
			now := r.Now().Truncate(time.Second)
			f.stream.CursorAt, f.stream.LateAt, before = &now, new(now.Add(-f.site.Overlap)), nil
		}
		err := f.read(ctx, streamer)
		f.pause = f.pauseFor(before, streamer.Stream().Fill)
		return err
	})
}

// read reads new rows for Soonest at most, and then again the rows of the time in which the site may
// have added some late.
func (f *streamReading) read(ctx context.Context, streamer sites.Streamer) error {
	end := f.Now().Add(retrieval.Soonest)
	for f.more = true; f.more && f.Now().Before(end); {
		if err := f.page(ctx, streamer); err != nil {
			return err
		}
	}
	limit := f.Now().Add(-f.site.Overlap).Truncate(time.Second)
	if f.more || !streamer.Stream().Late || f.stream.CursorID == "" || f.stream.LateAt == nil ||
		limit.Sub(*f.stream.LateAt) < retrieval.CheckEvery {
		return nil
	}
	for f.stream.LateAt.Before(limit) && f.Now().Before(end) {
		if err := f.latePage(ctx, streamer, limit); err != nil {
			return err
		}
	}
	return nil
}

// latePage reads one page again, up to limit.
func (f *streamReading) latePage(ctx context.Context, streamer sites.Streamer, limit time.Time) error {
	p, err := f.fetch(ctx, streamer, *f.stream.LateAt)
	if err != nil {
		return err
	}
	late := limit
	if (p.Fresh > 0 || p.Next.ID == "") && p.Next.At.Before(limit) {
		late = p.Next.At
	}
	return f.move(ctx, retrieval.StreamStep{LateAt: &late})
}

// page reads one page of new rows.
func (f *streamReading) page(ctx context.Context, streamer sites.Streamer) error {
	began := f.Now()
	p, err := f.fetch(ctx, streamer, *f.stream.CursorAt)
	if err != nil {
		return err
	}
	if p.Until.IsZero() || p.Until.After(began) {
		p.Until = began
	}
	s := retrieval.StreamStep{CursorAt: &p.Next.At, CursorID: p.Next.ID, Until: &p.Until}
	if !p.Since.IsZero() {
		s.Since = &p.Since
	}
	f.fresh += p.Fresh
	f.more = p.Full || p.Fresh > 0 && p.Until.Before(began.Add(-retrieval.CheckEvery)) // Some sites give fewer rows a page than they say.
	return f.move(ctx, s)
}

// fetch fetches the page that begins at a time and stores its rows.
func (f *streamReading) fetch(ctx context.Context, streamer sites.Streamer, at time.Time) (sites.StreamPage, error) {
	place := sites.StreamCursor{At: at, ID: f.stream.CursorID}
	p, err := streamer.StreamPage(ctx, f.get, place)
	now := f.Now() // Of the answer and of its rows.
	if err := f.keepPage(ctx, place, err, now); err != nil {
		return p, err
	}
	if err == nil && p.Next.At.After(f.Now().Add(retrieval.Soonest)) {
		err = fmt.Errorf("%w: rows from the future, %s", sites.ErrFormat, p.Next.At)
	}
	if err != nil {
		return p, err
	}
	rows := foundInStream(f.site, &p)
	from := retrieval.StreamSource{Site: f.site.Name, Address: streamer.Stream().Address}
	s, err := retrieval.StoreStream(ctx, f.DB.DB, from, rows, now)
	f.stored.Inserted, f.stored.Revised = f.stored.Inserted+s.Inserted, f.stored.Revised+s.Revised
	return p, own(err)
}

// keepPage stores the raw answer of a page with the place that was asked for, so that it can be read
// again.
func (f *streamReading) keepPage(ctx context.Context, place sites.StreamCursor, failed error, now time.Time) error {
	text, err := json.Marshal(place)
	if err != nil {
		return err
	}
	f.get.answers.Ask(string(text))
	return own(f.keep(ctx, f.get, responses.Stream, failed, now))
}

func (f *streamReading) move(ctx context.Context, s retrieval.StreamStep) error {
	return own(retrieval.MoveStream(ctx, f.DB.DB, f.stream, s, leaseFor, f.Now()))
}

// pauseFor is how long fill rows will take to come, at the pace since before, where the stream was at
// the start of the pass; nil if it begins.
func (f *streamReading) pauseFor(before *time.Time, fill int) time.Duration {
	since := f.stream.Since
	switch {
	case f.more || since == nil:
		return 0 // After a failure FinishStream decides.
	case f.fresh == 0 && before == nil: // The pace is not known yet.
		return retrieval.Soonest
	case f.fresh == 0:
		return retrieval.CheckEvery
	}
	if before != nil && before.After(*since) {
		since = before
	}
	passed := f.stream.Until.Sub(*since)
	return min(max(time.Duration(float64(passed)*float64(fill)/float64(f.fresh)), retrieval.Soonest), retrieval.CheckEvery)
}
