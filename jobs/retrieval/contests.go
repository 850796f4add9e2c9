package retrieval

import (
	"context"
	"slices"

	"laurel/jobs/sites"
	"laurel/models/retrieval"
)

// Contests makes due the accounts that probably took part in contests that have ended since the last
// pass. The next pass comes when the next contest ends.
func (r *Jobs) Contests(ctx context.Context, site sites.Site, calendar sites.Calendar) error {
	return r.passOf(ctx, site.Info(), retrieval.KindContests, func(f *streamReading) error {
		list, err := calendar.Contests(ctx, f.get)
		if err != nil {
			return err
		}
		return f.contestsEnded(ctx, list)
	})
}

// contestsEnded moves on past the contests that are over and judged, and finds when the next one will
// be.
func (f *streamReading) contestsEnded(ctx context.Context, list []sites.Contest) error {
	now := f.Now()
	if f.stream.CursorAt == nil { // The first pass for long.
		f.stream.CursorAt = &now
	}
	after := *f.stream.CursorAt
	f.pause = retrieval.CheckEvery
	slices.SortFunc(list, func(a, b sites.Contest) int { return a.Ends.Compare(b.Ends) })
	for _, c := range list {
		judged := c.Ends.Add(retrieval.Soonest)
		switch {
		case !c.Ends.After(after):
		case c.Over && !judged.After(now):
			n, err := retrieval.ContestEnded(ctx, f.DB.DB, f.site.Name, c.Ends, f.site.Gap, now)
			if err != nil {
				return own(err)
			}
			f.due += n
			f.stream.CursorAt = &c.Ends
		default: // It has not begun or not ended, or lasts longer than announced.
			f.pause = min(f.pause, max(judged.Sub(now), retrieval.Soonest))
		}
	}
	return f.move(ctx, retrieval.StreamStep{CursorAt: f.stream.CursorAt, Until: &now})
}
