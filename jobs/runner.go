// Package jobs does the work nobody is waiting for: it reads the outside world
// and writes what it finds through package models.
//
// Jobs and handlers never call each other. A handler leaves a request in the
// database and a job finds it there, so any number of processes can share the
// work and a crash loses nothing. A job is a method that does one pass; it can
// be run twice, killed in the middle, or run in two processes, and the result is
// the same.
package jobs

import (
	"context"
	"log/slog"
	"time"

	"laurel/jobs/archive"
	"laurel/jobs/awards"
	"laurel/jobs/bus"
	"laurel/jobs/catalogue"
	"laurel/jobs/harvest"
	"laurel/jobs/notices"
	"laurel/jobs/pass"
	"laurel/jobs/posts"
	"laurel/jobs/retrieval"
	"laurel/jobs/sites"
	"laurel/models/accounts"
	"laurel/models/community"
	pg "laurel/models/db"
	"laurel/models/events"
	"laurel/models/forums"
	"laurel/models/kafka"
	noticebox "laurel/models/notices"
	modelposts "laurel/models/posts"
	"laurel/models/responses"
	modelretrieval "laurel/models/retrieval"
	"laurel/models/standings"
)

// A Runner runs the jobs of all domains.
type Runner struct {
	DB  *pg.DB
	Now func() time.Time
	Log *slog.Logger

	ClockRate     float64       // How many seconds of Now pass in one.
	KeepResponses time.Duration // How long raw answers are kept.

	Retrieval retrieval.Jobs
	Catalogue catalogue.Jobs
	Archive   archive.Jobs
	Awards    awards.Jobs
	Bus       bus.Jobs
	Notices   notices.Jobs
	Harvest   harvest.Jobs
	Posts     posts.Jobs
}

// A job runs by itself every so often, and at once when wake is heard.
type job struct {
	name  string
	every time.Duration
	run   func(context.Context) error
	wake  string // A payload on models.ChannelAsked; "" for none.
}

// schedule is everything that runs by itself.
func (r *Runner) schedule() []job {
	jobs := []job{
		{"delete what has expired", time.Hour, func(ctx context.Context) error { return pg.CleanUp(ctx, r.DB.DB, r.Now()) }, ""},
		{"prune raw answers", time.Hour,
			func(ctx context.Context) error { return responses.Prune(ctx, r.DB.DB, r.Now().Add(-r.KeepResponses)) }, ""},
		{"start audits", 10 * time.Minute,
			func(ctx context.Context) error { return modelretrieval.StartAudits(ctx, r.DB.DB, r.Now()) }, ""},
		{"watch the sites", 10 * time.Minute,
			func(ctx context.Context) error { return modelretrieval.WatchSites(ctx, r.DB.DB, r.Now()) }, ""},
		{"name problems", 20 * time.Second, r.Retrieval.NameProblems, ""},
		{"tell of facts that changed", 5 * time.Second, r.Retrieval.TellFacts, ""},
		{"turn standings", 5 * time.Second, func(ctx context.Context) error { return standings.Turn(ctx, r.DB.DB, r.Now()) }, ""},
		{"count places", 5 * time.Second, func(ctx context.Context) error { return standings.Fold(ctx, r.DB.DB) }, ""},
		{"keep the boards of a day", 10 * time.Minute,
			func(ctx context.Context) error { return standings.KeepSteps(ctx, r.DB.DB, r.Now()) }, ""},
		{"count the community", 10 * time.Minute,
			func(ctx context.Context) error { return community.CountTotals(ctx, r.DB.DB, r.Now()) }, ""},
		{"store rankings", 20 * time.Second, r.Archive.StoreRankings, ""},
		{"check the archive", time.Hour, r.Archive.Check, ""},
		{"apply events", time.Second, r.Awards.ApplyEvents, events.WakeEvents},
		{"grant awards", time.Second, r.Awards.Grant, events.WakeAwards},
		{"recount awards", time.Second, r.Awards.Recount, events.WakeRecounts},
		{"check awards", time.Hour, r.Awards.Check, ""},
		{"rotate the partitions of events", time.Hour, r.Awards.RollPartitions, ""},
		{"release notices", 5 * time.Second, r.Notices.Release, ""},
		{"send e-mails", 5 * time.Second, r.Notices.SendMails, noticebox.WakeNotices},
		{"send webhooks", 5 * time.Second, r.Notices.SendWebhooks, ""},
		{"harvest", 5 * time.Second, r.Harvest.HarvestDue, forums.WakeForums},
		{"inspect addresses of forums", 10 * time.Second, r.Harvest.Inspect, forums.WakeInspections},
		{"check hosts of sites", 10 * time.Second, r.Retrieval.CheckSites, modelretrieval.WakeSiteChecks},
		{"find new posts", r.tick(5 * time.Second), r.Posts.FindNew, modelposts.WakeFindPosts},
		{"measure posts", r.tick(time.Minute), r.Posts.Measure, ""},
	}
	if r.Bus.Brokers != nil {
		jobs = append(jobs, job{"read Kafka", 5 * time.Second, r.Bus.Consume, kafka.WakeTopics},
			job{"send to Kafka", 5 * time.Second, r.Bus.Publish, kafka.WakeOutbox})
	}
	for _, n := range r.Posts.Networks {
		name := n.Info().Name
		jobs = append(jobs, job{"poll posts of " + name, r.tick(posts.PollEvery),
			func(ctx context.Context) error { return r.Posts.Poll(ctx, n) }, modelposts.Wake(name)})
	}
	for _, site := range r.Retrieval.Sites {
		jobs = append(jobs, r.siteJobs(site)...)
	}
	return jobs
}

// siteJobs are those of one site.
func (r *Runner) siteJobs(site sites.Site) []job {
	var jobs []job
	name := site.Info().Name
	if checker, ok := site.(sites.BulkChecker); ok {
		jobs = append(jobs, job{"check accounts of " + name + " in bulk", time.Minute,
			func(ctx context.Context) error { return r.Retrieval.CheckInBulk(ctx, site, checker) }, ""})
	}
	if streamer, ok := site.(sites.Streamer); ok {
		jobs = append(jobs, job{"read the stream of " + name, 10 * time.Second,
			func(ctx context.Context) error { return r.Retrieval.ReadStream(ctx, site, streamer) }, ""})
	}
	if calendar, ok := site.(sites.Calendar); ok {
		jobs = append(jobs, job{"read the contests of " + name, time.Minute,
			func(ctx context.Context) error { return r.Retrieval.Contests(ctx, site, calendar) }, ""})
	}
	if lister, ok := site.(sites.Cataloguer); ok {
		jobs = append(jobs, job{"read the lists of " + name, r.tick(time.Minute),
			func(ctx context.Context) error { return r.Catalogue.Read(ctx, site, lister) }, ""})
	}
	if site.Info().Proof != "" {
		jobs = append(jobs, job{"check proofs of " + name, 10 * time.Second,
			func(ctx context.Context) error { return r.Retrieval.CheckProofs(ctx, site) }, accounts.WakeProofs(name)})
	}
	jobs = append(jobs,
		job{"read canaries of " + name, r.tick(time.Minute),
			func(ctx context.Context) error { return r.Retrieval.ReadCanaries(ctx, site) }, ""},
		job{"retrieve requested accounts of " + name, time.Second,
			func(ctx context.Context) error { return r.Retrieval.RetrieveRequested(ctx, site) }, name},
		job{"retrieve due accounts of " + name, 2 * time.Second,
			func(ctx context.Context) error { return r.Retrieval.RetrieveDue(ctx, site) }, ""})
	return jobs
}

// tick is how often a job runs in real time that is to run every d on the clock.
func (r *Runner) tick(d time.Duration) time.Duration { return pass.Every(d, r.ClockRate) }
