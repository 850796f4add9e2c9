package jobs

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"github.com/go-co-op/gocron/v2"

	"laurel/jobs/sites"
	pg "laurel/models/db"
	"laurel/models/members"
)

// A crew runs the schedule, and the jobs of declared sites as they come and go.
type crew struct {
	*Runner
	cron   gocron.Scheduler
	passes sync.WaitGroup

	mu    sync.Mutex
	awake map[*job]func() // How each job is woken.

	declared map[string]declaredSite // By name. Only follow knows them.
}

// A declaredSite is one whose jobs run.
type declaredSite struct {
	site sites.Site
	stop func()
}

// followEvery is how often declared sites are asked for, besides when one has changed.
const followEvery = 15 * time.Second

// Start runs the schedule until ctx ends, and returns when the last pass has
// ended. gocron only ticks; what is due, the database knows. A job that is woken
// while it works goes on when it is done: it may have passed already where
// there is something new.
func (r *Runner) Start(ctx context.Context) error {
	cron, err := gocron.NewScheduler(gocron.WithStopTimeout(time.Minute))
	if err != nil {
		return err
	}
	c := &crew{Runner: r, cron: cron, awake: map[*job]func(){}, declared: map[string]declaredSite{}}
	follow := job{"follow declared sites", followEvery, c.follow, members.WakeSites}
	if _, err := c.begin(ctx, append(r.schedule(), follow)); err != nil {
		return err
	}
	cron.Start()
	pg.Listen(ctx, r.DB, func(_, payload string) { c.wake(payload) }, pg.ChannelAsked)
	c.passes.Wait()
	return cron.Shutdown()
}

// begin runs jobs until ctx ends or stop is called.
func (c *crew) begin(ctx context.Context, jobs []job) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var ended []func()
	stop = func() {
		cancel()
		for _, end := range ended {
			end()
		}
	}
	for i := range jobs {
		j := &jobs[i]
		wake := c.keep(ctx, j)
		ticks, err := c.cron.NewJob(gocron.DurationJob(j.every), gocron.NewTask(wake), gocron.WithName(j.name),
			gocron.WithStartAt(gocron.WithStartImmediately()))
		if err != nil {
			stop()
			return nil, err
		}
		c.mu.Lock()
		c.awake[j] = wake
		c.mu.Unlock()
		ended = append(ended, func() {
			_ = c.cron.RemoveJob(ticks.ID()) // It is gone already where all stops.
			c.mu.Lock()
			delete(c.awake, j)
			c.mu.Unlock()
		})
	}
	return stop, nil
}

// wake wakes the jobs that listen to a payload.
func (c *crew) wake(payload string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for j, wake := range c.awake {
		if j.wake == payload && payload != "" {
			wake()
		}
	}
}

// follow begins the jobs of sites that were declared since, anew those of sites that were changed, and ends
// those of sites that were removed.
func (c *crew) follow(ctx context.Context) error {
	list, err := c.Retrieval.Declared(ctx)
	if err != nil {
		return err
	}
	left := c.declared
	c.declared = map[string]declaredSite{}
	var errs []error
	for _, site := range list {
		name := site.Info().Name
		known, ok := left[name]
		if ok && reflect.DeepEqual(known.site, site) {
			c.declared[name] = known
			delete(left, name)
			continue
		}
		stop, err := c.begin(ctx, c.siteJobs(site))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		c.declared[name] = declaredSite{site, stop}
	}
	for _, gone := range left {
		gone.stop()
	}
	return errors.Join(errs...)
}

// keep runs passes of a job, one at a time, whenever it is woken, until ctx ends.
func (c *crew) keep(ctx context.Context, j *job) (wake func()) {
	woken := make(chan struct{}, 1)
	c.passes.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-woken:
				c.once(ctx, j)
			}
		}
	})
	return func() {
		select {
		case woken <- struct{}{}:
		default: // It is woken already.
		}
	}
}

// once runs one pass and logs its error: the edge, where errors end. When we are
// asked to stop, transactions end under way, and their errors mean nothing else.
func (c *crew) once(ctx context.Context, j *job) {
	if err := j.run(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		c.Log.ErrorContext(ctx, "job failed", "job", j.name, "err", err)
	}
}
