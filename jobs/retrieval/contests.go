package retrieval

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/retrieval"
)

const (
	// contestSettles is how long after its end who took part in a contest is retrieved: what
	// was submitted last is judged then, and our clock may be ahead.
	contestSettles = 10 * time.Minute
	// contestLists is how often the calendar is read at least. Contests are announced days
	// before.
	contestLists = 12 * time.Hour
)

// Contests makes due who is expected to have taken part in contests of a site that have
// ended since the last pass. The next pass comes when the next one ends.
func (r *Jobs) Contests(ctx context.Context, site sites.Site, calendar sites.Calendar) error {
	info := site.Info()
	f, err := retrieval.ClaimStream(ctx, r.DB.DB, info.Name, retrieval.KindContests, newLease(), r.Now())
	if err != nil || f == nil {
		return err
	}
	get := r.fetcher(info)
	list, err := calendar.Contests(ctx, get)
	if ctx.Err() != nil { // We are told to stop: somebody else may go on at once.
		return errors.Join(ctx.Err(), retrieval.ReleaseStream(context.WithoutCancel(ctx), r.DB.DB, f))
	}
	p, due := retrieval.StreamPass{Requests: get.requests}, 0
	if err == nil {
		due, p.Pause, err = r.contestsEnded(ctx, info, f, list)
	}
	p, _, err = r.endPass(ctx, f, p, err)
	if errors.Is(err, pg.ErrLeaseLost) {
		return nil
	}
	r.Log.InfoContext(ctx, "read the contests", "site", info.Name, "due", due, "requests", p.Requests, "outcome", p.Outcome, "why", p.Message)
	return err
}

// contestsEnded moves on behind the contests that are over, and says when the next one will be.
func (r *Jobs) contestsEnded(ctx context.Context, info sites.Info, f *retrieval.Stream, list []sites.Contest) (due int, pause time.Duration, err error) {
	now := r.Now()
	if f.CursorAt == nil { // It begins, or was too long ago.
		f.CursorAt = &now
	}
	after, pause := *f.CursorAt, contestLists
	slices.SortFunc(list, func(a, b sites.Contest) int { return cmp.Compare(a.Ends.Unix(), b.Ends.Unix()) })
	for _, c := range list {
		settled := c.Ends.Add(contestSettles)
		switch {
		case !c.Ends.After(after):
		case c.Over && !settled.After(now):
			n, err := retrieval.ContestEnded(ctx, r.DB.DB, info.Name, c.Ends, info.Gap, now)
			if err != nil {
				return due, pause, own(err)
			}
			due += n
			f.CursorAt = &c.Ends
		default: // It is to come, or lasts longer than was announced.
			pause = min(pause, max(settled.Sub(now), contestSettles))
		}
	}
	return due, pause, own(retrieval.MoveStream(ctx, r.DB.DB, f, retrieval.StreamStep{CursorAt: f.CursorAt, Until: &now}, leaseFor, now))
}
