package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"laurel/jobs/standin"
	"laurel/models/community"
	"laurel/models/history"
	"laurel/models/standings"
)

// demoPast is how long ago the demo checked everything that was due, in days:
// a demo that begins now would have no history to show. The first is when the
// sample people came.
var demoPast = []int{42, 24, 21, 8, 1}

// demoPeople are enough for a leaderboard, and few enough that their past is made while one waits.
const demoPeople = 12

// samplePeople are those of the world that are members of the demo: without the one who submits
// a hundred times a day, for whose thousands of rows one would wait longer than for all the others.
func samplePeople(world *standin.Server) []standin.Person {
	return slices.DeleteFunc(world.People(), func(p standin.Person) bool { return p.Trait == "prolific" })
}

// demoBegin is when the sample people began: long enough ago for a year of days, and
// not so long that a visitor waits for what nobody looks at. It is the same at each start.
var demoBegin = time.Date(2025, time.October, 1, 0, 0, 0, 0, time.UTC)

// troubledDay is the day of these on which a site does not answer.
const troubledDay = 21

// A past is the time before now of a world that is a pure function of time.
type past struct {
	*base
	world *standin.Server
	back  *atomic.Int64
}

// at is the program so many days ago, without politeness: the world is ours.
func (p *past) at(days int) *base { return p.before(time.Duration(days) * 24 * time.Hour) }

func (p *past) before(ago time.Duration) *base {
	then := *p.base
	then.clock.back = ago
	then.CrawlRate = 1000
	return &then
}

// live goes through the past, and leaves the world in the present.
func (p *past) live(ctx context.Context) error {
	defer p.back.Store(0)
	begun := time.Now()
	p.log.Info("making six weeks of sample history, which takes a minute at most")
	if err := p.at(demoPast[0]).runner().Awards.Recount(ctx); err != nil { // While there is nothing to count.
		return err
	}
	for _, days := range demoPast {
		p.back.Store(int64(days) * int64(24*time.Hour))
		if err := errors.Join(p.day(ctx, days), p.posts(ctx, time.Duration(days)*24*time.Hour)); err != nil {
			return err
		}
	}
	if err := p.recentPosts(ctx); err != nil {
		return err
	}
	if err := p.settled(ctx); err != nil {
		return err
	}
	p.log.Info("six weeks have passed", "took", time.Since(begun).Round(time.Millisecond))
	return nil
}

// settled does once what the program does by itself every few seconds, so that the first page shows all of it.
func (p *past) settled(ctx context.Context) error {
	p.back.Store(0)
	now := p.at(0)
	r := now.runner()
	for _, pass := range []func(context.Context) error{
		r.Harvest.HarvestDue, r.Retrieval.TellFacts, r.Awards.ApplyEvents, r.Awards.Recount, r.Awards.Grant,
		func(ctx context.Context) error { return standings.Turn(ctx, p.db.DB, now.clock.now()) },
		func(ctx context.Context) error { return standings.Fold(ctx, p.db.DB) },
		func(ctx context.Context) error { return standings.KeepSteps(ctx, p.db.DB, now.clock.now()) },
		func(ctx context.Context) error { return community.CountTotals(ctx, p.db.DB, now.clock.now()) },
		r.Archive.StoreRankings,
	} {
		if err := pass(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *past) day(ctx context.Context, days int) error {
	then := p.at(days)
	if days == troubledDay {
		if err := p.world.SetFault("atcoder", standin.Fault{Kind: "503"}); err != nil {
			return err
		}
		defer p.world.ClearFaults("atcoder")
	}
	r := &then.runner().Retrieval
	all, err := r.AllSites(ctx)
	errs := make([]error, len(all), len(all)+1)
	var sites sync.WaitGroup
	for i, s := range all {
		sites.Go(func() { errs[i] = r.RetrieveDue(ctx, s) })
	}
	sites.Wait()
	if days != troubledDay { // Names of problems come from the sites, too: they wait for the next day.
		errs = append(errs, r.NameProblems(ctx))
	}
	return errors.Join(err, errors.Join(errs...), history.ArchiveLeaderboards(ctx, p.db.DB, then.clock.now()))
}
