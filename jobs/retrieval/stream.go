package retrieval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/retrieval"
)

const (
	// Between two passes of a feed there are at least and at most so many new rows'
	// time: what a member submits is seen within hours.
	feedSoonest, feedLatest = 10 * time.Minute, 4 * time.Hour
	// StreamEvery is how often it is looked whether a pass is due: a page of the last minutes
	// must be asked for in time.
	StreamEvery = 10 * time.Second
	// feedPages is how many pages a pass reads before others have their turn.
	feedPages = 200
	// feedBehind is how far behind a feed may be at the end of a pass: some sites
	// give fewer rows a page than they say.
	feedBehind = time.Hour
	// feedAhead is how far the site's clock may be ahead of ours.
	feedAhead = 10 * time.Minute
)

// ReadStream reads on in a site's list of everybody's submissions, where a pass is due
// and the feed is on.
func (r *Jobs) ReadStream(ctx context.Context, site sites.Site, feeder sites.Streamer) error {
	info := site.Info()
	claimed, err := retrieval.ClaimStream(ctx, r.DB.DB, info.Name, retrieval.KindFeed, newLease(), r.Now())
	if err != nil || claimed == nil {
		return err
	}
	f := &streamReading{r: r, site: info, feeder: feeder, feed: claimed, get: r.fetcher(info), before: claimed.Until}
	err = f.read(ctx)
	switch {
	case errors.Is(err, pg.ErrLeaseLost):
		r.Log.WarnContext(ctx, "another worker has taken over", "feed", info.Name)
		return nil
	case ctx.Err() != nil: // We are told to stop: somebody else may go on at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseStream(context.WithoutCancel(ctx), r.DB.DB, claimed))
	}
	return f.finish(ctx, err)
}

// A feeding is one pass through a feed.
type streamReading struct {
	r      *Jobs
	site   sites.Info
	feeder sites.Streamer
	feed   *retrieval.Stream
	get    *fetcher
	before *time.Time // Where the feed was; nil where it begins.
	fresh  int
	stored retrieval.Stored
	more   bool // The pass ended before the list did.
}

// read reads new rows, and again those that were new as long ago as the site may
// add rows late. What a page gave is stored before the next one is asked for.
func (f *streamReading) read(ctx context.Context) error {
	if f.feed.CursorAt == nil { // It begins, or was too far behind: what is before is for looks.
		now := f.r.Now().Truncate(time.Second)
		late := now.Add(-f.site.Overlap)
		f.feed.CursorAt, f.feed.LateAt, f.before = &now, &late, nil
	}
	f.more = true
	for n := 0; f.more && n < feedPages; n++ {
		if err := f.page(ctx); err != nil {
			return err
		}
	}
	limit := f.r.Now().Add(-f.site.Overlap).Truncate(time.Second)
	if f.more || !f.feeder.Stream().Late || f.feed.CursorID == "" || f.feed.LateAt == nil || limit.Sub(*f.feed.LateAt) < feedLatest {
		return nil
	}
	for n := 0; f.feed.LateAt.Before(limit) && n < feedPages; n++ {
		if err := f.latePage(ctx, limit); err != nil {
			return err
		}
	}
	return nil
}

// page reads one page of new rows.
func (f *streamReading) page(ctx context.Context) error {
	began := f.r.Now()
	p, err := f.feeder.StreamPage(ctx, f.get, sites.StreamCursor{At: *f.feed.CursorAt, ID: f.feed.CursorID})
	if err != nil {
		return err
	}
	if p.Next.At.After(began.Add(feedAhead)) {
		return fmt.Errorf("%w: rows of a time to come, %s", sites.ErrFormat, p.Next.At)
	}
	if err := f.store(ctx, p.Rows); err != nil {
		return err
	}
	if p.Until.IsZero() || p.Until.After(began) {
		p.Until = began
	}
	s := retrieval.StreamStep{CursorAt: &p.Next.At, CursorID: p.Next.ID, Until: &p.Until}
	if !p.Since.IsZero() {
		s.Since = &p.Since
	}
	before := f.feed.Since
	if err := retrieval.MoveStream(ctx, f.r.DB.DB, f.feed, s, leaseFor, f.r.Now()); err != nil {
		return own(err)
	}
	if before != nil && f.feed.Since != before {
		f.r.Log.WarnContext(ctx, "a feed has a hole: accounts are looked at instead", "site", f.site.Name, "from", f.feed.HoleFrom, "until", f.feed.HoleUntil)
	}
	f.fresh += p.Fresh
	f.more = p.Full || p.Fresh > 0 && p.Until.Before(began.Add(-feedBehind))
	return nil
}

// latePage reads one page again, at most until limit.
func (f *streamReading) latePage(ctx context.Context, limit time.Time) error {
	p, err := f.feeder.StreamPage(ctx, f.get, sites.StreamCursor{At: *f.feed.LateAt, ID: f.feed.CursorID})
	if err != nil {
		return err
	}
	if err := f.store(ctx, p.Rows); err != nil {
		return err
	}
	late := limit
	if p.Fresh > 0 && p.Next.At.Before(limit) || p.Next.ID == "" && p.Next.At.Before(limit) {
		late = p.Next.At
	}
	return own(retrieval.MoveStream(ctx, f.r.DB.DB, f.feed, retrieval.StreamStep{LateAt: &late}, leaseFor, f.r.Now()))
}

func (f *streamReading) store(ctx context.Context, page []sites.StreamRow) error {
	s, err := retrieval.StoreStream(ctx, f.r.DB.DB, retrieval.StreamSource{Site: f.site.Name, Address: f.feeder.Stream().Address}, streamRows(f.site, page), f.r.Now())
	f.stored.Inserted, f.stored.Revised = f.stored.Inserted+s.Inserted, f.stored.Revised+s.Revised
	return own(err)
}

// streamRows are rows of a site as models take them.
func streamRows(site sites.Info, page []sites.StreamRow) []retrieval.StreamRow {
	rows := make([]retrieval.StreamRow, len(page))
	for i := range page {
		rows[i] = retrieval.StreamRow{Handle: page[i].Handle, Found: found(site, &page[i].Submission)}
	}
	return rows
}

func (f *streamReading) finish(ctx context.Context, err error) error {
	p, stands, err := f.r.endPass(ctx, f.feed, retrieval.StreamPass{Requests: f.get.requests, NewRows: f.stored.Inserted, Pause: f.pause(), Overlap: f.site.Overlap}, err)
	if errors.Is(err, pg.ErrLeaseLost) {
		return nil
	}
	f.r.Log.InfoContext(ctx, "read the feed", "site", f.site.Name, "rows", f.fresh, "new", f.stored.Inserted, "revised", f.stored.Revised, "instead of looks", stands,
		"requests", p.Requests, "outcome", p.Outcome, "why", p.Message)
	return err
}

// endPass settles a pass by how it ended, also when we are told to stop meanwhile.
func (r *Jobs) endPass(ctx context.Context, f *retrieval.Stream, p retrieval.StreamPass, err error) (retrieval.StreamPass, int, error) {
	p.Outcome = pg.OutcomeOK
	if err != nil {
		res := retrieval.Result{}
		if ours := explain(err, &res); ours != nil { // It settles as a failure, too, or it would be read again at once, for ever.
			r.Log.ErrorContext(ctx, "a feed could not be stored", "site", f.Site, "err", ours)
			res.Outcome, res.Message = pg.OutcomeParseError, "what the site sent could not be stored; the log says why"
		}
		p.Outcome, p.Message, p.RetryAt = res.Outcome, res.Message, res.RetryAt
	}
	final, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	stands, err := retrieval.FinishStream(final, r.DB.DB, f, p, r.Rule, r.Now())
	return p, stands, err
}

// pause is until so many rows have come as a pass should find, by what came since the last one.
func (f *streamReading) pause() time.Duration {
	if f.more || f.feed.Since == nil {
		return 0 // A pass that failed waits for as long as models.FinishFeed says.
	}
	switch {
	case f.fresh == 0 && f.before == nil: // Nothing is known yet of how much comes.
		return feedSoonest
	case f.fresh == 0:
		return feedLatest
	}
	since := f.before
	if since == nil || f.feed.Since.After(*since) {
		since = f.feed.Since
	}
	passed := f.feed.Until.Sub(*since)
	return min(max(time.Duration(float64(passed)*float64(f.feeder.Stream().Fill)/float64(f.fresh)), feedSoonest), feedLatest)
}
