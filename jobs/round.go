package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"laurel/jobs/sites"
	"laurel/models"
)

const (
	// roundSettles is how long after its end a round is read: what was submitted last
	// is judged then, and our clock may be ahead.
	roundSettles = 10 * time.Minute
	// roundLists is how often the list of rounds is read at least. They are announced
	// days before.
	roundLists = 12 * time.Hour
	// roundWorth is how many members must have taken part: a round's list takes about
	// as many requests, and of fewer members each is looked at.
	roundWorth = 15
	// roundAsked is about how many members a question about standings is, which is an address.
	roundAsked = 200
	// roundPages is how many pages of a round are read at most.
	roundPages = 40
	// roundActive is how long ago those who are asked about have submitted at most.
	roundActive = 30 * 24 * time.Hour
	// roundsPerDay is what rounds take of requests a day, until they are counted.
	roundsPerDay = 4.0
)

// Rounds reads the submissions of rounds that have ended since the last pass, where
// enough members took part; of fewer, each is looked at. It is weighed as feeds are.
//
// Rows are stored, and that is all: a round tells nothing of what its people did
// beside it, so nobody is complete by it, and it stands for no look.
func (r *Runner) Rounds(ctx context.Context, site sites.Site, rounder sites.Rounder) error {
	info := site.Info()
	claimed, err := models.ClaimFeed(ctx, r.DB.DB, info.Name, roundsPerDay, models.Lease{ID: uuid.NewString(), For: leaseFor}, r.Now())
	if err != nil || claimed == nil {
		return err
	}
	p := &rounds{r: r, site: info, rounder: rounder, feed: claimed, get: &probe{r: r, info: info}, next: r.Now().Add(roundLists)}
	err = p.read(ctx)
	switch {
	case errors.Is(err, models.ErrLeaseLost):
		r.Log.WarnContext(ctx, "another worker has taken over", "rounds", info.Name)
		return nil
	case ctx.Err() != nil: // We are told to stop: somebody else may go on at once.
		return errors.Join(ctx.Err(), models.ReleaseFeed(context.WithoutCancel(ctx), r.DB.DB, claimed))
	}
	pass := models.FeedPass{Requests: p.get.requests, NewRows: p.stored.Inserted, Pause: max(p.next.Sub(r.Now()), time.Minute), Overlap: info.Overlap}
	pass, _, err = r.endPass(ctx, claimed, pass, err)
	if errors.Is(err, models.ErrLeaseLost) {
		return nil
	}
	r.Log.InfoContext(ctx, "read rounds", "site", info.Name, "ended", p.ended, "read", p.lists, "new", p.stored.Inserted, "revised", p.stored.Revised,
		"looks asked for", p.hurried, "requests", pass.Requests, "outcome", pass.Outcome, "why", pass.Message)
	return err
}

// rounds is one pass through the rounds of a site.
type rounds struct {
	r       *Runner
	site    sites.Info
	rounder sites.Rounder
	feed    *models.Feed // Rounds that ended until its cursor are done.
	get     *probe
	next    time.Time // When the next pass is due.

	ended, lists, hurried int
	stored                models.Stored
}

// read reads the list, and then each round that has ended since the last pass.
func (p *rounds) read(ctx context.Context) error {
	now := p.r.Now()
	all, err := p.rounder.Rounds(ctx, p.get)
	if err != nil {
		return err
	}
	if p.feed.CursorAt == nil { // It begins, or was too long ago: what is before is for looks.
		p.feed.CursorAt, p.feed.LateAt = &now, nil
	}
	if p.feed.LateAt == nil {
		p.feed.LateAt = p.feed.CursorAt
	}
	slices.SortStableFunc(all, func(a, b sites.Round) int { return cmp.Or(a.Ends.Compare(b.Ends), cmp.Compare(a.Contest, b.Contest)) })
	err = p.each(ctx, p.since(all, *p.feed.CursorAt, roundSettles), p.round, func(at *time.Time) models.FeedStep { return models.FeedStep{CursorAt: at} })
	if err != nil {
		return err
	}
	again := func(ctx context.Context, x sites.Round) error { return p.again(ctx, x, all) }
	err = p.each(ctx, p.since(all, *p.feed.LateAt, max(p.site.Overlap, roundSettles)), again, func(at *time.Time) models.FeedStep { return models.FeedStep{LateAt: at} })
	if err != nil {
		return err
	}
	return p.move(ctx, models.FeedStep{Until: &now})
}

// since are the rounds that have ended after a moment, and that long ago at least; for
// those to come, or that last longer than was announced, the next pass comes in time.
func (p *rounds) since(all []sites.Round, after time.Time, ago time.Duration) (ended []sites.Round) {
	now := p.r.Now()
	for _, x := range all {
		switch at := x.Ends.Add(ago); {
		case x.Over && !x.Ends.After(after):
		case x.Over && !at.After(now):
			ended = append(ended, x)
		default:
			p.wake(at, now)
		}
	}
	return ended
}

// each does something for rounds, in the order of their ends, and moves on.
func (p *rounds) each(ctx context.Context, ended []sites.Round, do func(context.Context, sites.Round) error, step func(*time.Time) models.FeedStep) error {
	for i, x := range ended {
		if err := do(ctx, x); err != nil {
			return err
		}
		if i+1 < len(ended) && ended[i+1].Ends.Equal(x.Ends) {
			continue // Two divisions: the cursor passes both, or none.
		}
		if err := p.move(ctx, step(&x.Ends)); err != nil {
			return err
		}
	}
	return nil
}

// again reads a round once more when hacks and system tests are over, where enough
// members took part: then their rows are as they stay. Of fewer, each is looked at by the
// ordinary rule, and so is who took part in another round shortly before.
func (p *rounds) again(ctx context.Context, x sites.Round, all []sites.Round) error {
	open, err := models.RoundOpen(ctx, p.r.DB.DB, p.site.Name, x.Begins, x.Ends, p.site.Overlap)
	if err != nil || open < roundWorth {
		return own(err)
	}
	p.lists++
	if err := p.list(ctx, x.Contest); err != nil {
		return err
	}
	var begins, ends []time.Time
	for _, o := range all {
		if o.Contest != x.Contest && !o.Begins.After(x.Ends) && o.Ends.After(x.Ends.Add(-2*p.site.Overlap)) {
			begins, ends = append(begins, o.Begins), append(ends, o.Ends)
		}
	}
	return own(models.CloseRound(ctx, p.r.DB.DB, p.site.Name, x.Begins, x.Ends, begins, ends))
}

// wake brings the next pass forward to a moment, if that is still to come.
func (p *rounds) wake(at, now time.Time) {
	if soonest := now.Add(roundSettles); at.Before(soonest) {
		at = soonest
	}
	if at.Before(p.next) {
		p.next = at
	}
}

func (p *rounds) move(ctx context.Context, s models.FeedStep) error {
	return own(models.MoveFeed(ctx, p.r.DB.DB, p.feed, s, leaseFor, p.r.Now()))
}

// round finds out who took part in a round and stores what it shows of them, or lets
// them be looked at where they are few.
func (p *rounds) round(ctx context.Context, x sites.Round) error {
	took, err := p.tookPart(ctx, x)
	if err != nil {
		return err
	}
	p.ended++
	switch n := len(took); {
	case n == 0:
		return nil
	case n < roundWorth:
		hurried, err := models.HurryLooks(ctx, p.r.DB.DB, p.site.Name, took, x.Ends, p.r.Now())
		p.hurried += hurried
		return own(err)
	}
	p.lists++
	return p.list(ctx, x.Contest)
}

// tookPart asks about those who were active lately, the most recent ones first, until
// enough of them took part.
func (p *rounds) tookPart(ctx context.Context, x sites.Round) (took []string, err error) {
	handles, err := models.RoundCandidates(ctx, p.r.DB.DB, p.site.Name, x.Ends, p.r.Now().Add(-roundActive))
	if err != nil {
		return nil, own(err)
	}
	for some := range slices.Chunk(handles, roundAsked) {
		there, err := p.rounder.TookPart(ctx, p.get, x.Contest, some)
		if err != nil {
			return nil, err
		}
		if took = append(took, there...); len(took) >= roundWorth {
			break
		}
		if err := p.move(ctx, models.FeedStep{}); err != nil { // The lease goes on.
			return nil, err
		}
	}
	return took, nil
}

// list stores a round's list page by page. It grows at its head meanwhile, so that a
// page may begin with rows of the one before. It ends with a page without rows, or
// with fewer than the site gives otherwise.
func (p *rounds) list(ctx context.Context, contest string) error {
	most := 0
	for from, n := 1, 0; n < roundPages; n++ {
		page, err := p.rounder.RoundPage(ctx, p.get, contest, from)
		if err != nil {
			return err
		}
		if from == 1 && page.Shown == 0 {
			return fmt.Errorf("%w: nobody submitted anything in %s, where members took part", sites.ErrFormat, contest)
		}
		if err := p.store(ctx, contest, page.Rows); err != nil {
			return err
		}
		if page.Shown == 0 || page.Shown < most {
			return nil
		}
		most, from = max(most, page.Shown), from+page.Shown
	}
	p.r.Log.WarnContext(ctx, "a round is longer than is read", "site", p.site.Name, "contest", contest)
	return nil
}

func (p *rounds) store(ctx context.Context, contest string, page []sites.Fed) error {
	s, err := models.StoreFeed(ctx, p.r.DB.DB, p.site.Name, p.rounder.RoundAddress(contest), fedRows(p.site, page), p.r.Rule, p.r.Now())
	p.stored.Inserted, p.stored.Revised = p.stored.Inserted+s.Inserted, p.stored.Revised+s.Revised
	if err != nil {
		return own(err)
	}
	return p.move(ctx, models.FeedStep{})
}
