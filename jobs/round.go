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
	pg "laurel/models/db"
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
	roundsPerDay = 12.0
	// roundAgain is when it is looked up again whether verdicts of a round still change, and
	// roundWaits how long after its end that is believed.
	roundAgain, roundWaits = time.Hour, 3 * 24 * time.Hour
)

// Rounds reads the submissions of rounds that have ended since the last pass, where
// enough members took part; of fewer, each is looked at. It is weighed as feeds are.
//
// Rows are stored: a round tells nothing of what its people did beside it, so nobody is
// complete by it. A day later it is read again, for the verdicts: then nobody needs a look
// for these.
func (r *Runner) Rounds(ctx context.Context, site sites.Site, rounder sites.Rounder) error {
	info := site.Info()
	claimed, err := models.ClaimFeed(ctx, r.DB.DB, models.FeedClaim{Site: info.Name, Kind: models.KindRounds, PerDay: roundsPerDay}, pg.Lease{ID: uuid.NewString(), For: leaseFor}, r.Now())
	if err != nil || claimed == nil {
		return err
	}
	p := &rounds{r: r, site: info, rounder: rounder, feed: claimed, get: &probe{r: r, info: info}, next: r.Now().Add(roundLists)}
	err = p.read(ctx)
	switch {
	case errors.Is(err, pg.ErrLeaseLost):
		r.Log.WarnContext(ctx, "another worker has taken over", "rounds", info.Name)
		return nil
	case ctx.Err() != nil: // We are told to stop: somebody else may go on at once.
		return errors.Join(ctx.Err(), models.ReleaseFeed(context.WithoutCancel(ctx), r.DB.DB, claimed))
	}
	pass := models.FeedPass{Requests: p.get.requests, NewRows: p.stored.Inserted, Pause: max(p.next.Sub(r.Now()), time.Minute), Overlap: info.Overlap}
	pass, _, err = r.endPass(ctx, claimed, pass, err)
	if errors.Is(err, pg.ErrLeaseLost) {
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
	ended := p.since(all, *p.feed.CursorAt, roundSettles, func(x sites.Round) bool { return x.Over })
	err = p.each(ctx, ended, p.round, func(at *time.Time) models.FeedStep { return models.FeedStep{CursorAt: at} })
	if err != nil {
		return err
	}
	settled := p.since(all, *p.feed.LateAt, max(p.site.Overlap, roundSettles), func(x sites.Round) bool {
		return x.Settled || x.Over && x.Ends.Before(now.Add(-roundWaits))
	})
	err = p.each(ctx, settled, p.tryAgain, func(at *time.Time) models.FeedStep { return models.FeedStep{LateAt: at} })
	if err != nil {
		return err
	}
	return p.move(ctx, models.FeedStep{Until: &now})
}

// since are the rounds, oldest first, that have ended after a moment, that long ago at least,
// and are ready, up to the first one that is not; the next pass comes in time for others.
func (p *rounds) since(all []sites.Round, after time.Time, ago time.Duration, ready func(sites.Round) bool) (ended []sites.Round) {
	now := p.r.Now()
	for _, x := range all {
		switch at := x.Ends.Add(ago); {
		case ready(x) && !x.Ends.After(after):
		case ready(x) && !at.After(now):
			ended = append(ended, x)
		case x.Over && !at.After(now): // Its verdicts still change.
			p.wake(now.Add(roundAgain), now)
			return slices.DeleteFunc(ended, func(e sites.Round) bool { return e.Ends.Equal(x.Ends) })
		default: // It is to come, or lasts longer than was announced.
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
	return p.list(ctx, x.Contest, func(*sites.Fed) {})
}

// tookPart asks about those who were active lately, the most recent ones first, until
// enough of them took part.
func (p *rounds) tookPart(ctx context.Context, x sites.Round) ([]string, error) {
	handles, err := models.RoundCandidates(ctx, p.r.DB.DB, p.site.Name, x.Ends, p.r.Now().Add(-roundActive))
	if err != nil {
		return nil, own(err)
	}
	return p.enough(ctx, x, handles)
}

// enough asks which of some took part, until enough did.
func (p *rounds) enough(ctx context.Context, x sites.Round, handles []string) (took []string, err error) {
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

// list stores a round's list page by page, and shows each row. It grows at its head meanwhile,
// so that a page may begin with rows of the one before. It ends with a page without rows, or
// with fewer than the site gives otherwise.
func (p *rounds) list(ctx context.Context, contest string, show func(*sites.Fed)) error {
	most := 0
	for from, n := 1, 0; n < roundPages; n++ {
		page, err := p.rounder.RoundPage(ctx, p.get, contest, from)
		if err != nil {
			return err
		}
		if from == 1 && page.Shown == 0 {
			return fmt.Errorf("%w: nobody submitted anything in %s, where members took part", sites.ErrFormat, contest)
		}
		for i := range page.Rows {
			show(&page.Rows[i])
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
	s, err := models.StoreFeed(ctx, p.r.DB.DB, models.FeedSource{Site: p.site.Name, Address: p.rounder.RoundAddress(contest), Partial: true}, fedRows(p.site, page), p.r.Rule, p.r.Now())
	p.stored.Inserted, p.stored.Revised = p.stored.Inserted+s.Inserted, p.stored.Revised+s.Revised
	if err != nil {
		return own(err)
	}
	return p.move(ctx, models.FeedStep{})
}
